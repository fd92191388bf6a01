package weft.backend;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.ir.Slot;

/**
 * A sequence's state in this process's memory; owns it. Keys and values can be cut anywhere that
 * their window still covers; recurrent slots only where a snapshot was taken, which happens every
 * {@link #SNAPSHOT_INTERVAL} tokens and at each {@link #mark}.
 */
public final class HostState implements State {
  /** A snapshot costs a copy of all recurrent slots; re-feeding costs this many tokens at worst. */
  static final int SNAPSHOT_INTERVAL = 256;

  /** The oldest snapshots go first, but for the empty beginning, which needs none. */
  private static final int SNAPSHOTS_KEPT = 16;

  private record Snapshot(int position, Map<String, byte[]> recurrent) {}

  private final Map<String, KvMemory> attention = new LinkedHashMap<>();
  private final Map<String, RecurrentMemory> recurrent = new LinkedHashMap<>();
  private final Deque<Snapshot> snapshots = new ArrayDeque<>();
  private final List<Slot> slots;
  private final KvType kvType;
  private int position;

  public HostState(List<Slot> slots, KvType kvType) {
    this.slots = List.copyOf(slots);
    this.kvType = kvType;
    for (var slot : slots) {
      switch (slot) {
        case Slot.KeyValue kv -> attention.put(kv.name(), new KvMemory(kv, kvType));
        case Slot.Conv c ->
            recurrent.put(c.name(), new RecurrentMemory((long) c.taps() * c.channels()));
        case Slot.Delta d ->
            recurrent.put(
                d.name(), new RecurrentMemory((long) d.heads() * d.keyDim() * d.valueDim()));
      }
    }
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
    int last = snapshots.isEmpty() ? 0 : snapshots.getLast().position;
    if (position - last >= SNAPSHOT_INTERVAL) mark();
  }

  @Override
  public void mark() {
    boolean isMarked = !snapshots.isEmpty() && snapshots.getLast().position == position;
    if (recurrent.isEmpty() || position == 0 || isMarked) return;
    if (snapshots.size() == SNAPSHOTS_KEPT) snapshots.removeFirst();
    var copies = new LinkedHashMap<String, byte[]>();
    recurrent.forEach((name, memory) -> copies.put(name, memory.save()));
    snapshots.addLast(new Snapshot(position, copies));
  }

  @Override
  public int rewind(int to) {
    if (to < 0) throw new BackendException("cannot rewind to position " + to);
    if (to >= position) return position;
    int reached = to;
    if (!recurrent.isEmpty()) {
      while (!snapshots.isEmpty() && snapshots.getLast().position > to) snapshots.removeLast();
      reached = snapshots.isEmpty() ? 0 : snapshots.getLast().position;
    }
    for (var kv : attention.values()) {
      if (!kv.covers(reached)) reached = 0;
    }
    if (reached == 0) {
      snapshots.clear();
      recurrent.values().forEach(RecurrentMemory::clear);
    } else if (!recurrent.isEmpty()) {
      var saved = snapshots.getLast().recurrent;
      recurrent.forEach((name, memory) -> memory.load(saved.get(name)));
    }
    position = reached;
    return reached;
  }

  @Override
  public HostState copy() {
    var twin = new HostState(slots, kvType);
    attention.forEach((name, kv) -> twin.attention.get(name).copyFrom(kv));
    recurrent.forEach((name, memory) -> twin.recurrent.get(name).load(memory.save()));
    twin.snapshots.addAll(snapshots);
    twin.position = position;
    return twin;
  }

  @Override
  public long bytes() {
    long bytes = attention.values().stream().mapToLong(KvMemory::bytes).sum();
    bytes += recurrent.values().stream().mapToLong(RecurrentMemory::bytes).sum();
    for (var snapshot : snapshots) {
      bytes += snapshot.recurrent.values().stream().mapToLong(copy -> copy.length).sum();
    }
    return bytes;
  }

  @Override
  public void close() {
    attention.values().forEach(KvMemory::close);
    recurrent.values().forEach(RecurrentMemory::close);
  }
}
