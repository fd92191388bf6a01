package weft.constrain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The texts that are allowed, as rules over lexemes. A text belongs to it when there is any way to
 * derive it; nothing but what the rules say may stand between lexemes. Immutable, safe for all
 * threads.
 */
public final class Grammar {
  private final List<Rule> rules;
  private final List<Part> parts;
  private final Rule start;

  private Grammar(List<Rule> rules, List<Part> parts, Rule start) {
    this.rules = List.copyOf(rules);
    this.parts = List.copyOf(parts);
    this.start = start;
  }

  /** The texts that a regular expression matches. */
  public static Grammar of(Regex regex) {
    var builder = new Builder();
    return builder.build(builder.rule("root", Part.lexeme(regex)));
  }

  /**
   * A grammar in the notation of llama.cpp, GBNF, whose texts are those of its rule {@code root}. A
   * rule may begin with itself, but not through another.
   */
  public static Grammar parse(String gbnf) {
    return new GbnfParser(gbnf).parse();
  }

  /** All rules, by their index. */
  public List<Rule> rules() {
    return rules;
  }

  /** What a rule stands for. */
  public Part part(Rule rule) {
    return parts.get(rule.index);
  }

  /** The rule that whole texts are of. */
  public Rule start() {
    return start;
  }

  /** The name of a rule, as a {@link Builder} gave it out. Safe for all threads. */
  public static final class Rule {
    private final Builder owner;
    private final int index;
    private final String name;

    private Rule(Builder owner, int index, String name) {
      this.owner = owner;
      this.index = index;
      this.name = name;
    }

    /** For messages; several rules may have one name. */
    public String name() {
      return name;
    }

    /** Its place in {@link Grammar#rules()}. */
    public int index() {
      return index;
    }

    /** What this rule stands for, as a part of another. */
    public Part reference() {
      return new Part.Reference(this);
    }
  }

  /** Collects rules, which may name each other before they are defined. Of one thread. */
  public static final class Builder {
    private static final int MOST_RULES = 1_000_000;

    private final List<Rule> rules = new ArrayList<>();
    private final List<Optional<Part>> parts = new ArrayList<>();

    /** A rule that is to be defined later. */
    public Rule rule(String name) {
      if (rules.size() == MOST_RULES) {
        throw new ConstrainException(
            "a grammar of more than " + MOST_RULES + " rules; make it smaller");
      }
      var rule = new Rule(this, rules.size(), name);
      rules.add(rule);
      parts.add(Optional.empty());
      return rule;
    }

    /** A rule that is known already. */
    public Rule rule(String name, Part part) {
      var rule = rule(name);
      define(rule, part);
      return rule;
    }

    /** Says what a rule stands for. */
    public void define(Rule rule, Part part) {
      if (rule.owner != this) {
        throw new ConstrainException("the rule " + rule.name + " is of another grammar");
      }
      if (parts.get(rule.index).isPresent()) {
        throw new ConstrainException(
            "the rule " + rule.name + " is defined twice; name one otherwise");
      }
      parts.set(rule.index, Optional.of(part));
    }

    /** The grammar whose texts are those of a rule. */
    public Grammar build(Rule start) {
      var defined = new ArrayList<Part>();
      for (var rule : rules) {
        defined.add(
            parts
                .get(rule.index)
                .orElseThrow(
                    () ->
                        new ConstrainException(
                            "the rule " + rule.name + " is used and not defined")));
      }
      return new Grammar(rules, defined, start);
    }
  }
}
