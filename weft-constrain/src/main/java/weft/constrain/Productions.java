package weft.constrain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Turns a grammar's rules into productions: without what no text can complete, and with rules that
 * begin with themselves turned into repetitions. Where a rule begins with itself through another,
 * it is refused by name.
 */
final class Productions {
  /** Parts in parts; what is deeper would not fit the stack. */
  private static final int DEEPEST_PART = 1_000;

  private final Grammar grammar;
  private final Predicate<Regex> isAlive;
  private final Effort effort;

  /** The rules that the start needs, what is used mostly before what uses it. */
  private final List<Grammar.Rule> reached = new ArrayList<>();

  private final boolean[] isProductive;
  private final boolean[] isNullable;
  private final Map<Integer, Production.Reference> references = new HashMap<>();
  private final Map<Part, Production> made = new IdentityHashMap<>();
  private final Map<Regex, Boolean> nullableRegexes = new IdentityHashMap<>();
  private final Map<Regex, Boolean> doubtful = new IdentityHashMap<>();
  private final Depths depths = new Depths();

  private Productions(Grammar grammar, Predicate<Regex> isAlive, Effort effort) {
    this.grammar = grammar;
    this.isAlive = isAlive;
    this.effort = effort;
    this.isProductive = new boolean[grammar.rules().size()];
    this.isNullable = new boolean[grammar.rules().size()];
  }

  static Production of(Grammar grammar, Predicate<Regex> isAlive, Effort effort) {
    return new Productions(grammar, isAlive, effort).start();
  }

  private Production start() {
    var start = grammar.start();
    reach(start);
    settle(isProductive, part -> isProductive(part, 0));
    if (!isProductive[start.index()]) {
      throw new ConstrainException(
          "no text at all fits the rule " + start.name() + "; its parts contradict each other");
    }
    settle(isNullable, part -> isNullable(part, 0));
    for (var rule : reached) references.put(rule.index(), new Production.Reference());
    for (var rule : reached) {
      if (isProductive[rule.index()]) {
        references.get(rule.index()).define(production(withoutLeftRecursion(rule), 0));
      }
    }
    new LeftRecursion(grammar, reached, isNullable, this::withoutLeftRecursion, this::isNullable)
        .refuse();
    return references.get(start.index()).to();
  }

  /** Finds the rules that are used, in the order in which a walk leaves them. */
  private void reach(Grammar.Rule start) {
    record Visit(Grammar.Rule rule, ArrayDeque<Grammar.Rule> uses) {}
    var seen = new boolean[grammar.rules().size()];
    var open = new ArrayDeque<Visit>();
    seen[start.index()] = true;
    open.push(new Visit(start, uses(start)));
    while (!open.isEmpty()) {
      var visit = open.peek();
      if (visit.uses.isEmpty()) {
        reached.add(open.pop().rule);
        continue;
      }
      var used = visit.uses.pop();
      if (!seen[used.index()]) {
        seen[used.index()] = true;
        open.push(new Visit(used, uses(used)));
      }
    }
  }

  private ArrayDeque<Grammar.Rule> uses(Grammar.Rule rule) {
    var uses = new ArrayDeque<Grammar.Rule>();
    collect(grammar.part(rule), uses, 0);
    return uses;
  }

  private void collect(Part part, ArrayDeque<Grammar.Rule> uses, int depth) {
    effort.spend(1);
    if (depth > DEEPEST_PART) {
      throw new ConstrainException(
          "a rule with parts nested deeper than " + DEEPEST_PART + "; make it simpler");
    }
    switch (part) {
      case Part.Lexeme(var regex) -> depths.require(regex);
      case Part.Sequence(var parts) -> parts.forEach(p -> collect(p, uses, depth + 1));
      case Part.Choice(var parts) -> parts.forEach(p -> collect(p, uses, depth + 1));
      case Part.Repeat(var inner, _, _) -> collect(inner, uses, depth + 1);
      case Part.Reference(var rule) -> uses.add(rule);
    }
  }

  /** Says of rules what follows from what is known of others, until nothing new follows. */
  private void settle(boolean[] known, Predicate<Part> follows) {
    boolean isNew = true;
    while (isNew) {
      isNew = false;
      for (var rule : reached) {
        effort.spend(4);
        if (!known[rule.index()] && follows.test(grammar.part(rule))) {
          known[rule.index()] = true;
          isNew = true;
        }
      }
    }
  }

