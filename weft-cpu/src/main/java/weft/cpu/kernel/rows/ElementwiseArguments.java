package weft.cpu.kernel.rows;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.emit.Layout;

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

  private static final Layout<ElementwiseArguments> LAYOUT = new Layout<>();

  static final int TO = LAYOUT.part(HeadRows.LAYOUT, ElementwiseArguments::to);
  static final int PIECES = LAYOUT.number(a -> a.cut.count());
  static final int PIECE_BYTES = LAYOUT.number(a -> (long) a.cut.piece * Float.BYTES);
  static final int WIDTH_BYTES = LAYOUT.number(a -> (long) a.cut.width * Float.BYTES);
  private static final int SOURCES = LAYOUT.room(MOST * Source.LAYOUT.bytes());
  static final int NUMBERS = LAYOUT.room(MOST * Float.BYTES);

  public static final long BYTES = LAYOUT.bytes();

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
    private static final Layout<Source> LAYOUT = new Layout<>();
    static final int ROWS = LAYOUT.part(HeadRows.LAYOUT, Source::rows);
    static final int CHOSEN = LAYOUT.address(Source::chosen);

    public static Source of(HeadRows rows) {
      return new Source(rows, MemorySegment.NULL);
    }
  }

  static int source(int operand) {
    return SOURCES + operand * Source.LAYOUT.bytes();
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
    for (int i = 0; i < sources.size(); i++) {
      Source.LAYOUT.write(sources.get(i), block, source(i));
    }
    for (int i = 0; i < numbers.size(); i++) {
      block.set(JAVA_FLOAT, NUMBERS + (long) i * Float.BYTES, numbers.get(i));
    }
  }
}
