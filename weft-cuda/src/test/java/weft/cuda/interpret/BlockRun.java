package weft.cuda.interpret;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A block of threads while it runs. */
final class BlockRun {
  private static final int BARRIERS = 16;

  /** Instructions of one warp after which the next has its turn. */
  private static final int SLICE = 5000;

  private final GridRun grid;
  private final Kernel kernel;
  private final Warp[] warps;
  private final SharedMemory shared;
  private final int[] arrived = new int[BARRIERS];
  private final int[] expected = new int[BARRIERS];
  private final int[][] arrivedClocks = new int[BARRIERS][];
  private final boolean[][] isAt;
  private final Map<Integer, ByteBarrier> byteBarriers = new HashMap<>();
  private Clocks clocks;
  private int number;

  BlockRun(GridRun grid) {
    this.grid = grid;
    this.kernel = grid.kernel();
    warps = new Warp[Math.ceilDiv(grid.threads(), Slots.LANES)];
    isAt = new boolean[BARRIERS][warps.length];
    clocks = new Clocks(warps.length);
    shared = new SharedMemory(grid.sharedBytes(), kernel.sharedGranule());
    for (int i = 0; i < warps.length; i++) warps[i] = new Warp(kernel, this, i);
  }

  void begin(int number) {
    this.number = number;
    clocks = new Clocks(warps.length);
    shared.begin(clocks, warps.length);
    Arrays.fill(arrived, 0);
    for (int i = 0; i < BARRIERS; i++) arrivedClocks[i] = clocks.none();
    byteBarriers.clear();
    for (int i = 0; i < warps.length; i++) warps[i].begin(grid.threads() - i * Slots.LANES);
  }

  /** Runs the warps in turns; whether all have ended before the budget has. */
  boolean run(long budget) {
    long done = 0;
    while (done < budget) {
      long before = done;
      boolean lives = false;
      for (var warp : warps) {
        if (warp.isDone()) continue;
        done += warp.run(SLICE);
        lives |= !warp.isDone();
      }
      if (!lives) return true;
      if (done == before) throw deadlock();
    }
    return false;
  }

  private PtxFault deadlock() {
    var text = new StringBuilder();
    for (var warp : warps) {
      var where = warp.isDone() ? "has ended" : "waits at " + warp.whereabouts();
      text.append("; warp ").append(warp.number()).append(' ').append(where);
    }
    return new PtxFault(
        "%s, block %s: deadlock, nobody comes to the barriers that are waited at%s"
            .formatted(kernel.name(), place(), text));
  }

  /** A whole warp has come to a barrier. */
  void arrive(Warp warp, int lanes, int barrier, int threads) {
    int lane = Integer.numberOfTrailingZeros(lanes);
    if (barrier < 0 || barrier >= BARRIERS) throw warp.fault(lane, "there are barriers 0 to 15");
    if (threads % Slots.LANES != 0 && threads != grid.threads()) {
      throw warp.fault(lane, "a barrier of " + threads + " threads is not one of whole warps");
    }
    if (arrived[barrier] > 0 && expected[barrier] != threads) {
      throw warp.fault(
          lane,
          "comes to barrier %d for %d threads, where others wait for %d"
              .formatted(barrier, threads, expected[barrier]));
    }
    expected[barrier] = threads;
    arrived[barrier] += Integer.bitCount(lanes);
    isAt[barrier][warp.number()] = true;
    clocks.release(warp.number(), arrivedClocks[barrier]);
    if (arrived[barrier] < threads) return;
    for (var other : warps) {
      if (!isAt[barrier][other.number()]) continue;
      isAt[barrier][other.number()] = false;
      clocks.acquire(other.number(), arrivedClocks[barrier]);
      other.passBarrier();
    }
    arrived[barrier] = 0;
    arrivedClocks[barrier] = clocks.none();
  }

  ByteBarrier byteBarrier(Warp warp, int lane, int address) {
    var barrier = byteBarriers.get(address);
    if (barrier == null) throw warp.fault(lane, "uses a barrier that nobody has made");
    return barrier;
  }

  void makeByteBarrier(int address, int arrivals) {
    byteBarriers.put(address, new ByteBarrier(arrivals, clocks.none()));
  }

  /** What the threads of a warp find in a special register. */
  void special(String name, int warp, int[] to, int at) {
    for (int lane = 0; lane < Slots.LANES; lane++) {
      to[at + lane] =
          switch (name) {
            case "%tid.x" -> warp * Slots.LANES + lane;
            case "%tid.y", "%tid.z" -> 0;
            case "%ntid.x" -> grid.threads();
            case "%ntid.y", "%ntid.z" -> 1;
            case "%ctaid.x" -> number % grid.x();
            case "%ctaid.y" -> number / grid.x() % grid.y();
            case "%ctaid.z" -> number / grid.x() / grid.y();
            case "%nctaid.x" -> grid.x();
            case "%nctaid.y" -> grid.y();
            case "%nctaid.z" -> grid.z();
            case "%laneid" -> lane;
            case "%warpid" -> warp;
            default -> throw new PtxFault("no special register " + name);
          };
    }
  }

  String place() {
    return "(%d, %d, %d)"
        .formatted(number % grid.x(), number / grid.x() % grid.y(), number / grid.x() / grid.y());
  }

  int number() {
    return number;
  }

  int launch() {
    return grid.launch();
  }

  int threads() {
    return grid.threads();
  }

  Clocks clocks() {
    return clocks;
  }

  SharedMemory shared() {
    return shared;
  }

  GlobalMemory global() {
    return grid.memory();
  }

  long argument(int index) {
    return grid.argument(index);
  }

  long executed() {
    long sum = 0;
    for (var warp : warps) sum += warp.executed();
    return sum;
  }
}
