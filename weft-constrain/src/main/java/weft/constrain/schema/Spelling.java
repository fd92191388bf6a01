package weft.constrain.schema;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import weft.constrain.Regex;
import weft.unicode.CodePointSet;

/**
 * How the characters of a text are written within the quotes of JSON. Where a schema says anything
 * about a text but its length, each character has one spelling: an escape where JSON asks for one
 * and itself where not; so a key cannot be disguised and an automaton stays small.
 */
final class Spelling {
  private static final int LAST_CONTROL = 0x1F;

  private static final CodePointSet ESCAPED =
      CodePointSet.range(0, LAST_CONTROL).union(CodePointSet.of('"')).union(CodePointSet.of('\\'));
  private static final CodePointSet SURROGATES =
      CodePointSet.range(Character.MIN_SURROGATE, Character.MAX_SURROGATE);
  private static final CodePointSet RAW = ESCAPED.union(SURROGATES).complement();

  private static final Regex HEX =
      Regex.characters(
          CodePointSet.range('0', '9')
              .union(CodePointSet.range('A', 'F'))
              .union(CodePointSet.range('a', 'f')));

  /** One character in its one spelling. */
  static final Regex ONE = spelled(CodePointSet.ALL);

  /** A text whose characters have their one spelling. */
  static final Regex TEXT = ONE.many();

  /** One character in any spelling that JSON allows. */
  static final Regex ANY_ONE =
      Regex.anyOf(
          Regex.characters(RAW),
          Regex.sequence(
              Regex.text("\\"),
              Regex.anyOf(
                  Regex.oneOf("\"\\/bfnrt"),
                  Regex.sequence(Regex.text("u"), unpaired()),
                  Regex.sequence(
                      Regex.text("u"),
                      Regex.oneOf("dD"),
                      Regex.oneOf("89abAB"),
                      HEX.repeat(2, 2),
                      Regex.text("\\u"),
                      Regex.oneOf("dD"),
                      Regex.oneOf("cdefCDEF"),
                      HEX.repeat(2, 2)))));

  private Spelling() {}

  /** Four hexadecimal digits that are a character by themselves. */
  private static Regex unpaired() {
    var notD =
        Regex.characters(
            CodePointSet.range('0', '9')
                .union(CodePointSet.range('A', 'C'))
                .union(CodePointSet.range('a', 'c'))
                .union(CodePointSet.range('E', 'F'))
                .union(CodePointSet.range('e', 'f')));
    return Regex.anyOf(
        Regex.sequence(notD, HEX.repeat(3, 3)),
        Regex.sequence(Regex.oneOf("dD"), Regex.range('0', '7'), HEX.repeat(2, 2)));
  }

  /** The text as it stands between quotes. */
  static String of(String text) {
    var spelled = new StringBuilder();
    text.codePoints().forEach(c -> spell(c, spelled));
    return spelled.toString();
  }

  private static void spell(int c, StringBuilder to) {
    switch (c) {
      case '"' -> to.append("\\\"");
      case '\\' -> to.append("\\\\");
      case '\n' -> to.append("\\n");
      case '\r' -> to.append("\\r");
      case '\t' -> to.append("\\t");
      case '\b' -> to.append("\\b");
      case '\f' -> to.append("\\f");
      default -> {
        if (c <= LAST_CONTROL) to.append("\\u%04x".formatted(c));
        else to.appendCodePoint(c);
      }
    }
  }

  private static Regex spelled(CodePointSet set) {
    var escaped = set.intersection(ESCAPED);
    var raw = Regex.characters(set.intersection(RAW));
    if (escaped.rangeCount() == 0) return raw;
    var parts = new ArrayList<Regex>();
    parts.add(raw);
    for (int range = 0; range < escaped.rangeCount(); range++) {
      for (int c = escaped.from(range); c <= escaped.to(range); c++) {
        var text = new StringBuilder();
        spell(c, text);
        parts.add(Regex.text(text.toString()));
      }
    }
    return new Regex.AnyOf(parts);
  }

  /** The spellings of the texts that an expression matches; parts that it shares stay shared. */
  static Regex of(Regex regex) {
    return of(regex, new IdentityHashMap<>());
  }

  private static Regex of(Regex regex, Map<Regex, Regex> known) {
    var done = known.get(regex);
    if (done != null) return done;
    var spelled =
        switch (regex) {
          case Regex.Characters(CodePointSet set) ->
              set.equals(CodePointSet.ALL) ? ONE : spelled(set);
          case Regex.Text(String text) -> Regex.text(of(text));
          case Regex.Sequence(List<Regex> parts) -> new Regex.Sequence(of(parts, known));
          case Regex.AnyOf(List<Regex> parts) -> new Regex.AnyOf(of(parts, known));
          case Regex.AllOf(List<Regex> parts) ->
              parts.isEmpty() ? TEXT : new Regex.AllOf(of(parts, known));
          case Regex.Not(Regex part) -> Regex.allOf(TEXT, of(part, known).not());
          case Regex.Repeat(Regex part, int least, int greatest) ->
              new Regex.Repeat(of(part, known), least, greatest);
        };
    known.put(regex, spelled);
    return spelled;
  }

  private static List<Regex> of(List<Regex> parts, Map<Regex, Regex> known) {
    return parts.stream().map(part -> of(part, known)).toList();
  }
}
