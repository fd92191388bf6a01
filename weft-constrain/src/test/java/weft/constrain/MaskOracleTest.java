package weft.constrain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Masks against trying every token, texts against a slow recognizer, on grammars at random. */
class MaskOracleTest {
  private static final String LETTERS = "abc\"";
  private final Random random = new Random(16);

  @Test
  void grammarsTakeWhatARecognizerTakesAndMasksWhatTheirTokensDo() {
    int kept = 0;
    for (int i = 0; i < 250; i++) {
      var grammar = grammar();
      Constraint constraint;
      try {
        constraint = Constraint.of(grammar, vocabulary());
      } catch (ConstrainException refused) {
        assertThat(refused.getMessage()).containsAnyOf("begins with itself", "no text at all");
        continue;
      }
      kept++;
      var recognizer = new Recognizer(grammar);
      for (int j = 0; j < 25; j++) {
        var text = text(8);
        assertThat(Texts.accepts(constraint, text))
            .as("%s of %s", text, describe(grammar))
            .isEqualTo(recognizer.accepts(text));
      }
      for (int j = 0; j < 4; j++) follow(constraint, grammar);
    }
    assertThat(kept).isGreaterThan(80);
  }

  /** Of the characters after which only the first of a slice can come. */
  @Test
  void aTokenGoesOnBeyondAnyCharacter() {
    for (var source : List.of("root ::= . \"a\" root | \"\"", "root ::= [a-z] \"a\"")) {
      var grammar = Grammar.parse(source);
      follow(Constraint.of(grammar, Texts.vocabulary(List.of("aa", "ba", "ab", "aaa"))), grammar);
    }
  }

  /** Goes on with tokens that are allowed: there always is one, and each leads on. */
  private void follow(Constraint constraint, Grammar grammar) {
    var matcher = constraint.matcher();
    for (int step = 0; step < 12; step++) {
      var allowed = matcher.allowed();
      var tried = new TreeSet<Integer>();
      for (int token = 0; token < constraint.vocabulary().size(); token++) {
        if (matcher.copy().accept(token)) tried.add(token);
      }
      assertThat(allowed.tokens().boxed()).as(describe(grammar)).containsExactlyElementsOf(tried);
      assertThat(allowed.isEmpty()).isFalse();
      assertThat(allowed.contains(Texts.END)).isEqualTo(matcher.isComplete());
      int token = new ArrayList<>(tried).get(random.nextInt(tried.size()));
      if (token == Texts.END) return;
      assertThat(matcher.accept(token)).isTrue();
    }
  }

  private Vocabulary vocabulary() {
    var texts = new TreeSet<String>();
    for (int i = 0; i < 60; i++) texts.add(text(5));
    texts.remove("");
    return Texts.vocabulary(texts);
  }

  private String text(int longest) {
    var text = new StringBuilder();
    int length = random.nextInt(longest + 1);
    for (int j = 0; j < length; j++) text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    return text.toString();
  }

  private Grammar grammar() {
    var builder = new Grammar.Builder();
    var rules = new ArrayList<Grammar.Rule>();
    for (int i = 0; i < 3; i++) rules.add(builder.rule("r" + i));
    for (var rule : rules) builder.define(rule, part(rules, 3));
    return builder.build(rules.getFirst());
  }

  private Part part(List<Grammar.Rule> rules, int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 9)) {
      case 0 -> Part.text(text(2));
      case 1 -> Part.lexeme(regex(2));
      case 2 -> rules.get(random.nextInt(rules.size())).reference();
      case 3, 4, 5 -> Part.sequence(part(rules, depth - 1), part(rules, depth - 1));
      case 6, 7 -> Part.choice(part(rules, depth - 1), part(rules, depth - 1));
      default -> {
        int least = random.nextInt(2);
        int greatest = random.nextBoolean() ? Regex.UNBOUNDED : least + random.nextInt(3);
        yield part(rules, depth - 1).repeat(least, greatest);
      }
    };
  }

  private Regex regex(int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 8)) {
      case 0 -> Regex.text(text(3));
      case 1 -> Regex.parse("[^\"]*\"");
      case 2 -> Regex.oneOf("ab");
      case 3 -> Regex.sequence(regex(depth - 1), regex(depth - 1));
      case 4 -> Regex.anyOf(regex(depth - 1), regex(depth - 1));
      case 5 -> regex(depth - 1).repeat(random.nextInt(2), 1 + random.nextInt(3));
      case 6 -> Regex.allOf(regex(depth - 1), regex(depth - 1));
      default -> regex(depth - 1).not();
    };
  }

  private static String describe(Grammar grammar) {
    var text = new StringBuilder();
    for (var rule : grammar.rules()) {
      text.append(rule.name()).append(" = ").append(grammar.part(rule)).append('\n');
    }
    return text.toString();
  }
}
