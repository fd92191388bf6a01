package weft.cpu.launch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import weft.backend.HostMemory;
import weft.cpu.kernel.emit.HeadRows;
import weft.lir.Operand;

/** A view of rows of heads, each head contiguous. */
public final class Heads3d {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final MemorySegment memory;
  private final long offset;
  private final int rowStride;
  private final int headStride;
  private final int heads;
  private final int width;

  public Heads3d(HostMemory memory, Operand.View view) {
    if (view.type().rank() != 3 || view.strides().get(2) != 1) {
      throw new IllegalArgumentException("not rows of contiguous heads: " + view);
    }
    this.memory = memory.floats(view);
    this.offset = view.offset();
    this.rowStride = view.strides().get(0);
    this.headStride = view.strides().get(1);
    this.heads = view.type().dim(1).fixed();
    this.width = view.type().width();
  }

  public int heads() {
    return heads;
  }

  public int width() {
    return width;
  }

  /** The heads as emitted code reads them. */
  public HeadRows rows() {
    return new HeadRows(
        memory.asSlice(offset * Float.BYTES),
        (long) rowStride * Float.BYTES,
        (long) headStride * Float.BYTES);
  }

  private long at(int row, int head) {
    return (offset + (long) row * rowStride + (long) head * headStride) * Float.BYTES;
  }

  public void read(int row, int head, float[] to, int toAt) {
    MemorySegment.copy(memory, FLOAT, at(row, head), to, toAt, width);
  }

  /** Copies a head to a place in other memory. */
  public void copy(int row, int head, MemorySegment to, long toAt) {
    MemorySegment.copy(memory, at(row, head), to, toAt, (long) width * Float.BYTES);
  }

  public void write(int row, int head, float[] from, int fromAt) {
    MemorySegment.copy(from, fromAt, memory, FLOAT, at(row, head), width);
  }
}
