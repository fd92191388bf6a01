package weft.constrain;

import java.util.Arrays;

/**
 * How far a text has come: the lexemes it may be within, with what is to come behind each. There is
 * one object for equal ones, made by {@link Automaton} alone, which remembers in it what follows.
 */
final class State {
  /** What is left of each lexeme, in the order of their numbers. */
  final Residual[] lexemes;

  final Stack[] stacks;

  /** Whether the text may end here. */
  final boolean isEnd;

  /** Bytes between two neighbours of these lead to the same. */
  final ByteSet borders;

  private final int hash;

  /** What follows each byte, as far as it is known. */
  State[] next = NONE_KNOWN;

  static final State[] NONE_KNOWN = {};

  State(Residual[] lexemes, Stack[] stacks, boolean isEnd) {
    this.lexemes = lexemes;
    this.stacks = stacks;
    this.isEnd = isEnd;
    int h = isEnd ? 1 : 0;
    var all = ByteSet.EMPTY;
    for (int i = 0; i < lexemes.length; i++) {
      h = (h * 31 + lexemes[i].id) * 31 + stacks[i].id;
      all = lexemes.length == 1 ? lexemes[i].borders : all.or(lexemes[i].borders);
    }
    this.hash = h;
    this.borders = all;
  }

  /** Whether nothing can come and nothing has ended: no text of the grammar begins so. */
  boolean isDead() {
    return lexemes.length == 0 && !isEnd;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof State s
        && s.hash == hash
        && s.isEnd == isEnd
        && Arrays.equals(s.lexemes, lexemes, (x, y) -> x == y ? 0 : 1)
        && Arrays.equals(s.stacks, stacks, (x, y) -> x == y ? 0 : 1);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