  private boolean isProductive(Part part, int depth) {
    effort.spend(1);
    return switch (part) {
      case Part.Lexeme(var regex) -> isAlive(regex);
      case Part.Sequence(var parts) -> parts.stream().allMatch(p -> isProductive(p, depth + 1));
      case Part.Choice(var parts) -> parts.stream().anyMatch(p -> isProductive(p, depth + 1));
      case Part.Repeat(var inner, int least, _) -> least == 0 || isProductive(inner, depth + 1);
      case Part.Reference(var rule) -> isProductive[rule.index()];
    };
  }

  /** Only intersections and complements have to be looked into. */
  private boolean isAlive(Regex regex) {
    return !isDoubtful(regex) || isAlive.test(regex);
  }

  private boolean isDoubtful(Regex regex) {
    var known = doubtful.get(regex);
    if (known != null) return known;
    boolean is =
        switch (regex) {
          case Regex.Characters(var set) -> set.rangeCount() < 2;
          case Regex.Text _ -> false;
          case Regex.Sequence(var parts) -> parts.stream().anyMatch(this::isDoubtful);
          case Regex.AnyOf(var parts) ->
              parts.isEmpty() || parts.stream().anyMatch(this::isDoubtful);
          case Regex.AllOf _, Regex.Not _ -> true;
          case Regex.Repeat(var part, _, _) -> isDoubtful(part);
        };
    doubtful.put(regex, is);
    return is;
  }

  private boolean isNullable(Part part, int depth) {
    effort.spend(1);
    return switch (part) {
      case Part.Lexeme(var regex) -> Regexes.isNullable(regex, nullableRegexes);
      case Part.Sequence(var parts) -> parts.stream().allMatch(p -> isNullable(p, depth + 1));
      case Part.Choice(var parts) -> parts.stream().anyMatch(p -> isNullable(p, depth + 1));
      case Part.Repeat(var inner, int least, _) -> least == 0 || isNullable(inner, depth + 1);
      case Part.Reference(var rule) -> isNullable[rule.index()];
    };
  }

  private boolean isNullable(Part part) {
    return isNullable(part, 0);
  }

  /** {@code a ::= a x | y} is {@code a ::= y x*}: the same texts. */
  private Part withoutLeftRecursion(Grammar.Rule rule) {
    var ways = new ArrayList<Part>();
    var begins = new ArrayList<Part>();
    flatten(grammar.part(rule), ways);
    var continued = new ArrayList<Part>();
    for (var way : ways) {
      if (isSelf(way, rule)) continue;
      if (way instanceof Part.Sequence(var parts)
          && !parts.isEmpty()
          && isSelf(parts.getFirst(), rule)) {
        continued.add(new Part.Sequence(parts.subList(1, parts.size())));
      } else {
        begins.add(way);
      }
    }
    if (continued.isEmpty()) {
      return begins.size() == ways.size() ? grammar.part(rule) : new Part.Choice(begins);
    }
    return Part.sequence(new Part.Choice(begins), new Part.Choice(continued).many());
  }

  private static void flatten(Part part, List<Part> ways) {
    if (part instanceof Part.Choice(var parts)) parts.forEach(p -> flatten(p, ways));
    else ways.add(part);
  }

  private static boolean isSelf(Part part, Grammar.Rule rule) {
    return part instanceof Part.Reference(var to) && to == rule;
  }

  private Production production(Part part, int depth) {
    var known = made.get(part);
    if (known != null) return known;
    effort.spend(2);
    var production =
        switch (part) {
          case Part.Lexeme(var regex) ->
              isAlive(regex) ? new Production.Lexeme(regex) : Production.NONE;
          case Part.Sequence(var parts) -> {
            var all = parts.stream().map(p -> production(p, depth + 1)).toList();
            if (all.contains(Production.NONE)) yield Production.NONE;
            yield switch (all.size()) {
              case 0 -> Production.EMPTY;
              case 1 -> all.getFirst();
              default -> new Production.Sequence(all.toArray(Production[]::new));
            };
          }
          case Part.Choice(var parts) -> {
            var all =
                parts.stream()
                    .map(p -> production(p, depth + 1))
                    .filter(p -> p != Production.NONE)
                    .toList();
            yield switch (all.size()) {
              case 0 -> Production.NONE;
              case 1 -> all.getFirst();
              default -> new Production.Choice(all.toArray(Production[]::new));
            };
          }
          case Part.Repeat(var inner, int least, int greatest) -> {
            var body = production(inner, depth + 1);
            if (body == Production.NONE || greatest == 0) {
              yield least == 0 ? Production.EMPTY : Production.NONE;
            }
            yield new Production.Repeat(body, least, greatest);
          }
          case Part.Reference(var rule) ->
              isProductive[rule.index()] ? references.get(rule.index()) : Production.NONE;
        };
    made.put(part, production);
    return production;
  }
}
