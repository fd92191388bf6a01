package weft.cuda.interpret;

import java.util.ArrayDeque;

/** A launch: blocks one after the other, or in turns where they wait for each other. */
final class GridRun {
  /** Instructions of a block's warps after which other blocks have a turn. */
  private static final long TURN = 400_000;

  private final Kernel kernel;
  private final GlobalMemory memory;
  private final int x;
  private final int y;
  private final int z;
  private final int threads;
  private final int sharedBytes;
  private final long[] arguments;
  private final int launch;

  GridRun(
      Kernel kernel,
      GlobalMemory memory,
      int launch,
      int x,
      int y,
      int z,
      int threads,
      int sharedBytes,
      long[] arguments) {
    this.kernel = kernel;
    this.memory = memory;
    this.launch = launch;
    this.x = x;
    this.y = y;
    this.z = z;
    this.threads = threads;
    this.sharedBytes = sharedBytes;
    this.arguments = arguments.clone();
  }

  /**
   * Runs all blocks; how many instructions of threads that were.
   *
   * @param patience turns in which no block ends before nobody is waited for
   */
  long run(int patience) {
    long executed = 0;
    int blocks = Math.multiplyExact(Math.multiplyExact(x, y), z);
    var waiting = new ArrayDeque<BlockRun>();
    var free = new BlockRun(this);
    for (int block = 0; block < blocks; block++) {
      free.begin(block);
      if (!free.run(TURN)) {
        waiting.add(free);
        free = new BlockRun(this);
      }
    }
    int vain = 0;
    while (!waiting.isEmpty()) {
      var block = waiting.remove();
      if (block.run(TURN)) {
        executed += block.executed();
        vain = 0;
      } else {
        waiting.add(block);
        if (++vain > patience * (waiting.size() + 1)) {
          throw new PtxFault(
              "%s: %d blocks run without end, the first of them %s"
                  .formatted(kernel.name(), waiting.size(), block.place()));
        }
      }
    }
    return executed + free.executed();
  }

  Kernel kernel() {
    return kernel;
  }

  GlobalMemory memory() {
    return memory;
  }

  int launch() {
    return launch;
  }

  int x() {
    return x;
  }

  int y() {
    return y;
  }

  int z() {
    return z;
  }

  int threads() {
    return threads;
  }

  /** All shared memory of a block. */
  int sharedBytes() {
    return sharedBytes;
  }

  long argument(int index) {
    return arguments[index];
  }
}
