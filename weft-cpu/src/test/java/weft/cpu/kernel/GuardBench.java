package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import weft.cpu.asm.GuardedMemory;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Kernel;

/**
 * Lays the memory of one kernel between forbidden pages, fills it with hostile data and runs the
 * kernel; owns the memory.
 */
final class GuardBench implements AutoCloseable {
  /** What is read alone, what is read and written, and what is written. */
  private record Buffer(
      MemorySegment memory, Hostile.Form form, boolean isRead, boolean isWritten) {}

  /** A call of a kernel. */
  private record Call(Kernel kernel, MemorySegment block, long from, long to) {}

  private final GuardedMemory memory = new GuardedMemory();
  private final GuardedMemory.Side side;
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<Runnable> checks = new ArrayList<>();
  private MemorySegment scratch = MemorySegment.NULL;

  GuardBench(GuardedMemory.Side side) {
    this.side = side;
  }

  private MemorySegment buffer(long bytes, Hostile.Form form, boolean isRead, boolean isWritten) {
    var segment = memory.allocate(bytes, side);
    buffers.add(new Buffer(segment, form, isRead, isWritten));
    return segment;
  }

  /** Floats that the kernel reads. */
  MemorySegment floats(long count) {
    return buffer(4 * count, Hostile.Form.FLOATS, true, false);
  }

  /** Bytes that the kernel reads: weights, or activations that are bytes. */
  MemorySegment packed(long bytes) {
    return buffer(bytes, Hostile.Form.PACKED, true, false);
  }

  /** Floats that it reads and writes. */
  MemorySegment state(long count) {
    return buffer(4 * count, Hostile.Form.FLOATS, true, true);
  }

  /** What the kernel writes. */
  MemorySegment out(long bytes) {
    return buffer(bytes, Hostile.Form.FLOATS, false, true);
  }

  /** Rows of heads of floats, with room between rows that is not theirs. */
  HeadRows rows(int rows, int heads, int width) {
    return new HeadRows(floats(reach(rows, heads, width)), rowBytes(heads, width), 4L * width);
  }

  HeadRows outRows(int rows, int heads, int width) {
    return new HeadRows(out(4 * reach(rows, heads, width)), rowBytes(heads, width), 4L * width);
  }

  private static long rowBytes(int heads, int width) {
    return 4L * (heads * width + 1);
  }

  /** The floats from the first row's first to the last row's last. */
  private static long reach(int rows, int heads, int width) {
    return (rows - 1L) * (heads * width + 1) + (long) heads * width;
  }

  /** Numbers that are as given, whatever the data. */
  MemorySegment integers(int... values) {
    var segment = memory.allocate(4L * values.length, side);
    for (int i = 0; i < values.length; i++) segment.set(JAVA_INT_UNALIGNED, 4L * i, values[i]);
    memory.makeReadable(segment);
    return segment;
  }

  /** Addresses. */
  MemorySegment addresses(long... values) {
    var segment = memory.allocate(8L * values.length, side);
    for (int i = 0; i < values.length; i++) segment.set(JAVA_LONG_UNALIGNED, 8L * i, values[i]);
    return segment;
  }

  /** Room for arguments, which the kernel reads; blocks are made of words, so they are aligned. */
  MemorySegment block(long bytes) {
    return memory.allocate((bytes + 7) / 8 * 8, side);
  }

  void scratch(long bytes) {
    scratch = memory.allocate(bytes, side);
  }

  void call(Kernel kernel, MemorySegment block, long from, long to) {
    calls.add(new Call(kernel, block, from, to));
  }

  /** What must be so after each run. */
  void check(Runnable check) {
    checks.add(check);
  }

  /** Runs all calls over data of a kind; gives a digest of what they wrote. */
  int run(Hostile data, long seed) {
    var random = new Random(seed);
    if (data == Hostile.values()[0]) Hostile.bits(scratch, new Random(seed));
    for (var b : buffers) {
      memory.makeWritable(b.memory);
      // What was there before is the same on both sides, since a kernel may leave some of it.
      var before = b.isRead ? data : Hostile.EQUAL;
      before.fill(b.memory, b.form, random);
      if (!b.isWritten) memory.makeReadable(b.memory);
    }
    for (var call : calls) call.kernel.run(call.block, call.from, call.to, scratch);
    if (!memory.isIntact()) throw new AssertionError("it wrote beside its memory");
    checks.forEach(Runnable::run);
    int digest = 1;
    for (var b : buffers) {
      if (b.isWritten) digest = 31 * digest + Arrays.hashCode(b.memory.toArray(JAVA_BYTE));
    }
    return digest;
  }

  @Override
  public void close() {
    memory.close();
  }
}
