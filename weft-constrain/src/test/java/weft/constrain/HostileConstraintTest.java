package weft.constrain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made to take time or memory is matched, or refused before it has taken much. */
class HostileConstraintTest {
  /** A hundred times what each takes, for machines that are busy. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final Vocabulary VOCABULARY = vocabulary();

  private static Vocabulary vocabulary() {
    var random = new Random(17);
    var texts = new ArrayList<String>();
    for (int i = 0; i < 2_000; i++) {
      var text = new StringBuilder();
      int length = 2 + random.nextInt(10);
      for (int j = 0; j < length; j++) text.append((char) ('a' + random.nextInt(3)));
      texts.add(text.toString());
    }
    return Texts.vocabulary(texts);
  }

  /** Follows a text of allowed tokens; to refuse is right, to hang or to fail otherwise is not. */
  private static void play(Grammar grammar) {
    try {
      var matcher = Constraint.of(grammar, VOCABULARY).matcher();
      var random = new Random(1);
      for (int i = 0; i < 60; i++) {
        int[] allowed = matcher.allowed().tokens().toArray();
        assertThat(allowed).isNotEmpty();
        int token = allowed[random.nextInt(allowed.length)];
        if (token == Texts.END) return;
        assertThat(matcher.accept(token)).isTrue();
      }
    } catch (ConstrainException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a|b)*a(a|b){30}",
        "(a|b)*a(a|b){3000}",
        "((a{0,1000}){0,1000}){0,1000}",
        "((a{2,1000}b?){2,1000}c?){2,1000}",
        "(a?){1000}a{1000}",
        "(a*)*(b*)*((a|b)*)*c",
        "(a|aa|aaa|aaaa)+b",
        "(?=.*a{50})(?=.*b{50})(?=.*c{50})[abc]{0,400}",
        "(?!.*(a|b)c{20}(a|b){20}$)(?!.*abc{10}a)[abc]*",
        "(.*a){12}.*b",
        "((((((((((a|b)?c)?a)?b)?c)?a)?b)?c)?a)?b)*",
        "\\p{L}{1,50}(\\p{L}|\\p{N}){1,50}\\P{L}*",
      })
  void patternsAreMatchedOrRefused(String pattern) {
    Assertions.assertTimeout(LONG, () -> play(Grammar.of(Regex.parse(pattern))));
  }

  @Test
  void manyBordersOfWordsAreMatchedOrRefused() {
    var patterns =
        List.of(
            "(?!a+$)" + "a+\\b.".repeat(150),
            "(?:a?".repeat(60) + "\\b" + ")".repeat(60),
            "(?=a?".repeat(60) + "\\b" + ")".repeat(60),
            "(?:" + "(?:a\\b.?){0,7}".repeat(7) + "){0,7}");
    for (var pattern : patterns) {
      Assertions.assertTimeout(
          LONG,
          () -> {
            try {
              play(Grammar.of(Regex.parse(pattern)));
            } catch (ConstrainException refused) {
              assertThat(refused.getMessage()).isNotBlank();
            }
          });
    }
  }

  static List<String> grammars() {
    var chain = new StringBuilder("root ::= r0\n");
    for (int i = 0; i < 5_000; i++) {
      chain.append("r%d ::= r%d | r%d\n".formatted(i, i + 1, i + 1));
    }
    chain.append("r5000 ::= \"a\"");
    var deep = "(".repeat(90) + "\"a\"" + ")*".repeat(90);
    return List.of(
        chain.toString(),
        "root ::= " + deep,
        "root ::= root root | \"a\"",
        "root ::= \"a\" root \"b\" | \"a\" other \"b\" | \"ab\"\nother ::= \"a\" root \"b\" | \"a\" other \"b\" | \"ab\"",
        "root ::= \"a\" root root root | \"\"",
        "root ::= x{1000}\nx ::= y{0,1000} \"b\"\ny ::= \"a\" x? ",
        "root ::= (x? x? x? x? x? x? x? x?)*\nx ::= \"a\" | \"a\" x",
        "root ::= root",
        "root ::= \"a\"* root \"b\" | \"c\"");
  }

  @ParameterizedTest
  @MethodSource("grammars")
  void grammarsAreMatchedOrRefused(String grammar) {
    Assertions.assertTimeout(LONG, () -> play(Grammar.parse(grammar)));
  }

  @Test
  void expressionsAsDeepAsMemoryAreRefused() {
    var regex = Regex.text("a");
    for (int i = 0; i < 100_000; i++) regex = Regex.sequence(regex, Regex.text("b")).optional();
    play(Grammar.of(regex));
    var part = Part.text("a");
    for (int i = 0; i < 100_000; i++) part = Part.sequence(part, Part.text("b")).optional();
    var builder = new Grammar.Builder();
    play(builder.build(builder.rule("root", part)));
  }

  /** What is remembered is forgotten when it is too much, and the text goes on. */
  @Test
  void longTextsTakeBoundedMemory() {
    var constraint =
        Constraint.of(Grammar.of(Regex.parse("\"[^\"]{0,1000000}\"")), Texts.vocabulary(List.of()));
    var matcher = constraint.matcher();
    assertThat(matcher.accept("\"".getBytes())).isTrue();
    for (int i = 0; i < 100_000; i++) assertThat(matcher.accept((int) 'x')).isTrue();
    assertThat(matcher.isComplete()).isFalse();
    assertThat(matcher.allowed().contains('x')).isTrue();
    assertThat(matcher.accept((int) '"')).isTrue();
    assertThat(matcher.isComplete()).isTrue();
  }
}
