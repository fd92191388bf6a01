package weft.backend;

import java.util.List;
import weft.ir.Slot;

/** The states that one device hands out: all are kept alike, and none of another device's is. */
public final class HostStates {
  private final KvType kvType;
  private final MemorySource source;

  public HostStates(KvType kvType, MemorySource source) {
    this.kvType = kvType;
    this.source = source;
  }

  /** How keys and values are kept. */
  public KvType kvType() {
    return kvType;
  }

  MemorySource source() {
    return source;
  }

  /** One sequence's state, empty. The caller closes it. */
  public HostState open(List<Slot> slots) {
    return new HostState(slots, this);
  }
}
