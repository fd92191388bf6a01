package weft.constrain;

import java.util.Arrays;
import java.util.List;

/** What a rule of a {@link Grammar} stands for. An immutable value, safe for all threads. */
public sealed interface Part {
  /** Nothing: the empty text. */
  Part EMPTY = new Sequence(List.of());

  /**
   * A text that a regular expression matches. Where several ways to cut a text fit, any will do.
   */
  record Lexeme(Regex regex) implements Part {}

  /** One behind the other. */
  record Sequence(List<Part> parts) implements Part {
    public Sequence {
      parts = List.copyOf(parts);
    }
  }

  /** Any of the parts; of no parts, no text at all. */
  record Choice(List<Part> parts) implements Part {
    public Choice {
      parts = List.copyOf(parts);
    }
  }

  /** The part from {@code least} to {@code greatest} times, {@link Regex#UNBOUNDED} for no end. */
  record Repeat(Part part, int least, int greatest) implements Part {
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

  /** What a rule stands for, which may be defined later. */
  record Reference(Grammar.Rule rule) implements Part {}

  /** A text that a regular expression matches. */
  static Part lexeme(Regex regex) {
    return new Lexeme(regex);
  }

  /** A literal text. */
  static Part text(String text) {
    return new Lexeme(Regex.text(text));
  }

  /** One behind the other. */
  static Part sequence(Part... parts) {
    return new Sequence(Arrays.asList(parts));
  }

  /** Any of the parts. */
  static Part choice(Part... parts) {
    return new Choice(Arrays.asList(parts));
  }

  /** This from {@code least} to {@code greatest} times, {@link Regex#UNBOUNDED} for no end. */
  default Part repeat(int least, int greatest) {
    return new Repeat(this, least, greatest);
  }

  /** This or nothing. */
  default Part optional() {
    return repeat(0, 1);
  }

  /** This any number of times, or never. */
  default Part many() {
    return repeat(0, Regex.UNBOUNDED);
  }
}
