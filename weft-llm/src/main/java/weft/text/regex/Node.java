package weft.text.regex;

import java.util.List;
import weft.unicode.CodePointSet;

/** The syntax tree of a pattern. */
sealed interface Node {
  /** No upper bound on a repetition. */
  int UNLIMITED = Integer.MAX_VALUE;

  /** Matches one code point of a set. */
  record One(CodePointSet set) implements Node {}

  /** Matches its parts one after the other; without parts, the empty string. */
  record Sequence(List<Node> parts) implements Node {}

  /** Matches the first of its options that leads to a match. */
  record Choice(List<Node> options) implements Node {}

  /** Matches its body between {@code min} and {@code max} times. */
  record Repeat(Node body, int min, int max, Greed greed) implements Node {}

  /** Matches nothing itself, and holds where its body matches (or does not) ahead or behind. */
  record Look(Node body, Direction direction, Sense sense) implements Node {}

  /** Matches its body and never reconsiders how. */
  record Atomic(Node body) implements Node {}

  /** Matches the empty string at certain places. */
  record Anchor(Place place) implements Node {}

  enum Greed {
    GREEDY,
    LAZY,
    POSSESSIVE
  }

  enum Direction {
    AHEAD,
    BEHIND
  }

  enum Sense {
    POSITIVE,
    NEGATIVE
  }

  enum Place {
    TEXT_START,
    TEXT_END,
    TEXT_END_OR_FINAL_NEWLINE,
    LINE_START,
    LINE_END,
    WORD_BOUNDARY,
    NO_WORD_BOUNDARY
  }

  /** The fewest code points a match of this node spans. */
  default int minLength() {
    return switch (this) {
      case One one -> 1;
      case Sequence(var parts) ->
          parts.stream().mapToInt(Node::minLength).reduce(0, Node::saturatingSum);
      case Choice(var options) -> options.stream().mapToInt(Node::minLength).min().orElse(0);
      case Repeat repeat -> saturatingProduct(repeat.body.minLength(), repeat.min);
      case Atomic(var body) -> body.minLength();
      case Look look -> 0;
      case Anchor anchor -> 0;
    };
  }

  /** The most code points a match of this node spans, or {@link #UNLIMITED}. */
  default int maxLength() {
    return switch (this) {
      case One one -> 1;
      case Sequence(var parts) ->
          parts.stream().mapToInt(Node::maxLength).reduce(0, Node::saturatingSum);
      case Choice(var options) -> options.stream().mapToInt(Node::maxLength).max().orElse(0);
      case Repeat repeat -> saturatingProduct(repeat.body.maxLength(), repeat.max);
      case Atomic(var body) -> body.maxLength();
      case Look look -> 0;
      case Anchor anchor -> 0;
    };
  }

  /** How many nodes lie inside each other. */
  default int height() {
    return switch (this) {
      case One one -> 1;
      case Sequence(var parts) -> 1 + parts.stream().mapToInt(Node::height).max().orElse(0);
      case Choice(var options) -> 1 + options.stream().mapToInt(Node::height).max().orElse(0);
      case Repeat repeat -> 1 + repeat.body.height();
      case Atomic(var body) -> 1 + body.height();
      case Look look -> 1 + look.body.height();
      case Anchor anchor -> 1;
    };
  }

  private static int saturatingSum(int a, int b) {
    return (int) Math.min(UNLIMITED, (long) a + b);
  }

  private static int saturatingProduct(int a, int b) {
    return (int) Math.min(UNLIMITED, (long) a * b);
  }
}
