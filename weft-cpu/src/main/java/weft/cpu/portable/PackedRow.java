package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import weft.quant.BF16;
import weft.quant.Encoding;
import weft.quant.F16;
import weft.quant.F32;
import weft.quant.Q4_0;
import weft.quant.Q8_0;

/**
 * What the portable kernels need of an encoding: a packed row against floats, and a row unpacked.
 */
public interface PackedRow {
  /** The dot product of {@code n} packed numbers at {@code at} with {@code x}. */
  float dot(MemorySegment row, long at, float[] x, int n);

  /** Unpacks {@code n} numbers to {@code to}. */
  void decode(MemorySegment row, long at, float[] to, int toAt, int n);

  /** The scalar twin of every one of these is {@link Encoding#decode}. */
  static PackedRow of(Encoding encoding) {
    if (!VectorApi.isPresent() || !Lanes.widensBytes()) return new ScalarRows(encoding);
    return switch (encoding) {
      case F32 _ -> new VectorRows.Floats();
      case F16 _ -> new VectorRows.Halves();
      case BF16 _ -> new VectorRows.BFloats();
      case Q8_0 _ -> new VectorRows.Bytes();
      case Q4_0 _ -> new VectorRows.Nibbles();
      default -> new ScalarRows(encoding);
    };
  }

  /** Any encoding: unpacked by its definition, then a vector dot. */
  record ScalarRows(Encoding encoding) implements PackedRow {
    @Override
    public float dot(MemorySegment row, long at, float[] x, int n) {
      var block = new float[encoding.blockValues()];
      float sum = 0;
      for (int i = 0; i < n; i += block.length, at += encoding.blockBytes()) {
        encoding.decode(row, at, block, 0, block.length);
        for (int j = 0; j < block.length; j++) sum += block[j] * x[i + j];
      }
      return sum;
    }

    @Override
    public void decode(MemorySegment row, long at, float[] to, int toAt, int n) {
      encoding.decode(row, at, to, toAt, n);
    }
  }
}
