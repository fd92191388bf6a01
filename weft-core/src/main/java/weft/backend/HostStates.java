package weft.backend;

import java.util.List;
import java.util.OptionalLong;
import weft.ir.Slot;

/**
 * The states that one device of this process's memory hands out: all are kept alike, and none of
 * another device's is. Owns their pool.
 */
public final class HostStates implements AutoCloseable {
  private final KvType kvType;
  private final StatePool pool;

  public HostStates(KvType kvType, HostBlocks source, OptionalLong budget) {
    this.kvType = kvType;
    this.pool = new StatePool(new Storage(source), budget.orElse(StatePool.UNBOUNDED));
  }

  private record Storage(HostBlocks source) implements StateStorage {
    @Override
    public Block allocate(long bytes) {
      return source.allocate(bytes);
    }

    @Override
    public boolean isSlowAtFirst() {
      return true;
    }

    @Override
    public PageTable table() {
      return new HostTable(source);
    }
  }

  /** How keys and values are kept. */
  public KvType kvType() {
    return kvType;
  }

  /** What all of them take. */
  public StatePool pool() {
    return pool;
  }

  /** One sequence's state, empty. The caller closes it. */
  public SequenceState open(List<Slot> slots) {
    return new SequenceState(slots, kvType, pool);
  }

  @Override
  public void close() {
    pool.close();
  }
}
