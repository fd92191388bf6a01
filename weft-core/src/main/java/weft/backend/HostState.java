package weft.backend;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.ir.Slot;

/**
 * A sequence's state in this process's memory; owns it. Keys and values can be cut anywhere that
 * their window still covers; recurrent slots only where their history has a snapshot.
 */
public final class HostState implements State {
  private final Map<String, KvMemory> attention = new LinkedHashMap<>();
  private final Map<String, RecurrentMemory> recurrent = new LinkedHashMap<>();
  private final RecurrentHistory history;
  private final List<Slot> slots;
  private final HostStates maker;
  private final Confined use = new Confined("the state");
  private int position;

  HostState(List<Slot> slots, HostStates maker) {
    this.slots = List.copyOf(slots);
    this.maker = maker;
    try {
      this.slots.forEach(this::keep);
    } catch (RuntimeException | Error e) {
      closeSlots();
      throw e;
    }
    this.history = new RecurrentHistory(recurrent, maker.source());
  }

  private void keep(Slot slot) {
    var source = maker.source();
    switch (slot) {
      case Slot.KeyValue kv -> attention.put(kv.name(), new KvMemory(kv, maker.kvType(), source));
      case Slot.Conv c ->
          recurrent.put(c.name(), new RecurrentMemory((long) c.taps() * c.channels(), source));
      case Slot.Delta d ->
          recurrent.put(
              d.name(), new RecurrentMemory((long) d.heads() * d.keyDim() * d.valueDim(), source));
    }
  }

  List<Slot> slots() {
    return slots;
  }

  KvType kvType() {
    return maker.kvType();
  }

  boolean isOf(HostStates states) {
    return maker == states;
  }

  /** Emitted code writes here while a step runs: nobody else may, until all have left. */
  void enter() {
    use.enter();
  }

  void leave() {
    use.leave();
  }

  @Override
  public int position() {
    return position;
  }

  /** Room for {@code rows} more tokens in every slot; called before a step's kernels run. */
  public void reserve(int rows) {
    attention.values().forEach(kv -> kv.reserve(position, rows));
  }

  public KvMemory keyValues(Slot.KeyValue slot) {
    return attention.get(slot.name());
  }

  /** The float32 elements of a recurrent slot. */
  public MemorySegment recurrent(Slot slot) {
    return recurrent.get(slot.name()).memory();
  }

  /** The step's rows are in: called once all kernels have run. */
  public void advance(int rows) {
    position += rows;
    history.advanced(position);
  }

  @Override
  public void mark() {
    use.during(() -> history.mark(position));
  }

  @Override
  public int rewind(int to) {
    if (to < 0) throw new BackendException("cannot rewind to position " + to);
    if (to < position) use.during(() -> position = restore(to));
    return position;
  }

  private int restore(int to) {
    int reached = history.nearest(to);
    for (var kv : attention.values()) {
      // A window that has moved on is farther from any earlier snapshot than from this one.
      if (!kv.covers(reached)) reached = 0;
    }
    history.restore(reached);
    return reached;
  }

  @Override
  public Snapshots snapshots() {
    return history.cost();
  }

  @Override
  public HostState copy() {
    var twin = new HostState(slots, maker);
    try {
      use.during(() -> twin.copyFrom(this));
      return twin;
    } catch (RuntimeException | Error e) {
      twin.close();
      throw e;
    }
  }

  private void copyFrom(HostState other) {
    other.attention.forEach((name, kv) -> attention.get(name).copyFrom(kv));
    other.recurrent.forEach((name, m) -> recurrent.get(name).memory().copyFrom(m.memory()));
    history.copyFrom(other.history);
    position = other.position;
  }

  @Override
  public long bytes() {
    long bytes = attention.values().stream().mapToLong(KvMemory::bytes).sum();
    bytes += recurrent.values().stream().mapToLong(RecurrentMemory::bytes).sum();
    bytes += history.bytes();
    return bytes;
  }

  /** Waits for a step that runs; a second time changes nothing. */
  @Override
  public void close() {
    if (!use.close()) return;
    closeSlots();
    history.close();
  }

  private void closeSlots() {
    attention.values().forEach(KvMemory::close);
    recurrent.values().forEach(RecurrentMemory::close);
  }
}
