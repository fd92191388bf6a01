package weft.backend;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weft.ir.Dim;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Operand;

/**
 * What one run feeds: the rows of all sequences behind each other, each row's token and rope
 * position, the rows whose outputs are wanted, and rows of numbers beside the tokens, such as the
 * features of an image, by the name of the program's input.
 *
 * @param positions one a row, or several sections of them, a row's behind each other
 */
public record Step(
    int[] tokens, int[] positions, int[] wanted, List<Part> parts, Map<String, Rows> inputs) {
  /**
   * Where rows come from, which is all that kernels may choose by where bits would differ: how many
   * rows a step has, and of whom, depends on who else is served.
   */
  public enum Origin {
    /** Tokens of replies and drafts, a few at a time. */
    WRITTEN,
    /** Tokens of a prompt, in cuts of any size. */
    READ,
    /** Patches of a picture: a tower's step has all of one, and nothing else. */
    SEEN
  }

  /**
   * The rows of one sequence.
   *
   * @param tentative how many of them, the last, are a draft: a rewind can stop before each
   * @param blocks of rows that see each other in order, those behind and those before that a window
   *     has passed, too
   */
  public record Part(State state, int rows, int tentative, List<Block> blocks, Origin origin) {
    public Part {
      blocks = List.copyOf(blocks);
      if (rows < 1) throw new BackendException("a part of a step has at least 1 row, got " + rows);
      if (tentative < 0 || tentative > rows) {
        throw new BackendException(
            "a part of " + rows + " rows has that many tentative ones at most, got " + tentative);
      }
      int end = 0;
      for (var block : blocks) {
        if (block.from < end || block.to > rows) {
          throw new BackendException(
              "a part of %d rows has blocks in order and apart, got %s".formatted(rows, blocks));
        }
        end = block.to;
      }
    }

    /** Rows that were read. */
    public Part(State state, int rows, int tentative) {
      this(state, rows, tentative, List.of(), Origin.READ);
    }

    public Part(State state, int rows) {
      this(state, rows, 0);
    }

    /** The first of the part's rows that a row sees whatever its window: itself, or its block's. */
    public int first(int row) {
      for (var block : blocks) if (row >= block.from && row < block.to) return block.from;
      return row;
    }

    /** The last of the part's rows that a row sees: itself, or its block's last. */
    public int last(int row) {
      for (var block : blocks) if (row >= block.from && row < block.to) return block.to - 1;
      return row;
    }
  }

  /** Rows of a part from one up to another, such as those of a picture. */
  public record Block(int from, int to) {
    public Block {
      if (from < 0 || to <= from) {
        throw new BackendException("a block has at least 1 row, got %d to %d".formatted(from, to));
      }
    }
  }

  /** Rows of numbers, one behind the other. */
  public record Rows(int width, float[] values) {}

  public Step {
    parts = List.copyOf(parts);
    inputs = Map.copyOf(inputs);
    long rows = 0;
    for (var part : parts) rows += part.rows;
    boolean hasSections = positions.length >= rows && positions.length % Math.max(1, rows) == 0;
    if (tokens.length == 0 || tokens.length != rows || !hasSections) {
      throw new BackendException(
          "a step of "
              + tokens.length
              + " tokens, "
              + positions.length
              + " positions and "
              + rows
              + " rows of sequences: all must agree and be at least 1");
    }
    long all = rows;
    inputs.forEach(
        (name, given) -> {
          if (given.width < 1 || given.values.length != all * given.width) {
            throw new BackendException(
                "input %s has %d numbers in rows of %d, but the step has %d rows"
                    .formatted(name, given.values.length, given.width, all));
          }
        });
  }

  /** A step of tokens alone. */
  public Step(int[] tokens, int[] positions, int[] wanted, List<Part> parts) {
    this(tokens, positions, wanted, parts, Map.of());
  }

  /** The same step with rows of numbers beside its tokens. */
  public Step withInput(String name, Rows rows) {
    var all = new TreeMap<>(inputs);
    all.put(name, rows);
    return new Step(tokens, positions, wanted, parts, all);
  }

  public int rows() {
    return tokens.length;
  }

  /** How many of the rows, the first, were written: whoever makes a step puts those first. */
  public int written() {
    int rows = 0;
    for (var part : parts) {
      if (part.origin != Origin.WRITTEN) break;
      rows += part.rows;
    }
    return rows;
  }

  /** Whether the rows are those of a picture. */
  public boolean isSeen() {
    return parts.stream().allMatch(part -> part.origin == Origin.SEEN);
  }

  /** How many of a value's rows, the first, were written. */
  public int written(Type type) {
    int rows = written();
    if (!type.dim(0).equals(Bounds.WANTED)) return Math.min(rows, rows(type));
    return (int) Arrays.stream(wanted).filter(row -> row < rows).count();
  }

  /** How many positions each row has. */
  public int sections() {
    return positions.length / tokens.length;
  }

  /** How many rows of a value this step has: its first axis, when that is symbolic. */
  public int rows(Type type) {
    return switch (type.dim(0)) {
      case Dim.Fixed(int size) -> size;
      case Dim d when d.equals(Bounds.TOKENS) -> tokens.length;
      case Dim d when d.equals(Bounds.WANTED) -> wanted.length;
      case Dim.Sym(String name) -> throw new BackendException("axis " + name + " is not bound");
    };
  }

  /** The list behind an operand. */
  public int[] integers(Operand.Input input) {
    return switch (input.name()) {
      case "tokens" -> tokens;
      case "positions" -> positions;
      case "wanted" -> wanted;
      default ->
          throw new BackendException(
              "a step has tokens, positions and wanted rows, but no list " + input.name());
    };
  }

  /** The smallest program bounds that can run this step. */
  public Bounds bounds() {
    long context = 0;
    for (var part : parts) context = Math.max(context, (long) part.state.position() + part.rows);
    if (context > Integer.MAX_VALUE || wanted.length > tokens.length) {
      throw new BackendException(
          "a step of "
              + tokens.length
              + " tokens reaches position "
              + context
              + " and wants "
              + wanted.length
              + " rows, expected positions below 2^31 and no more rows than tokens");
    }
    return new Bounds(tokens.length, Math.max(1, wanted.length));
  }
}
