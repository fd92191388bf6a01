package weft.cli.synth;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import weft.quant.Encoding;

/**
 * Random weights, encoded once into a pool from which rows are put together: encoding each number
 * of a checkpoint would take minutes, copying takes as long as writing the file.
 */
final class RandomBlocks {
  private static final int POOL_VALUES = 1 << 18;

  /** A row is made of this many runs from all over the pool, so that no two rows are alike. */
  private static final int RUNS = 8;

  private final Encoding encoding;
  private final MemorySegment pool;
  private final int poolBlocks;

  RandomBlocks(Encoding encoding, float deviation, SplittableRandom random) {
    this.encoding = encoding;
    this.poolBlocks = POOL_VALUES / encoding.blockValues();
    var values = new float[POOL_VALUES];
    for (int i = 0; i < values.length; i++) values[i] = (float) random.nextGaussian() * deviation;
    this.pool = MemorySegment.ofArray(new byte[(int) encoding.bytes(POOL_VALUES)]);
    encoding.encode(values, 0, values.length, pool, 0);
  }

  /** Fills rows of so many values each. */
  void fill(MemorySegment to, long rowValues, SplittableRandom random) {
    long rowBlocks = rowValues / encoding.blockValues();
    int run = Math.clamp(rowBlocks / RUNS, 1, poolBlocks);
    long bytes = encoding.blockBytes();
    long blocks = to.byteSize() / bytes;
    for (long at = 0; at < blocks; ) {
      // A run does not cross the end of a row: rows would share their seams.
      long count = Math.min(run, rowBlocks - at % rowBlocks);
      long from = random.nextInt(poolBlocks - run + 1);
      MemorySegment.copy(pool, from * bytes, to, at * bytes, count * bytes);
      at += count;
    }
  }
}
