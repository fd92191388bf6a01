package weft.cuda.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import weft.ir.DType;
import weft.ir.Dim;
import weft.ir.Type;

/**
 * How a value lies in memory. Of its first axis, which a step sizes, only the stride is known.
 *
 * @param sizes of the axes after the first
 * @param strides of all axes, in elements
 */
public record Strided(DType dtype, List<Integer> sizes, List<Integer> strides) {
  public Strided {
    sizes = List.copyOf(sizes);
    strides = List.copyOf(strides);
  }

  public static Strided of(Type type, List<Integer> strides) {
    var sizes = new ArrayList<Integer>();
    for (int axis = 1; axis < type.rank(); axis++) sizes.add(type.dim(axis).fixed());
    return new Strided(type.dtype(), sizes, strides);
  }

  /** Elements behind each other. */
  public static Strided contiguous(Type type) {
    var strides = new ArrayList<Integer>();
    int stride = 1;
    for (int axis = type.rank() - 1; axis >= 0; axis--) {
      strides.addFirst(stride);
      if (axis > 0) stride *= type.dim(axis).fixed();
    }
    return of(type, strides);
  }

  /** As this spreads over a larger type: aligned at the last axis, standing still where it is 1. */
  public Strided spreadOver(Type own, Type over) {
    var spread = new ArrayList<>(Collections.nCopies(over.rank(), 0));
    for (int back = 1; back <= own.rank(); back++) {
      int axis = own.rank() - back;
      boolean isOne = own.dim(axis).equals(Dim.of(1));
      spread.set(over.rank() - back, isOne ? 0 : strides.get(axis));
    }
    return new Strided(dtype, of(over, spread).sizes, spread);
  }

  /** So many columns of the last axis. */
  public Strided withLast(int size) {
    var all = new ArrayList<>(sizes);
    all.set(all.size() - 1, size);
    return new Strided(dtype, all, strides);
  }

  int rowElements() {
    return sizes.stream().reduce(1, (a, b) -> a * b);
  }

  boolean isContiguous() {
    int expected = 1;
    for (int axis = strides.size() - 1; axis >= 0; axis--) {
      if (strides.get(axis) != expected) return false;
      if (axis > 0) expected *= sizes.get(axis - 1);
    }
    return true;
  }

  /** The leading axes alone: where each group of the last axis begins. */
  public Strided groups() {
    if (strides.size() == 1) return new Strided(dtype, List.of(), List.of(0));
    return new Strided(
        dtype, sizes.subList(0, sizes.size() - 1), strides.subList(0, strides.size() - 1));
  }
}
