package weft.cuda;

import weft.cuda.kernel.Strided;
import weft.ir.DType;
import weft.ir.Type;
import weft.lir.Bounds;

/**
 * A value in the device's memory.
 *
 * @param memory where it is once that is allocated
 * @param offset in bytes
 */
record Located(Memory memory, long offset, Type type, Strided lie) {
  long address() {
    return memory.address() + offset;
  }

  /** The same from an element of the last axis on. */
  Located from(int column) {
    long bytes = (long) column * lie.strides().getLast() * type.dtype().bytes();
    return new Located(memory, offset + bytes, type, lie);
  }

  /** Whether the groups of its last axis lie evenly spaced, as float32 behind each other. */
  boolean isRows() {
    if (type.dtype() != DType.F32 || lie.strides().getLast() != 1) return false;
    for (int axis = 0; axis + 2 < lie.strides().size(); axis++) {
      int inner = lie.strides().get(axis + 1) * lie.sizes().get(axis);
      if (lie.strides().get(axis) != inner) return false;
    }
    return true;
  }

  /** Between such groups, in elements. */
  int groupStride() {
    int rank = lie.strides().size();
    return rank == 1 ? type.width() : lie.strides().get(rank - 2);
  }

  /** How many of them a row has. */
  int groupsARow() {
    return type.rank() == 1 ? 1 : type.rowElements() / type.width();
  }

  /** How many of them a step of these bounds has at most. */
  int groups(Bounds bounds) {
    return type.rank() == 1 ? 1 : bounds.size(type.dim(0)) * groupsARow();
  }

  int groups(Shape shape) {
    return type.rank() == 1 ? 1 : shape.rows(type) * groupsARow();
  }
}
