package weft.backend;

import java.util.List;
import weft.lir.Bounds;

/**
 * What one run feeds: the rows of all sequences behind each other, each row's token and rope
 * position, and the rows whose outputs are wanted.
 */
public record Step(int[] tokens, int[] positions, int[] wanted, List<Part> parts) {
  /** The rows of one sequence. */
  public record Part(State state, int rows) {
    public Part {
      if (rows < 1) throw new BackendException("a part of a step has at least 1 row, got " + rows);
    }
  }

  public Step {
    parts = List.copyOf(parts);
    long rows = parts.stream().mapToLong(Part::rows).sum();
    if (tokens.length == 0 || tokens.length != rows || positions.length != rows) {
      throw new BackendException(
          "a step of "
              + tokens.length
              + " tokens, "
              + positions.length
              + " positions and "
              + rows
              + " rows of sequences: all must agree and be at least 1");
    }
  }

  public int rows() {
    return tokens.length;
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
