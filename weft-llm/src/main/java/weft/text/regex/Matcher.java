package weft.text.regex;

import java.util.Arrays;
import weft.text.TextException;
import weft.text.regex.Node.Place;

/**
 * Runs a {@link Program} over one piece of text by backtracking on its own stack, never on Java's.
 * Where the search turns out costly it starts to remember which places have failed, after which
 * each is tried at most once: the whole text takes time linear in its length.
 */
final class Matcher {
  private static final Place[] PLACES = Place.values();

  /** Ints of a stack frame: address, position, and the lowest position a run may shrink to. */
  private static final int FRAME = 3;

  private static final int NO_RUN = -1;
  private static final int MAX_STACK = 1 << 28;
  private static final long MAX_MEMORY_BITS = 1L << 30;
  private static final int HOPELESS = 20;

  private final int[] code;
  private final CodePointSet[] sets;
  private final CodePointSet first;
  private final int branches;
  private final char[] text;
  private final int from;
  private final int to;
  private final long patience;

  private int[] stack = new int[16 * FRAME];
  private int top;
  private long steps;
  private int matchStart;
  private int behindEnd;
  private int behindDepth;

  /**
   * Places known to fail, and places known to succeed inside a look-ahead; a bit for each branch
   * and position.
   */
  private long[] failed = {};

  private long[] succeeded = {};

  Matcher(Program program, char[] text, int from, int to) {
    this(program, text, from, to, fairSteps(from, to));
  }

  /**
   * @param patience how many steps to go before failures are remembered
   */
  Matcher(Program program, char[] text, int from, int to, long patience) {
    this.code = program.code;
    this.sets = program.sets;
    this.first = program.first;
    this.branches = program.branches;
    this.text = text;
    this.from = from;
    this.to = to;
    this.patience = patience;
  }

  /** What a search takes that does not go astray. */
  private static long fairSteps(int from, int to) {
    return 64L * (to - from) + 10_000;
  }

  /**
   * The end of the first match at or after a position, or -1; its start is {@link #matchStart()}.
   */
  int find(int position) {
    boolean anywhere = first == CodePointSet.ALL;
    for (int at = position; at < to; at += width(at)) {
      if (anywhere || first.contains(codePoint(at))) {
        steps++;
        int end = run(0, at, false);
        if (end >= 0) {
          matchStart = at;
          return end;
        }
      }
    }
    matchStart = to;
    return anywhere ? run(0, to, false) : -1;
  }

  int matchStart() {
    return matchStart;
  }

  /** Runs from an address to its MATCH: the end of the match, or -1. */
  private int run(int entry, int position, boolean looking) {
    int base = top;
    int pc = entry;
    int at = position;
    while (true) {
      boolean alive;
      switch (code[pc]) {
        case Program.MATCH -> {
          leave(base, looking);
          return at;
        }
        case Program.ONE -> {
          alive = at < to && sets[code[pc + 1]].contains(codePoint(at));
          if (alive) {
            at += width(at);
            pc += 2;
          }
        }
        case Program.JUMP -> {
          alive = true;
          pc = code[pc + 1];
        }
        case Program.SPLIT -> {
          alive = true;
          int start = code[pc + 3];
          if (start >= 0 && (at == to || !sets[start].contains(codePoint(at)))) {
            pc = code[pc + 2];
          } else if (knowsFailure(code[pc + 4], at)) {
            alive = false;
          } else if (looking && knowsSuccess(code[pc + 4], at)) {
            leave(base, looking);
            return at;
          } else {
            countStep();
            mark(code[pc + 4], at, at);
            push(code[pc + 2], at, NO_RUN);
            pc = code[pc + 1];
          }
        }
        case Program.RUN -> {
          int branch = code[pc + 5];
          if (looking && knowsSuccess(branch, at)) {
            leave(base, looking);
            return at;
          }
          int lowest = knowsFailure(branch, at) ? -1 : skip(sets[code[pc + 1]], at, code[pc + 2]);
          alive = lowest >= 0;
          if (alive) {
            int end = longest(pc, lowest);
            mark(branch, at, code[pc + 3] == Node.UNLIMITED ? end : at);
            if (end > lowest && code[pc + 4] == 0) {
              push(pc + 6, end, lowest);
            }
            at = end;
            pc += 6;
          }
        }
        case Program.LOOK_AHEAD -> {
          alive = run(pc + 3, at, true) >= 0 == (code[pc + 2] == 0);
          pc = code[pc + 1];
        }
        case Program.LOOK_BEHIND -> {
          alive = matchesBehind(pc, at) == (code[pc + 2] == 0);
          pc = code[pc + 1];
        }
        case Program.BEHIND_END -> {
          alive = at == behindEnd;
          pc++;
        }
        case Program.ATOMIC -> {
          int end = run(pc + 2, at, false);
          alive = end >= 0;
          at = end;
          pc = code[pc + 1];
        }
        case Program.ANCHOR -> {
          alive = holds(PLACES[code[pc + 1]], at);
          pc += 2;
        }
        default -> throw new IllegalStateException("no operation " + code[pc]);
      }
      if (!alive) {
        int frame = retreat(base);
        if (frame < 0) {
          return -1;
        }
        pc = stack[frame];
        at = stack[frame + 1];
      }
    }
  }

  /**
   * Takes the next untried way from the stack: the index of its frame, or -1 where none is left
   * above the base.
   */
  private int retreat(int base) {
    while (top > base) {
      countStep();
      int frame = top - FRAME;
      int pc = stack[frame];
      int at = stack[frame + 1];
      int limit = stack[frame + 2];
      if (pc < 0) {
        top = frame;
        rememberFailure(~pc, at, limit);
      } else if (limit == NO_RUN) {
        top = frame;
        return frame;
      } else {
        at -= Character.isLowSurrogate(text[at - 1]) ? 2 : 1;
        stack[frame + 1] = at;
        if (at == limit) {
          top = frame;
        }
        return frame;
      }
    }
    return -1;
  }

