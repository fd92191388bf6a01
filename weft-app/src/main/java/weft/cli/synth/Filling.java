package weft.cli.synth;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import weft.quant.Encoding;
import weft.quant.StorageType;

/** Fills tensors with random numbers: the same seed gives the same bytes. */
final class Filling {
  /** Keeps activations near one through any number of layers behind norms. */
  static final float DEVIATION = 0.02f;

  /** A short convolution sums a handful of values, not thousands. */
  private static final float SMALL_DEVIATION = 0.2f;

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final long seed;
  private final Map<StorageType, RandomBlocks> pools = new EnumMap<>(StorageType.class);

  Filling(long seed) {
    this.seed = seed;
  }

  /** A number by its place. */
  @FunctionalInterface
  interface Filler {
    float value(int index);
  }

  /** The blocks that matrices of an encoding are made of. */
  RandomBlocks pool(Encoding encoding) {
    return pools.computeIfAbsent(
        encoding.type(), type -> new RandomBlocks(encoding, DEVIATION, new SplittableRandom(seed)));
  }

  /** Each tensor has a generator of its own, so that it does not depend on the others. */
  void fill(Blueprint.Part part, RandomBlocks pool, MemorySegment bytes, Filler ropeDivisors) {
    var random = new SplittableRandom(seed * 31 + part.name().hashCode());
    switch (part.role()) {
      case MATRIX, OUTPUT -> pool.fill(bytes, part.shape().getLast(), random);
      case SMALL -> {
        float deviation = part.shape().getLast() < 64 ? SMALL_DEVIATION : DEVIATION;
        each(bytes, i -> (float) random.nextGaussian() * deviation);
      }
      case NORM -> each(bytes, i -> 1 + (float) random.nextGaussian() * DEVIATION);
      case DECAY -> each(bytes, i -> -(0.5f + random.nextFloat()));
      case BIAS -> each(bytes, i -> (float) random.nextGaussian());
      case ROPE -> each(bytes, ropeDivisors);
    }
  }

  private static void each(MemorySegment bytes, Filler filler) {
    int count = (int) (bytes.byteSize() / Float.BYTES);
    for (int i = 0; i < count; i++) bytes.setAtIndex(FLOAT, i, filler.value(i));
  }
}
