package weft.cpu.kernel.rows;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.KernelException;

/**
 * The argument block of an elementwise kernel. Rows are cut into pieces, and a unit of work is a
 * piece of a row; where rows are rows of heads, a piece is a head.
 *
 * @param cut how rows are cut
 * @param to the results, a piece where {@link HeadRows} says head
 * @param sources the operands of the formula
 * @param numbers the numbers of the formula
 */
public record ElementwiseArguments(
    Cut cut, HeadRows to, List<Source> sources, List<Float> numbers) {
  /** How many operands a formula may have, and how many numbers. */
  public static final int MOST = 4;

  private static final int SOURCE_BYTES = 32;

  static final int TO = 0;
  static final int SOURCES = HeadRows.BYTES;
  static final int CHOSEN = HeadRows.BYTES;
  static final int PIECES = SOURCES + MOST * SOURCE_BYTES;
  static final int PIECE_BYTES = PIECES + 8;
  static final int WIDTH_BYTES = PIECE_BYTES + 8;
  static final int NUMBERS = WIDTH_BYTES + 8;

  public static final long BYTES = NUMBERS + MOST * Float.BYTES;

  public ElementwiseArguments {
    sources = List.copyOf(sources);
    numbers = List.copyOf(numbers);
    if (sources.size() > MOST || numbers.size() > MOST) {
      throw new KernelException(
          "an elementwise kernel takes up to "
              + MOST
              + " operands and numbers, got "
              + sources.size()
              + " and "
              + numbers.size());
    }
  }

  /**
   * Rows of {@code width} floats in pieces of {@code piece}; the last may be shorter.
   *
   * @param width at least 1
   * @param piece at least 1
   */
  public record Cut(int width, int piece) {
    /** The pieces of a row. */
    public int count() {
      return (width + piece - 1) / piece;
    }
  }

  /**
   * Where an operand comes from.
   *
   * @param rows its rows; a row or a piece that is the same for all is zero bytes from the next
   * @param chosen for each row of the result the operand's row, as 32-bit numbers, or NULL where it
   *     is the same row
   */
  public record Source(HeadRows rows, MemorySegment chosen) {
    public static Source of(HeadRows rows) {
      return new Source(rows, MemorySegment.NULL);
    }
  }

  static int source(int operand) {
    return SOURCES + operand * SOURCE_BYTES;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    to.write(block, TO);
    for (int i = 0; i < sources.size(); i++) {
      sources.get(i).rows.write(block, source(i));
      block.set(ADDRESS, source(i) + CHOSEN, sources.get(i).chosen);
    }
    block.set(JAVA_LONG, PIECES, cut.count());
    block.set(JAVA_LONG, PIECE_BYTES, (long) cut.piece * Float.BYTES);
    block.set(JAVA_LONG, WIDTH_BYTES, (long) cut.width * Float.BYTES);
    for (int i = 0; i < numbers.size(); i++) {
      block.set(JAVA_FLOAT, NUMBERS + (long) i * Float.BYTES, numbers.get(i));
    }
  }
}
