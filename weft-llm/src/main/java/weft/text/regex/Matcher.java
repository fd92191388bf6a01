package weft.text.regex;

import java.util.Arrays;
import weft.text.regex.Node.Place;
import weft.unicode.CodePointSet;
import weft.unicode.WordCharacters;

/**
 * Runs a {@link Program} over one piece of text by backtracking on its own stack, never on Java's.
 * Where the search turns out costly it starts to remember {@link Outcomes}, after which each place
 * is tried at most once and the text takes time linear in its length; what is costly even so
 * (look-behinds without end in sight, thousands of counted repetitions) ends with its {@link
 * Effort}.
 */
final class Matcher {
  private static final Place[] PLACES = Place.values();

  /** Ints of a stack frame: address, position, and the lowest position a run may shrink to. */
  private static final int FRAME = 3;

  private static final int NO_RUN = -1;

  /** Turns are counted apart while the way goes straight on, which takes no field. */
  private static final int TURNS_A_LOOK = 1024;

  private static final int MAX_STACK = 1 << 25;

  /** Real patterns take at most 36 on the texts that suit them least. */
  private static final long FAIR_STEPS_A_CHARACTER = 40;

  private final int[] code;
  private final CodePointSet[] sets;
  private final CodePointSet first;
  private final int branches;
  private final char[] text;
  private final int from;
  private final int to;
  private final Effort effort;

  private int[] stack = new int[16 * FRAME];
  private int top;

  /** Every turn of every loop in here counts. */
  private long steps;

  /** When to look again whether the search is still worth it. */
  private long patience;

  private int matchStart;
  private int behindEnd;
  private int behindDepth;

  private Outcomes outcomes = Outcomes.NONE;
  private boolean isCareful;

  Matcher(Program program, char[] text, int from, int to, Effort effort) {
    this(program, text, from, to, effort, FAIR_STEPS_A_CHARACTER * (to - from) + 10_000);
  }

  /**
   * @param patience how many steps to go before outcomes are remembered
   */
  Matcher(Program program, char[] text, int from, int to, Effort effort, long patience) {
    this.code = program.code;
    this.sets = program.sets;
    this.first = program.first;
    this.branches = program.branches;
    this.text = text;
    this.from = from;
    this.to = to;
    this.effort = effort;
    this.patience = Math.min(patience, effort.left());
  }

  /** Every step that has been taken. */
  long steps() {
    return steps;
  }

  /**
   * The end of the first match at or after a position, or -1; its start is {@link #matchStart()}.
   */
  int find(int position) {
    boolean anywhere = first == CodePointSet.ALL;
    for (int at = position; at < to; at += width(at)) {
      if (anywhere || first.contains(codePoint(at))) {
        int end = run(0, at, false);
        if (end >= 0) {
          steps += at - position;
          matchStart = at;
          return end;
        }
      }
    }
    steps += to - position;
    matchStart = to;
    return anywhere ? run(0, to, false) : -1;
  }

  int matchStart() {
    return matchStart;
  }

