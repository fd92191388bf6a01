package weft.backend;

import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.ir.Type;
import weft.quant.Encoding;

/** The tensors of a checkpoint by canonical name. */
@FunctionalInterface
public interface Weights {
  Tensor tensor(String name);

  /**
   * A tensor as it lies in the file: packed rows, row behind row, in one part or, where a file
   * keeps each expert apart, in equal parts along the first axis. The views die with the
   * checkpoint.
   */
  record Tensor(String name, Type type, Encoding encoding, List<MemorySegment> parts) {
    public Tensor {
      parts = List.copyOf(parts);
      long bytes = parts.stream().mapToLong(MemorySegment::byteSize).sum();
      long expected = encoding.bytes(elements(type));
      if (bytes != expected) {
        throw new BackendException(
            "tensor "
                + name
                + " "
                + type
                + " in "
                + encoding.name()
                + " takes "
                + expected
                + " bytes, but "
                + bytes
                + " were given");
      }
    }

    private static long elements(Type type) {
      long n = 1;
      for (var dim : type.dims()) n = Math.multiplyExact(n, (long) dim.fixed());
      return n;
    }

    /** The length of a row: the last axis. */
    public int columns() {
      return type.width();
    }

    public long rows() {
      return elements(type) / columns();
    }

    public long rowBytes() {
      return encoding.bytes(columns());
    }

    /** Decodes row {@code row}, counted over all leading axes. */
    public void decodeRow(long row, float[] to, int at) {
      long perPart = rows() / parts.size();
      var part = parts.get((int) (row / perPart));
      encoding.decode(part, row % perPart * rowBytes(), to, at, columns());
    }

    public float[] decode() {
      var out = new float[Math.toIntExact(rows() * columns())];
      for (int row = 0; row < rows(); row++) decodeRow(row, out, row * columns());
      return out;
    }
  }
}