  private boolean matchesBehind(int pc, int at) {
    int outer = behindEnd;
    behindEnd = at;
    behindDepth++;
    boolean found = false;
    int start = at;
    for (int length = 0; length <= code[pc + 4] && !found; length++) {
      found = length >= code[pc + 3] && run(pc + 5, start, false) >= 0;
      if (start == from) {
        break;
      }
      start -= Character.isLowSurrogate(text[start - 1]) ? 2 : 1;
    }
    behindDepth--;
    behindEnd = outer;
    return found;
  }

  private boolean holds(Place place, int at) {
    return switch (place) {
      case TEXT_START -> at == from;
      case TEXT_END -> at == to;
      case TEXT_END_OR_FINAL_NEWLINE -> at == to || (at == to - 1 && text[at] == '\n');
      case LINE_START -> at == from || (text[at - 1] == '\n' && at < to);
      case LINE_END -> at == to || text[at] == '\n';
      case WORD_BOUNDARY -> isWordBefore(at) != isWordAt(at);
      case NO_WORD_BOUNDARY -> isWordBefore(at) == isWordAt(at);
    };
  }

  private boolean isWordAt(int at) {
    return at < to && WordCharacters.WORD.contains(codePoint(at));
  }

  private boolean isWordBefore(int at) {
    return at > from && WordCharacters.WORD.contains(Character.codePointBefore(text, at, from));
  }

  /** The position after exactly so many code points of a set, or -1. */
  private int skip(CodePointSet set, int position, int count) {
    int at = position;
    for (int i = 0; i < count; i++) {
      if (at == to || !set.contains(codePoint(at))) {
        return -1;
      }
      at += width(at);
    }
    return at;
  }

  /** The furthest position worth trying for the run at an address, from the lowest one on. */
  private int longest(int pc, int lowest) {
    CodePointSet set = sets[code[pc + 1]];
    int min = code[pc + 2];
    boolean unlimited = code[pc + 3] == Node.UNLIMITED;
    int left = unlimited ? Node.UNLIMITED : code[pc + 3] - min;
    boolean informed = failed.length > 0 && unlimited && min <= 1 && code[pc + 4] == 0;
    int at = lowest;
    while (left > 0 && at < to && set.contains(codePoint(at))) {
      int next = at + width(at);
      // Where the same run has failed from a later start, no later end can succeed either.
      if (informed && knowsFailure(code[pc + 5], min == 0 ? next : at)) {
        break;
      }
      at = next;
      left--;
    }
    steps += at - lowest;
    return at;
  }

  private int codePoint(int at) {
    char c = text[at];
    return Character.isSurrogate(c) ? Character.codePointAt(text, at, to) : c;
  }

  private int width(int at) {
    return Character.isHighSurrogate(text[at])
            && at + 1 < to
            && Character.isLowSurrogate(text[at + 1])
        ? 2
        : 1;
  }

  private void push(int pc, int at, int limit) {
    if (top + FRAME > stack.length) {
      if (stack.length >= MAX_STACK) {
        throw tooCostly();
      }
      stack = Arrays.copyOf(stack, 2 * stack.length);
    }
    stack[top] = pc;
    stack[top + 1] = at;
    stack[top + 2] = limit;
    top += FRAME;
  }

  /**
   * Leaves a note on the stack: when it comes up again, the branch has failed at these positions.
   */
  private void mark(int branch, int at, int last) {
    if (failed.length > 0 && behindDepth == 0) {
      push(~branch, at, last);
    }
  }

  private void countStep() {
    if (++steps > patience) {
      becomeCareful();
    }
  }

  private void becomeCareful() {
    long bits = (long) branches * (to - from + 1);
    if (steps > HOPELESS * fairSteps(from, to) || bits > MAX_MEMORY_BITS) {
      throw tooCostly();
    }
    if (failed.length == 0) {
      int words = Math.toIntExact((bits >>> 6) + 1);
      failed = new long[words];
      succeeded = new long[words];
    }
  }

  private boolean knowsFailure(int branch, int at) {
    return failed.length > 0 && behindDepth == 0 && isSet(failed, branch, at);
  }

  private boolean knowsSuccess(int branch, int at) {
    return failed.length > 0 && behindDepth == 0 && isSet(succeeded, branch, at);
  }

  private void rememberFailure(int branch, int at, int last) {
    for (int i = at; i <= last; i++) {
      set(failed, branch, i);
    }
  }

  /**
   * Drops the frames of a run that has succeeded, and remembers where a look-ahead went on its way.
   */
  private void leave(int base, boolean looking) {
    if (looking && failed.length > 0 && behindDepth == 0) {
      for (int frame = base; frame < top; frame += FRAME) {
        if (stack[frame] < 0) {
          set(succeeded, ~stack[frame], stack[frame + 1]);
        }
      }
    }
    top = base;
  }

  private boolean isSet(long[] bits, int branch, int at) {
    long bit = (long) branch * (to - from + 1) + (at - from);
    return (bits[(int) (bit >>> 6)] >>> bit & 1) != 0;
  }

  private void set(long[] bits, int branch, int at) {
    long bit = (long) branch * (to - from + 1) + (at - from);
    bits[(int) (bit >>> 6)] |= 1L << bit;
  }

  private TextException tooCostly() {
    return new TextException(
        "a tokenizer's pattern needs too much time or memory on a text of "
            + (to - from)
            + " characters; encode it in smaller parts");
  }
}
