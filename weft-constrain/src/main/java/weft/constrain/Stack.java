package weft.constrain;

import java.util.Arrays;
import weft.constrain.Production.Frame;

/**
 * What is to come behind a lexeme: a set of stacks of frames, of which those with the same top
 * share one entry, so that many ways to derive a text take little room. There is one object for
 * equal ones, made by {@link Stacks} alone.
 */
final class Stack {
  final Frame[] tops;

  /** What is below each top. */
  final Stack[] below;

  /** Whether one of the stacks is empty: the text may end. */
  final boolean hasEnd;

  final int id;
  private final int hash;

  /** The lexemes that may come, once they are known. */
  Opening opening = Opening.UNKNOWN;

  Stack(Frame[] tops, Stack[] below, boolean hasEnd, int id) {
    this.tops = tops;
    this.below = below;
    this.hasEnd = hasEnd;
    this.id = id;
    int h = hasEnd ? 1 : 0;
    for (int i = 0; i < tops.length; i++) h = (h * 31 + tops[i].hashCode()) * 31 + below[i].id;
    this.hash = h;
  }

  /**
   * The threads that begin behind a lexeme.
   *
   * @param isEnd whether the text may end there
   */
  record Opening(Residual[] lexemes, Stack[] stacks, boolean isEnd) {
    static final Opening UNKNOWN = new Opening(new Residual[0], new Stack[0], false);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Stack s
        && s.hash == hash
        && s.hasEnd == hasEnd
        && Arrays.equals(s.tops, tops)
        && Arrays.equals(s.below, below, (x, y) -> x == y ? 0 : 1);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
