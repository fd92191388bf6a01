package weft.cpu.launch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import weft.backend.HostMemory;
import weft.backend.Step;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.PlainRows;
import weft.ir.Type;
import weft.lir.Operand;

/** A view whose rows are contiguous, ready to be read and written by kernels. */
public final class Rows2d {
  public static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final MemorySegment memory;
  private final Type type;
  private final long offset;
  private final int stride;
  private final int width;

  public Rows2d(HostMemory memory, Operand.View view) {
    if (!view.hasContiguousRows()) throw new IllegalArgumentException("strided rows: " + view);
    this.memory = memory.floats(view);
    this.type = view.type();
    this.offset = view.offset();
    this.stride = view.rowStride();
    this.width = view.type().rowElements();
  }

  public MemorySegment memory() {
    return memory;
  }

  /** How many elements a row has, all axes but the first taken together. */
  public int width() {
    return width;
  }

  public int count(Step step) {
    return step.rows(type);
  }

  /** How many of them, the first, were written. */
  public int written(Step step) {
    return step.written(type);
  }

  /** The bytes from one row to the next. */
  public long rowBytes() {
    return (long) stride * Float.BYTES;
  }

  /** The rows as emitted code reads them, from a row and a column on. */
  public PlainRows from(int row, int column) {
    return new PlainRows(memory.asSlice(at(row, column)), rowBytes());
  }

  /** The rows as emitted code reads them, in pieces of this many elements. */
  public HeadRows pieces(int elements) {
    return new HeadRows(memory.asSlice(at(0, 0)), rowBytes(), (long) elements * Float.BYTES);
  }

  /** The byte where a row's element lies. */
  public long at(int row, int column) {
    return (offset + (long) row * stride + column) * Float.BYTES;
  }

  public float get(int row, int column) {
    return memory.get(FLOAT, at(row, column));
  }

  public void set(int row, int column, float value) {
    memory.set(FLOAT, at(row, column), value);
  }

  public void read(int row, int column, float[] to, int toAt, int n) {
    MemorySegment.copy(memory, FLOAT, at(row, column), to, toAt, n);
  }

  public void write(int row, int column, float[] from, int fromAt, int n) {
    MemorySegment.copy(from, fromAt, memory, FLOAT, at(row, column), n);
  }
}
