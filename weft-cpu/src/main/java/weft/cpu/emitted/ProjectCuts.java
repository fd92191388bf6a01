package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import weft.backend.Weights;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.product.FinishArguments;

/**
 * How the outputs of a projection are cut among workers and in time. The products of many rows are
 * finished piece by piece, while they are in the workers' second-level caches. All pieces of a part
 * use the same memory, and a worker the same columns of it, so that none waits for another.
 */
public record ProjectCuts(List<Part> parts, int rows, int workers) {
  /** A weight, its bias, and the place of its outputs among all outputs. */
  record Part(Weights.Tensor weight, MemorySegment bias, MemorySegment zeros, int column) {
    public int outputs() {
      return Math.toIntExact(weight.rows());
    }

    /** Whether the kernel takes the row as floats; block formats take it as bytes. */
    boolean takesFloats() {
      return weight.encoding().blockValues() == 1;
    }

    /** How it takes them as bytes. */
    Activations form() {
      return Activations.of(weight.encoding(), weight.columns());
    }
  }

  /** Neighbouring outputs of a part, of which each worker has a run. */
  record Piece(Part part, int from, int outputs, int run) {
    /** The same outputs of another part. */
    Piece of(Part other) {
      return new Piece(other, from, outputs, run);
    }

    MemorySegment weights() {
      return part.weight.parts().getFirst().asSlice(from * part.weight.rowBytes());
    }

    MemorySegment bias() {
      return part.bias.asSlice((long) from * Float.BYTES);
    }

    int column() {
      return part.column + from;
    }
  }

  /** The products that a worker has at a time, 128 KiB of them. */
  private static final int PIECE = 1 << 15;

  /** Runs of pieces are multiples of this, which is what products with many rows take at once. */
  private static final int PANEL = 32;

  /** All outputs of a part. */
  Piece whole(Part part) {
    return new Piece(part, 0, part.outputs(), share(part));
  }

  List<Piece> pieces(Part part) {
    int width = width(part);
    var pieces = new ArrayList<Piece>();
    for (int from = 0; from < part.outputs(); from += width) {
      pieces.add(new Piece(part, from, Math.min(width, part.outputs() - from), run(part)));
    }
    return pieces;
  }

  /** The products of all parts in a row. */
  int width() {
    return parts.stream().mapToInt(this::width).sum();
  }

  /** Where a part's products begin in a row. */
  int column(Part part) {
    return parts.stream().takeWhile(p -> p != part).mapToInt(this::width).sum();
  }

  private int width(Part part) {
    return run(part) * workers;
  }

  /** The outputs that a worker has of a piece. */
  private int run(Part part) {
    int share = share(part);
    if (isOnePiece(rows, share)) return share;
    int pieces = Math.ceilDiv(share, Math.max(PANEL, PIECE / rows));
    return up(Math.ceilDiv(share, pieces), PANEL);
  }

  private int share(Part part) {
    return share(part.outputs(), workers);
  }

  /** The outputs that a worker has of so many, whole vectors of them. */
  static int share(int outputs, int workers) {
    return up(Math.ceilDiv(outputs, workers), FinishArguments.MULTIPLE);
  }

  /** Whether a worker's share of the outputs of so many rows is finished at once. */
  static boolean isOnePiece(int rows, int share) {
    return (long) rows * share <= PIECE;
  }

  private static int up(int count, int multiple) {
    return Math.ceilDiv(count, multiple) * multiple;
  }
}