  /**
   * Runs from an address to its MATCH: the end of the match, or -1.
   *
   * @param nested whether the outcome is that of a look-ahead or an atomic group, whatever was
   *     matched before
   */
  private int run(int entry, int position, boolean nested) {
    int base = top;
    int pc = entry;
    int at = position;
    int turns = 0;
    while (true) {
      if (++turns >= TURNS_A_LOOK) {
        turns = count(turns);
      }
      boolean alive;
      switch (code[pc]) {
        case Program.MATCH -> {
          count(turns);
          leave(base, nested, at);
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
          } else {
            int known = isCareful ? recall(code[pc + 4], at, nested) : Outcomes.UNKNOWN;
            if (known >= 0) {
              count(turns);
              leave(base, nested, known);
              return known;
            }
            alive = known == Outcomes.UNKNOWN;
            if (alive) {
              if (isCareful) {
                mark(code[pc + 4], at, at);
              }
              push(code[pc + 2], at, NO_RUN);
              pc = code[pc + 1];
            }
          }
        }
        case Program.RUN -> {
          int branch = code[pc + 5];
          int known = isCareful ? recall(branch, at, nested) : Outcomes.UNKNOWN;
          if (known >= 0) {
            count(turns);
            leave(base, nested, known);
            return known;
          }
          int lowest = known == Outcomes.FAILURE ? -1 : skip(sets[code[pc + 1]], at, code[pc + 2]);
          alive = lowest >= 0;
          if (!alive) {
            turns += ~lowest;
          } else {
            int end = longest(pc, at, lowest);
            turns += end - at;
            if (isCareful) {
              mark(branch, at, code[pc + 3] == Node.UNLIMITED ? end : at);
            }
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
          int end = run(pc + 2, at, true);
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
        turns = count(turns);
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
      int frame = top - FRAME;
      int pc = stack[frame];
      int at = stack[frame + 1];
      int limit = stack[frame + 2];
      if (pc < 0) {
        top = frame;
        steps += limit - at + 1;
        outcomes.fail(~pc, at, limit);
      } else if (limit == NO_RUN) {
        top = frame;
        return frame;
      } else {
        at -= widthBefore(at);
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
      start -= widthBefore(start);
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

  /** The position after exactly so many code points of a set, or how many there are, inverted. */
  private int skip(CodePointSet set, int position, int count) {
    int at = position;
    for (int i = 0; i < count; i++) {
      if (at == to || !set.contains(codePoint(at))) {
        return ~i;
      }
      at += width(at);
    }
    return at;
  }

  /**
   * The furthest position worth trying for the run at an address that starts somewhere and reaches
   * at least the lowest one.
   */
  private int longest(int pc, int start, int lowest) {
    CodePointSet set = sets[code[pc + 1]];
    boolean unlimited = code[pc + 3] == Node.UNLIMITED;
    int left = unlimited ? Node.UNLIMITED : code[pc + 3] - code[pc + 2];
    boolean informed = remembers() && unlimited && code[pc + 4] == 0;
    int laterStart = start;
    int at = lowest;
    while (left > 0 && at < to && set.contains(codePoint(at))) {
      if (informed) {
        // Where the same run has failed from a later start, no later end can succeed either.
        laterStart += width(laterStart);
        if (outcomes.isFailure(code[pc + 5], laterStart)) {
          break;
        }
      }
      at += width(at);
      left--;
    }
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

  /** As {@link #width} has it of the code point that ends here: half a pair counts by itself. */
  private int widthBefore(int at) {
    return Character.isLowSurrogate(text[at - 1])
            && at - 1 > from
            && Character.isHighSurrogate(text[at - 2])
        ? 2
        : 1;
  }

  private void push(int pc, int at, int limit) {
    if (top + FRAME > stack.length) {
      if (stack.length >= MAX_STACK) {
        throw effort.exhausted();
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
    if (remembers()) {
      push(~branch, at, last);
    }
  }

  /** Whether outcomes are kept; inside a look-behind they depend on where it was asked from. */
  private boolean remembers() {
    return isCareful && behindDepth == 0;
  }

  private int count(int turns) {
    steps += turns;
    if (steps > patience) {
      reconsider();
    }
    return 0;
  }

  private void reconsider() {
    if (steps > effort.left()) {
      throw effort.exhausted();
    }
    patience = effort.left();
    outcomes = Outcomes.of(branches, from, to);
    isCareful = outcomes != Outcomes.NONE;
    steps += outcomes.words();
  }

  /** What is known of a branch at a position. */
  private int recall(int branch, int at, boolean nested) {
    if (!remembers()) {
      return Outcomes.UNKNOWN;
    }
    if (outcomes.isFailure(branch, at)) {
      return Outcomes.FAILURE;
    }
    return nested ? outcomes.end(branch, at) : Outcomes.UNKNOWN;
  }

  /** Drops the frames of a run that has ended well, and remembers where it came by. */
  private void leave(int base, boolean nested, int end) {
    if (nested && isCareful && behindDepth == 0) {
      for (int frame = base; frame < top; frame += FRAME) {
        if (stack[frame] < 0) {
          steps += outcomes.succeed(~stack[frame], stack[frame + 1], end);
        }
      }
    }
    top = base;
  }
}
