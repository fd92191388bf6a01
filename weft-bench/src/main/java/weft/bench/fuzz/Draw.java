package weft.bench.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/** The random choices of a mutation; the same seed draws the same. */
public final class Draw {
  /** Where sizes, counts and offsets go wrong. */
  private static final long[] EDGES = {
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    31,
    32,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    257,
    511,
    512,
    1023,
    4095,
    4096,
    32767,
    32768,
    65535,
    65536,
    1 << 20,
    (1 << 24) + 1,
    Integer.MAX_VALUE - 1,
    Integer.MAX_VALUE,
    1L << 31,
    (1L << 32) - 1,
    1L << 32,
    1L << 53,
    1L << 62,
    Long.MAX_VALUE - 7,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -8,
    Integer.MIN_VALUE
  };

  private final SplittableRandom random;

  public Draw(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** From 0 to {@code bound - 1}. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** True once in {@code times}. */
  public boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  public <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Small numbers far more often than large ones. */
  public int small(int bound) {
    return random.nextInt(1 + random.nextInt(bound));
  }

  public long bits() {
    return random.nextLong();
  }

  /** A number at an edge, or next to one. */
  public long edge() {
    long edge = EDGES[random.nextInt(EDGES.length)];
    return oneIn(4) ? edge + random.nextInt(5) - 2 : edge;
  }

  /** A number that may stand for {@code old}: an edge, a neighbour, a multiple, or any. */
  public long instead(long old) {
    return switch (random.nextInt(8)) {
      case 0 -> old + 1;
      case 1 -> old - 1;
      case 2 -> old * 2;
      case 3 -> old ^ 1L << random.nextInt(64);
      case 4 -> random.nextLong();
      default -> edge();
    };
  }
}
