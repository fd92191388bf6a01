package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import weft.constrain.ConstrainException;
import weft.constrain.Constraint;
import weft.constrain.Grammar;
import weft.constrain.Regex;
import weft.constrain.Vocabulary;

/**
 * Patterns and GBNF with a text, behind a zero character. What a mask allows is what its tokens do,
 * and a text that has come so far can go on or end.
 */
final class GrammarTarget implements Target {
  private static final char SEPARATOR = 0;
  private static final String RULE = "root ::=";
  private static final int LONGEST_TEXT = 40;

  private static final Vocabulary VOCABULARY = vocabulary();

  private static final TextMutation WORDS =
      new TextMutation(
          List.of(
              "a",
              "b",
              "é",
              "\"a\"",
              "\"",
              "[",
              "]",
              "[^",
              "[a-c]",
              "(",
              ")",
              "(?:",
              "(?=",
              "(?!",
              "|",
              "*",
              "+",
              "?",
              "{2}",
              "{1,3}",
              "{0,1000}",
              "{1000}",
              "{2,}",
              "^",
              "$",
              "\\b",
              "\\B",
              "\\d",
              "\\w",
              "\\s",
              "\\p{L}",
              "\\P{L}",
              ".",
              "\\u00e9",
              "\\x41",
              "\\1",
              "\n",
              "root",
              "x",
              "y",
              " ::= ",
              "x ::= ",
              "root ::= ",
              "# ",
              " ",
              "\\n",
              "\\\\",
              "(a|b)*",
              "(a*)*",
              "(a?){1000}",
              "\u0000"));

  private static Vocabulary vocabulary() {
    var texts = new ArrayList<byte[]>();
    for (int value = 0; value < 256; value++) texts.add(new byte[] {(byte) value});
    texts.add(new byte[0]);
    for (var text : List.of("aa", "ab", "ba", "abc", "aé", "\"a", "a\"", "bb b", "é", "0a")) {
      texts.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return Vocabulary.of(texts, Set.of(256));
  }

  @Override
  public String name() {
    return "grammar";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
            "(?:ab|a)*c\u0000aabac",
            "(?=.*b)[a-c]{2,5}\u0000abc",
            "(?!a+$)\\w+\\b.?\u0000ab",
            "root ::= x (\",\" x)*\nx ::= \"a\"+ | [^b-d]{1,3}\u0000aa,e",
            "root ::= root \"+\" x | x\nx ::= \"(\" root \")\" | \"a\"\u0000a+(a)",
            "root ::= \"a\" root \"b\" | \"\"\u0000aabb")
        .stream()
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return WORDS.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    var whole = new String(input, StandardCharsets.UTF_8);
    int end = whole.indexOf(SEPARATOR);
    var source = end < 0 ? whole : whole.substring(0, end);
    var text = end < 0 ? "ab" : whole.substring(end + 1);
    var grammar = source.contains(RULE) ? Grammar.parse(source) : Grammar.of(Regex.parse(source));
    var matcher = Constraint.of(grammar, VOCABULARY).matcher();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < Math.min(bytes.length, LONGEST_TEXT); at++) {
      var allowed = matcher.allowed();
      if (allowed.isEmpty()) throw new Violation("nothing may follow " + text.substring(0, at));
      for (int token = 0; token < VOCABULARY.size(); token++) {
        if (allowed.contains(token) != matcher.copy().accept(token)) {
          throw new Violation("the mask and the text differ about token " + token + " at " + at);
        }
      }
      if (!matcher.accept(bytes[at] & 0xFF)) return;
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof ConstrainException;
  }

  /** All of an effort may be spent on what is made once and forgotten. */
  @Override
  public long mostAllocated() {
    return 4L << 30;
  }
}
