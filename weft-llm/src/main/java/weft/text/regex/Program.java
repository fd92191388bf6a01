package weft.text.regex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import weft.text.TextException;
import weft.text.regex.Node.Direction;
import weft.text.regex.Node.Greed;
import weft.text.regex.Node.Sense;
import weft.unicode.CodePointSet;

/**
 * A pattern as code for {@link Matcher}: an instruction is an operation and its operands in one
 * flat array, and the bodies of look-arounds and atomic groups are programs of their own inside it,
 * each ending with {@link #MATCH}.
 */
final class Program {
  /** The (sub)program has matched. */
  static final int MATCH = 0;

  /** {@code set}: one code point of the set. */
  static final int ONE = 1;

  /**
   * {@code set, min, max, possessive, branch}: a run of code points of the set, as long as possible
   * first.
   */
  static final int RUN = 2;

  /**
   * {@code first, second, set, branch}: try one way and then the other; the set (or -1) is what the
   * first can start with.
   */
  static final int SPLIT = 3;

  /** {@code target}. */
  static final int JUMP = 4;

  /** {@code next, negative}: the body follows the operands. */
  static final int LOOK_AHEAD = 5;

  /**
   * {@code next, negative, min, max}: the body follows the operands and must end where it was asked
   * from.
   */
  static final int LOOK_BEHIND = 6;

  /** Holds where the look-behind was asked from. */
  static final int BEHIND_END = 7;

  /** {@code next}: the body follows the operand. */
  static final int ATOMIC = 8;

  /** {@code place}: the ordinal of a {@link Node.Place}. */
  static final int ANCHOR = 9;

  private static final int MAX_CODE = 100_000;
  private static final int MAX_LOOK_BEHIND = 255;

  final int[] code;
  final CodePointSet[] sets;

  /** How many instructions can be the place of a remembered failure. */
  final int branches;

  /** What a match can start with; everything where the pattern can match the empty string. */
  final CodePointSet first;

  private Program(int[] code, CodePointSet[] sets, int branches, CodePointSet first) {
    this.code = code;
    this.sets = sets;
    this.branches = branches;
    this.first = first;
  }

  static Program of(Node node) {
    var compiler = new Compiler();
    compiler.emit(node);
    compiler.append(MATCH);
    return new Program(
        Arrays.copyOf(compiler.code, compiler.size),
        compiler.sets.toArray(CodePointSet[]::new),
        compiler.branches,
        node.minLength() == 0 ? CodePointSet.ALL : compiler.first(node));
  }

  /** Emits code for a tree. */
  private static final class Compiler {
    private int[] code = new int[64];
    private int size;
    private int branches;
    private final List<CodePointSet> sets = new ArrayList<>();
    private final Map<CodePointSet, Integer> indexes = new HashMap<>();

    /** A body that is repeated is compiled several times, and looked into by all around it. */
    private final Map<Node, CodePointSet> firsts = new IdentityHashMap<>();

    private final Map<Node, Integer> starts = new IdentityHashMap<>();

    /** How many look-aheads and atomic groups are around what is emitted. */
    private int nesting;

    private void emit(Node node) {
      switch (node) {
        case Node.One(var set) -> append(ONE, index(set));
        case Node.Sequence(var parts) -> parts.forEach(this::emit);
        case Node.Choice(var options) -> choice(options);
        case Node.Repeat repeat -> repeat(repeat);
        case Node.Look look -> look(look);
        case Node.Atomic(var body) -> atomic(body);
        case Node.Anchor(var place) -> append(ANCHOR, place.ordinal());
      }
    }

    private void choice(List<Node> options) {
      var jumps = new ArrayList<Integer>();
      for (Node option : options.subList(0, options.size() - 1)) {
        int split = split(option);
        emit(option);
        append(JUMP, 0);
        jumps.add(size - 1);
        code[split + 2] = size;
      }
      emit(options.getLast());
      jumps.forEach(jump -> code[jump] = size);
    }

    /** A split whose first way is the code that follows; the second way is to be filled in. */
    private int split(Node body) {
      int at = size;
      append(SPLIT, size + 5, 0, start(body), branches++);
      return at;
    }

    /** The set that a node's matches start with, or -1 where one may be empty. */
    private int start(Node node) {
      Integer known = starts.get(node);
      if (known != null) return known;
      int start = node.minLength() == 0 ? -1 : index(first(node));
      starts.put(node, start);
      return start;
    }

