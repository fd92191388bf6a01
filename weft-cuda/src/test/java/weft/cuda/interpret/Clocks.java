package weft.cuda.interpret;

/**
 * What each warp of a block knows of the others: at which of their stamps it has met them. A stamp
 * counts the meetings of a warp, so two accesses are ordered where the later one's warp knows a
 * later stamp of the other than the access had.
 */
final class Clocks {
  private final int[][] known;

  Clocks(int warps) {
    known = new int[warps][warps];
    for (int warp = 0; warp < warps; warp++) known[warp][warp] = 1;
  }

  int stamp(int warp) {
    return known[warp][warp];
  }

  /** Whether an access of a thread at a stamp comes before what a lane of a warp does now. */
  boolean isBefore(int thread, int stamp, int warp, int lane) {
    int other = thread / Slots.LANES;
    if (other == warp) return thread % Slots.LANES == lane || stamp < known[warp][warp];
    return stamp <= known[warp][other];
  }

  /** The lanes of a warp have met. */
  void step(int warp) {
    known[warp][warp]++;
  }

  /** What a warp knows, for others to learn; the warp goes on to its next stamp. */
  void release(int warp, int[] into) {
    for (int i = 0; i < into.length; i++) into[i] = Math.max(into[i], known[warp][i]);
    known[warp][warp]++;
  }

  /** Learns what was released. */
  void acquire(int warp, int[] from) {
    var mine = known[warp];
    for (int i = 0; i < from.length; i++) {
      // What lanes of the warp itself released is behind all of them.
      mine[i] = Math.max(mine[i], i == warp ? from[i] + 1 : from[i]);
    }
  }

  int[] none() {
    return new int[known.length];
  }
}
