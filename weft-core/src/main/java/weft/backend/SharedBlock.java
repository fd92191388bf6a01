package weft.backend;

import java.util.concurrent.atomic.AtomicInteger;

/** A block of a pool with a count of its owners; the last to release it gives it back. */
final class SharedBlock {
  private final StatePool pool;
  private final Block block;
  private final AtomicInteger owners = new AtomicInteger(1);

  SharedBlock(StatePool pool, Block block) {
    this.pool = pool;
    this.block = block;
  }

  Block block() {
    return block;
  }

  long bytes() {
    return block.bytes();
  }

  /** One more owner of this; from now on nobody writes to it. */
  SharedBlock share() {
    owners.incrementAndGet();
    return this;
  }

  boolean isShared() {
    return owners.get() > 1;
  }

  void release() {
    int left = owners.decrementAndGet();
    if (left < 0) throw new AssertionError("a block was given back twice");
    if (left == 0) pool.giveBack(block);
  }
}
