package weft.constrain;

import java.util.Arrays;

/**
 * What is left of a regular expression after some bytes of a text: an expression over bytes. There
 * is one object for equal ones, made by {@link Residuals} alone, so they are compared by identity.
 */
final class Residual {
  enum Kind {
    NOTHING,
    EMPTY,
    /** One byte of a set. */
    BYTES,
    /** The rest of a literal. */
    TEXT,
    /** The first part, then the second. */
    SEQUENCE,
    ANY,
    ALL,
    NOT,
    REPEAT
  }

  static final Residual[] NO_PARTS = {};

  final Kind kind;
  final Residual[] parts;

  /** Of {@code BYTES}; otherwise empty. */
  final ByteSet set;

  /** Of {@code TEXT}; otherwise empty. */
  final byte[] text;

  /** Where in the text the rest begins, or the least count of a repetition. */
  final int least;

  final int greatest;

  /** In the order of making. */
  final int id;

  /** Whether the empty text is matched. */
  final boolean isNullable;

  /** Bytes between two neighbours of these lead to the same. */
  final ByteSet borders;

  /** How deep the search for what follows a byte goes. */
  final int depth;

  /** Whether a search must tell if any text is matched: an intersection may be empty. */
  final boolean isDoubtful;

  private final int hash;

  /** What follows each byte, as far as it is known: for expressions that are not told at once. */
  Residual[] next = NO_PARTS;

  /** What is known of a doubtful one. */
  Life life = Life.UNKNOWN;

  enum Life {
    UNKNOWN,
    ALIVE,
    DEAD
  }

  Residual(Kind kind, Residual[] parts, ByteSet set, byte[] text, int least, int greatest, int id) {
    this.kind = kind;
    this.parts = parts;
    this.set = set;
    this.text = text;
    this.least = least;
    this.greatest = greatest;
    this.id = id;
    this.isNullable = nullable();
    this.borders = borders(kind, parts, set, text, least);
    this.depth = depth();
    this.isDoubtful = doubtful();
    int h = kind.ordinal() * 31 + least * 17 + greatest;
    for (var part : parts) h = h * 31 + part.id;
    this.hash = h * 31 + (kind == Kind.TEXT ? System.identityHashCode(text) : set.hashCode());
  }

  private boolean nullable() {
    return switch (kind) {
      case NOTHING, BYTES, TEXT -> false;
      case EMPTY -> true;
      case SEQUENCE, ALL -> {
        for (var part : parts) if (!part.isNullable) yield false;
        yield true;
      }
      case ANY -> {
        for (var part : parts) if (part.isNullable) yield true;
        yield false;
      }
      case NOT -> !parts[0].isNullable;
      case REPEAT -> least == 0;
    };
  }

  private static ByteSet borders(Kind kind, Residual[] parts, ByteSet set, byte[] text, int least) {
    return switch (kind) {
      case NOTHING, EMPTY -> ByteSet.EMPTY;
      case BYTES -> set.borders();
      case TEXT -> ByteSet.of(text[least] & 0xFF).borders();
      case SEQUENCE ->
          parts[0].isNullable ? parts[0].borders.or(parts[1].borders) : parts[0].borders;
      case NOT, REPEAT -> parts[0].borders;
      case ANY, ALL -> {
        var all = ByteSet.EMPTY;
        for (var part : parts) all = all.or(part.borders);
        yield all;
      }
    };
  }

  private int depth() {
    return switch (kind) {
      case NOTHING, EMPTY, BYTES, TEXT -> 1;
      case SEQUENCE ->
          1 + (parts[0].isNullable ? Math.max(parts[0].depth, parts[1].depth) : parts[0].depth);
      case ANY, ALL, NOT, REPEAT -> {
        int deepest = 0;
        for (var part : parts) deepest = Math.max(deepest, part.depth);
        yield 1 + deepest;
      }
    };
  }

  private boolean doubtful() {
    if (kind == Kind.ALL || kind == Kind.NOT) return true;
    for (var part : parts) if (part.isDoubtful) return true;
    return false;
  }

  /** Equal when made of the same parts, which there are once each. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Residual r
        && r.hash == hash
        && r.kind == kind
        && r.least == least
        && r.greatest == greatest
        && r.text == text
        && r.set.equals(set)
        && Arrays.equals(r.parts, parts, (x, y) -> x == y ? 0 : 1);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
