package weft.cuda.interpret;

import java.util.ArrayList;
import java.util.List;

/** A barrier in shared memory that counts arrivals and bytes; each phase flips its parity. */
final class ByteBarrier {
  private final int arrivals;
  private int missing;
  private long bytes;
  private int phase;
  private int[] gathered;
  private int[] completed;
  private final List<Runnable> copies = new ArrayList<>();

  ByteBarrier(int arrivals, int[] none) {
    this.arrivals = arrivals;
    missing = arrivals;
    gathered = none;
    completed = none.clone();
  }

  /** False when more have come than the phase has room for. */
  boolean arrive(Clocks clocks, int warp, long expected) {
    if (missing == 0) return false;
    missing--;
    bytes += expected;
    clocks.release(warp, gathered);
    settle();
    return true;
  }

  /** A copy that is done when somebody asks for the barrier, and not before. */
  void begin(Runnable copy) {
    copies.add(copy);
  }

  /** Bytes that a thread of a warp has had copied since a stamp. */
  void received(long count, int warp, int stamp) {
    bytes -= count;
    gathered[warp] = Math.max(gathered[warp], stamp);
    settle();
  }

  private void settle() {
    if (missing > 0 || bytes != 0) return;
    phase++;
    missing = arrivals;
    completed = gathered;
    gathered = completed.clone();
  }

  /** Whether the phase of this parity is over; who is told so knows what the others had done. */
  boolean isOver(int parity, Clocks clocks, int warp) {
    var due = List.copyOf(copies);
    copies.clear();
    due.forEach(Runnable::run);
    boolean isOver = (phase & 1) != parity;
    if (isOver) clocks.acquire(warp, completed);
    return isOver;
  }
}
