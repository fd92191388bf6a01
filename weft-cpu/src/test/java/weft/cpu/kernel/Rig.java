package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import weft.cpu.asm.GuardedMemory;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.product.QuantizeArguments;
import weft.quant.Encoding;

/** A library and guarded memory for one test, with the scalar truth that kernels must meet. */
public final class Rig implements AutoCloseable {
  public final KernelLibrary library;
  private final GuardedMemory memory = new GuardedMemory();
  private final Random random = new Random(42);

  public Rig(Isa isa) {
    library = KernelLibrary.open(isa);
  }

  public MemorySegment allocate(long bytes) {
    return memory.allocate(bytes);
  }

  public float[] randomFloats(int count, float scale) {
    var values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian() * scale;
    }
    return values;
  }

  public MemorySegment floats(float... values) {
    var segment = allocate(4L * values.length);
    MemorySegment.copy(values, 0, segment, JAVA_FLOAT, 0, values.length);
    return segment;
  }

  /** What goes into a test: numbers near each other, or those that make the largest sums. */
  public enum Values {
    GAUSSIAN,
    EXTREME
  }

  public float[] values(Values values, int count, float scale) {
    return switch (values) {
      case GAUSSIAN -> randomFloats(count, scale);
      case EXTREME -> extremes(count, scale);
    };
  }

  /** Long stretches of the same sign, then signs at random. */
  private float[] extremes(int count, float scale) {
    var values = new float[count];
    for (int i = 0; i < count; i++) {
      boolean isNegative = i < count / 2 ? i / 64 % 2 == 1 : random.nextBoolean();
      values[i] = isNegative ? -scale : scale;
    }
    return values;
  }

  /** Rows of weights as the encoding packs them. */
  public MemorySegment weights(Encoding encoding, int rows, int k) {
    return weights(encoding, Values.GAUSSIAN, rows, k);
  }

  public MemorySegment weights(Encoding encoding, Values values, int rows, int k) {
    var segment = allocate(encoding.bytes((long) rows * k));
    // Some encoders search long for the best scales: a few rows of their own are enough variety.
    int own = Math.min(rows, 5);
    encoding.encode(values(values, own * k, 0.05f), 0, own * k, segment, 0);
    long bytes = encoding.bytes(k);
    for (int row = own; row < rows; row++) {
      MemorySegment.copy(segment, row % own * bytes, segment, row * bytes, bytes);
    }
    return segment;
  }

  /** The rows as the kernels' activations. */
  public MemorySegment quantized(float[] rows, Activations layout) {
    int k = layout.k();
    int count = rows.length / k;
    // Lines of the cache are not promised by guarded memory, so the guard is behind the last line.
    var to = allocate((layout.bytes(count) + 63) / 64 * 64);
    var block = allocate(QuantizeArguments.BYTES);
    new QuantizeArguments(PlainRows.packed(floats(rows), k), layout, to).write(block);
    library.quantize(layout).run(block, 0, count, MemorySegment.NULL);
    return to;
  }

  /** What a row of activations stands for, value by value. */
  public static float[] meaning(MemorySegment activations, int row, Activations layout) {
    int k = layout.k();
    long at = row * layout.rowBytes();
    var values = new float[k];
    for (int i = 0; i < k; i++) {
      float scale = activations.get(JAVA_FLOAT, at + layout.scaleOffset() + i / 32 * 4L);
      values[i] = activations.get(JAVA_BYTE, at + i) * scale;
    }
    return values;
  }

  @Override
  public void close() {
    memory.close();
    library.close();
  }
}