    /** A superset of the code points that a non-empty match of a node can start with. */
    private CodePointSet first(Node node) {
      CodePointSet known = firsts.get(node);
      if (known != null) return known;
      CodePointSet first =
          switch (node) {
            case Node.One(var set) -> set;
            case Node.Sequence(var parts) -> firstOfSequence(parts);
            case Node.Choice(var options) -> union(options);
            case Node.Repeat repeat -> first(repeat.body());
            case Node.Atomic(var body) -> first(body);
            case Node.Look look -> CodePointSet.EMPTY;
            case Node.Anchor anchor -> CodePointSet.EMPTY;
          };
      firsts.put(node, first);
      return first;
    }

    private CodePointSet firstOfSequence(List<Node> parts) {
      int last = 0;
      while (last < parts.size() - 1 && parts.get(last).minLength() == 0) last++;
      return parts.isEmpty() ? CodePointSet.EMPTY : union(parts.subList(0, last + 1));
    }

    private CodePointSet union(List<Node> nodes) {
      CodePointSet set = CodePointSet.EMPTY;
      for (Node node : nodes) set = set.union(first(node));
      return set;
    }

    private void repeat(Node.Repeat repeat) {
      // Where an end can be remembered, a loop has more places to remember it at than a run has.
      boolean runs = nesting == 0 || repeat.max() != Node.UNLIMITED;
      if (runs && repeat.body() instanceof Node.One(var set) && repeat.greed() != Greed.LAZY) {
        int possessive = repeat.greed() == Greed.POSSESSIVE ? 1 : 0;
        append(RUN, index(set), repeat.min(), repeat.max(), possessive, branches++);
        return;
      }
      if (repeat.greed() == Greed.POSSESSIVE) {
        atomic(new Node.Repeat(repeat.body(), repeat.min(), repeat.max(), Greed.GREEDY));
        return;
      }
      for (int i = 0; i < repeat.min(); i++) {
        emit(repeat.body());
      }
      if (repeat.max() == Node.UNLIMITED) {
        int loop = choose(repeat);
        append(JUMP, loop);
        leave(loop, repeat.greed());
      } else {
        var choices = new ArrayList<Integer>();
        for (int i = repeat.min(); i < repeat.max(); i++) {
          choices.add(choose(repeat));
        }
        choices.forEach(choice -> leave(choice, repeat.greed()));
      }
    }

    /** One optional round of a loop, and the address of its split. */
    private int choose(Node.Repeat repeat) {
      int at = split(repeat.body());
      if (repeat.greed() == Greed.LAZY) {
        code[at + 2] = code[at + 1];
        code[at + 3] = -1;
      }
      emit(repeat.body());
      return at;
    }

    private void leave(int split, Greed greed) {
      code[split + (greed == Greed.LAZY ? 1 : 2)] = size;
    }

    private void look(Node.Look look) {
      int at = size;
      int negative = look.sense() == Sense.NEGATIVE ? 1 : 0;
      if (look.direction() == Direction.AHEAD) {
        append(LOOK_AHEAD, 0, negative);
        nested(look.body());
      } else {
        int longest = look.body().maxLength();
        if (longest > MAX_LOOK_BEHIND) {
          throw new TextException(
              "a tokenizer's pattern looks behind further than "
                  + MAX_LOOK_BEHIND
                  + " characters, which weft cannot match");
        }
        append(LOOK_BEHIND, 0, negative, look.body().minLength(), longest);
        emit(look.body());
        append(BEHIND_END);
      }
      append(MATCH);
      code[at + 1] = size;
    }

    private void atomic(Node body) {
      int at = size;
      append(ATOMIC, 0);
      nested(body);
      append(MATCH);
      code[at + 1] = size;
    }

    private void nested(Node body) {
      nesting++;
      emit(body);
      nesting--;
    }

    private int index(CodePointSet set) {
      return indexes.computeIfAbsent(
          set,
          key -> {
            sets.add(key);
            return sets.size() - 1;
          });
    }

    private void append(int... values) {
      if (size + values.length > MAX_CODE) {
        throw new TextException(
            "a tokenizer's pattern repeats too much: it needs more than "
                + MAX_CODE
                + " words of code");
      }
      if (size + values.length > code.length) {
        code = Arrays.copyOf(code, 2 * code.length + values.length);
      }
      System.arraycopy(values, 0, code, size, values.length);
      size += values.length;
    }
  }
}
