package weft.backend;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import weft.ir.DType;
import weft.ir.Type;
import weft.lir.Stored;
import weft.quant.Encoding;

/** The tensors of a checkpoint by canonical name. */
@FunctionalInterface
public interface Weights {
  Tensor tensor(String name);

  /** How each of them is stored. */
  default Stored stored() {
    return name -> tensor(name).encoding();
  }

  /**
   * Who reads bytes of the tensors from where they are kept, for as long as the caller has it open;
   * empty where they are in memory for good.
   */
  default Optional<TensorReader> reader() {
    return Optional.empty();
  }

  /**
   * A tensor as it lies in the file: packed rows, row behind row, in one part or, where a file
   * keeps each expert apart, in equal parts along the first axis. The views die with the
   * checkpoint.
   */
  record Tensor(String name, Type type, Encoding encoding, List<MemorySegment> parts) {
    public Tensor {
      parts = List.copyOf(parts);
      if (type.isSymbolic() || type.dtype() != DType.F32) {
        throw new BackendException(
            "tensor " + name + " is " + type + ", expected f32 axes of a size");
      }
      if (type.width() % encoding.blockValues() != 0) {
        throw new BackendException(
            "tensor %s %s has rows of %d, expected whole %s blocks of %d"
                .formatted(name, type, type.width(), encoding.name(), encoding.blockValues()));
      }
      if (parts.isEmpty() || type.dim(0).fixed() % parts.size() != 0) {
        throw new BackendException(
            "tensor %s %s comes in %d parts, expected one or equal parts along the first axis"
                .formatted(name, type, parts.size()));
      }
      long expected = encoding.bytes(elements(name, type)) / parts.size();
      for (var part : parts) {
        if (part.byteSize() != expected) {
          throw new BackendException(
              "tensor %s %s in %s takes %d bytes in each of %d parts, but %d were given"
                  .formatted(name, type, encoding.name(), expected, parts.size(), part.byteSize()));
        }
      }
    }

    private static long elements(String name, Type type) {
      try {
        long n = 1;
        for (var dim : type.dims()) n = Math.multiplyExact(n, (long) dim.fixed());
        return n;
      } catch (ArithmeticException e) {
        throw new BackendException("tensor " + name + " " + type + " has over 2^63 elements", e);
      }
    }

    /** Throws where the bytes are none that a device can be given. */
    public void requireReadable() {
      for (var part : parts) {
        if (!part.isNative()) {
          throw new BackendException(
              "the bytes of tensor " + name + " lie on the Java heap, where no device can go");
        }
        if (!part.scope().isAlive()) {
          throw new BackendException("the bytes of tensor " + name + " were unmapped already");
        }
      }
    }

    /** The length of a row: the last axis. */
    public int columns() {
      return type.width();
    }

    public long rows() {
      return elements(name, type) / columns();
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
      long count = elements(name, type);
      if (count > Integer.MAX_VALUE - 8) {
        throw new BackendException(
            "tensor " + name + " " + type + " is read as an array, which it is too large for");
      }
      var out = new float[(int) count];
      for (int row = 0; row < rows(); row++) decodeRow(row, out, row * columns());
      return out;
    }
  }
}
