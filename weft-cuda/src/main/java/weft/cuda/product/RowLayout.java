package weft.cuda.product;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import weft.cuda.product.PackedForm.Numbers;
import weft.quant.BF16;
import weft.quant.Encoding;
import weft.quant.F16;
import weft.quant.F32;
import weft.quant.F64;
import weft.quant.F8_E4M3;
import weft.quant.F8_E5M2;

/**
 * How the device keeps rows of a weight: floats as they are, packed values in planes that lanes
 * load side by side, sixteen bytes each. Every row is complete in itself, so that rows may be laid
 * behind each other and cut anywhere between.
 */
public final class RowLayout {
  /** Where planes begin, in bytes: what a load of a lane may take at once. */
  private static final int MULTIPLE = 16;

  /** Numbers that need no unpacking. */
  enum Floats {
    F32(4),
    F16(2),
    BF16(2);

    private final int bytes;

    Floats(int bytes) {
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }
  }

  private final Encoding encoding;
  private final int columns;
  private final Optional<PackedForm> form;

  private RowLayout(Encoding encoding, int columns) {
    this.encoding = encoding;
    this.columns = columns;
    form = PackedForm.of(encoding);
  }

  /** The layout of rows of so many values. */
  public static RowLayout of(Encoding encoding, int columns) {
    if (columns < 1 || columns % encoding.blockValues() != 0) {
      throw new IllegalArgumentException(
          "a row of %s is a whole number of blocks of %d values, not %d values"
              .formatted(encoding.name(), encoding.blockValues(), columns));
    }
    return new RowLayout(encoding, columns);
  }

  /** The bytes from one row to the next. */
  public int rowBytes() {
    return form.map(f -> blockScalesAt() + plane(f.scales().bytesABlock() * blocks()))
        .orElseGet(() -> columns * floats().bytes());
  }

  /** Lays rows, as a file has them, out for the device. */
  public void pack(MemorySegment from, long rows, MemorySegment to) {
    if (form.isEmpty()) {
      packFloats(from, rows * columns, to);
      return;
    }
    var packer = new RowPacker(encoding, form.get(), this);
    for (long row = 0; row < rows; row++) {
      packer.pack(from, row * encoding.bytes(columns), to, row * rowBytes());
    }
  }

  private void packFloats(MemorySegment from, long values, MemorySegment to) {
    if (encoding.blockBytes() == floats().bytes()) {
      MemorySegment.copy(from, 0, to, 0, values * floats().bytes());
      return;
    }
    var value = new float[1];
    for (long i = 0; i < values; i++) {
      encoding.decodeBlock(from, i * encoding.blockBytes(), value, 0);
      switch (floats()) {
        case F32 -> to.set(JAVA_FLOAT_UNALIGNED, i * 4, value[0]);
        case F16 -> to.set(JAVA_SHORT_UNALIGNED, i * 2, Float.floatToFloat16(value[0]));
        case BF16 -> throw new IllegalStateException("nothing is converted to BF16");
      }
    }
  }

  /** What floats are kept as: those of eight bits are halves exactly. */
  Floats floats() {
    return switch (encoding) {
      case F32 _, F64 _ -> Floats.F32;
      case F16 _, F8_E4M3 _, F8_E5M2 _ -> Floats.F16;
      case BF16 _ -> Floats.BF16;
      default -> throw new IllegalStateException(encoding.name() + " is packed");
    };
  }

  Optional<PackedForm> form() {
    return form;
  }

  int columns() {
    return columns;
  }

  int runs() {
    return columns / PackedForm.RUN;
  }

  int blocks() {
    return Math.ceilDiv(runs(), PackedForm.RUNS_A_BLOCK);
  }

  private static int plane(int bytes) {
    return Math.ceilDiv(bytes, MULTIPLE) * MULTIPLE;
  }

  private PackedForm packed() {
    return form.orElseThrow();
  }

  /** Where the second 16 bytes of runs begin that have 32. */
  int secondBytesAt() {
    return Numbers.BYTES.bytes() / 2 * runs();
  }

  int aboveAt() {
    return plane(packed().numbers().bytes() * runs());
  }

  int scalesAt() {
    return aboveAt() + plane(packed().above().bytes() * runs());
  }

  int blockScalesAt() {
    return scalesAt() + plane(packed().scales().bytesARun() * runs());
  }
}
