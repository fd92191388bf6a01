package weft.constrain;

import java.util.Arrays;
import java.util.List;
import weft.unicode.CodePointSet;

/**
 * A regular expression: a set of texts, which may be built from others by intersection and
 * complement too. Its letters are Unicode's characters; a text is matched as its UTF-8. An
 * immutable value, safe for all threads.
 */
public sealed interface Regex {
  /** As often as one likes, for the greatest count of a {@link Repeat}. */
  int UNBOUNDED = Integer.MAX_VALUE;

  /** No text. */
  Regex NOTHING = new AnyOf(List.of());

  /** The empty text alone. */
  Regex EMPTY = new Text("");

  /** Any character. */
  Regex ANY_CHARACTER = new Characters(CodePointSet.ALL);

  /** Any text, the empty one too. */
  Regex ANY_TEXT = new Repeat(ANY_CHARACTER, 0, UNBOUNDED);

  /** One character of a set. Surrogates have no UTF-8, so they are never matched. */
  record Characters(CodePointSet set) implements Regex {}

  /** A literal text. */
  record Text(String text) implements Regex {}

  /** One behind the other. */
  record Sequence(List<Regex> parts) implements Regex {
    public Sequence {
      parts = List.copyOf(parts);
    }
  }

  /** What any of the parts matches; of no parts, nothing. */
  record AnyOf(List<Regex> parts) implements Regex {
    public AnyOf {
      parts = List.copyOf(parts);
    }
  }

  /** What all of the parts match; of no parts, any text. */
  record AllOf(List<Regex> parts) implements Regex {
    public AllOf {
      parts = List.copyOf(parts);
    }
  }

  /** Every text that the part does not match. */
  record Not(Regex part) implements Regex {}

  /** The part from {@code least} to {@code greatest} times, which may be {@link #UNBOUNDED}. */
  record Repeat(Regex part, int least, int greatest) implements Regex {
    public Repeat {
      if (least < 0 || greatest < least) {
        throw new ConstrainException(
            "a repetition from "
                + least
                + " to "
                + greatest
                + " times; counts are 0 or more,"
                + " the smaller first");
      }
    }
  }

  /**
   * The texts that a pattern in ECMA-262's dialect matches as a whole, as if it stood between ^ and
   * $. What cannot be kept, such as a back reference, is refused by name.
   */
  static Regex parse(String pattern) {
    return EcmaPattern.parse(pattern).whole();
  }

  /**
   * The texts in which a pattern in ECMA-262's dialect matches somewhere, as JSON Schema means it.
   */
  static Regex parseSearch(String pattern) {
    return EcmaPattern.parse(pattern).anywhere();
  }

  /** A literal text. */
  static Regex text(String text) {
    return new Text(text);
  }

  /** One character of a set. */
  static Regex characters(CodePointSet set) {
    return new Characters(set);
  }

  /** One character of a range, its ends included. */
  static Regex range(int from, int to) {
    return new Characters(CodePointSet.range(from, to));
  }

  /** One of the characters of a text. */
  static Regex oneOf(String characters) {
    var set = CodePointSet.EMPTY;
    for (int c : characters.codePoints().toArray()) set = set.union(CodePointSet.of(c));
    return new Characters(set);
  }

  /** One behind the other. */
  static Regex sequence(Regex... parts) {
    return new Sequence(Arrays.asList(parts));
  }

  /** What any of the parts matches. */
  static Regex anyOf(Regex... parts) {
    return new AnyOf(Arrays.asList(parts));
  }

  /** Any of several literal texts. */
  static Regex anyText(List<String> texts) {
    return new AnyOf(texts.stream().map(Regex::text).toList());
  }

  /** What all of the parts match. */
  static Regex allOf(Regex... parts) {
    return new AllOf(Arrays.asList(parts));
  }

  /** What this matches and another does not. */
  default Regex except(Regex other) {
    return allOf(this, other.not());
  }

  /** Every text that this does not match. */
  default Regex not() {
    return new Not(this);
  }

  /** This from {@code least} to {@code greatest} times, which may be {@link #UNBOUNDED}. */
  default Regex repeat(int least, int greatest) {
    return new Repeat(this, least, greatest);
  }

  /** This or the empty text. */
  default Regex optional() {
    return repeat(0, 1);
  }

  /** This any number of times, or never. */
  default Regex many() {
    return repeat(0, UNBOUNDED);
  }
}
