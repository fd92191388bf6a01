package weft.lir;

import java.util.ArrayList;
import java.util.List;
import weft.ir.Type;

/** Where a launch finds an argument. */
public sealed interface Operand {
  Type type();

  /** A tensor of the checkpoint, in whatever encoding it has there. */
  record Weight(String name, Type type) implements Operand {}

  /** A list of integers that the step brings: tokens, positions, wanted rows. */
  record Input(String name, Type type) implements Operand {}

  record Constant(List<Float> values, Type type) implements Operand {}

  /** Part of a buffer: element {@code (i, j, ..)} lies at {@code offset + i*strides[0] + ..}. */
  record View(int buffer, int offset, List<Integer> strides, Type type) implements Operand {
    public View {
      strides = List.copyOf(strides);
    }

    /** All of a buffer, rows behind each other. */
    public static View whole(int buffer, Type type) {
      var strides = new ArrayList<Integer>();
      int stride = 1;
      for (int axis = type.rank() - 1; axis >= 0; axis--) {
        strides.addFirst(stride);
        // The first axis may be symbolic, and no stride depends on it.
        if (axis > 0) stride = product(stride, type.dim(axis).fixed());
      }
      return new View(buffer, 0, strides, type);
    }

    private static int product(int a, int b) {
      long product = (long) a * b;
      if (product == (int) product) return (int) product;
      throw new ProgramException("a row of " + a + " * " + b + " elements is too long");
    }

    public int rowStride() {
      return strides.getFirst();
    }

    /** Whether each row's elements lie behind each other, whatever lies between rows. */
    public boolean hasContiguousRows() {
      int expected = 1;
      for (int axis = type.rank() - 1; axis > 0; axis--) {
        if (strides.get(axis) != expected) return false;
        expected *= type.dim(axis).fixed();
      }
      return true;
    }

    public boolean isContiguous() {
      return hasContiguousRows() && (type.rank() < 2 || rowStride() == type.rowElements());
    }
  }
}
