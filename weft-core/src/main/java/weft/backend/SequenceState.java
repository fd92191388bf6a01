package weft.backend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.ir.Slot;

/**
 * A sequence's state on any device: which pages and blocks it has, what it can go back to, what it
 * shares. Keys and values can be cut anywhere that their window still covers; recurrent slots
 * within the last draft, and before it only where their history has a snapshot. Owns its shares of
 * the pool.
 */
public final class SequenceState implements State {
  private final Map<String, KvPages> attention = new LinkedHashMap<>();
  private final List<KvPages> windowed = new ArrayList<>();
  private final Map<String, RecurrentMemory> recurrent = new LinkedHashMap<>();
  private final RecurrentHistory history;
  private final List<Slot> slots;
  private final KvType kvType;
  private final StatePool pool;
  private final Confined use = new Confined("the state");
  private int position;

  /**
   * Up to here every attention slot is known to have pages of its own: most tokens need not ask
   * each slot. 0 where that is not known, as when pages were cut or shared.
   */
  private int roomTo;

  /** Throws {@link NoRoomException} where the pool has no room for recurrent slots. */
  public SequenceState(List<Slot> slots, KvType kvType, StatePool pool) {
    this.slots = List.copyOf(slots);
    this.kvType = kvType;
    this.pool = pool;
    long needed = this.slots.stream().mapToLong(RecurrentMemory::contentBytes).sum();
    try (var room = pool.claim("a new sequence", needed)) {
      for (var slot : this.slots) keep(slot, room);
    } catch (RuntimeException | Error e) {
      closeSlots();
      throw e;
    }
    this.history = new RecurrentHistory(recurrent, pool);
  }

  private void keep(Slot slot, StatePool.Room room) {
    switch (slot) {
      case Slot.KeyValue kv -> {
        var pages = new KvPages(KvLayout.of(kv, kvType), pool.storage());
        attention.put(kv.name(), pages);
        if (kv.isWindowed()) windowed.add(pages);
      }
      case Slot.Conv _, Slot.Delta _ -> recurrent.put(slot.name(), new RecurrentMemory(slot, room));
    }
  }

  /**
   * The most that a sequence of so many tokens has to hold, fed so many of them a step at most and
   * {@link #slim}: what it needs to go on, a draft of {@code tentative} rows included.
   */
  public static long bytesFor(
      List<Slot> slots, KvType kvType, int tokens, int rows, int tentative) {
    long bytes = 0;
    for (var slot : slots) {
      bytes +=
          switch (slot) {
            case Slot.KeyValue kv -> KvPages.bytesFor(KvLayout.of(kv, kvType), tokens, rows);
            case Slot.Conv _, Slot.Delta _ ->
                RecurrentMemory.contentBytes(slot)
                    // Kept rows move while there are more of them.
                    + 2L * tentative * KeptRows.floats(slot) * Float.BYTES;
          };
    }
    return bytes;
  }

  /** The slots that it keeps something for. */
  public List<Slot> slots() {
    return slots;
  }

  KvType kvType() {
    return kvType;
  }

  StatePool pool() {
    return pool;
  }

  /** Kernels write here while a step runs: nobody else may, until all have left. */
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

  @Override
  public long needs(int rows, int tentative) {
    long needed = history.needs(tentative);
    if (position + (long) rows <= roomTo) return needed;
    // A loop: streams would be a good part of a small model's step.
    long pages = 0;
    for (var kv : attention.values()) pages += kv.needs(position, rows);
    if (pages == 0) roomTo = KvLayout.pages(position + rows) * KvLayout.POSITIONS;
    return needed + pages;
  }

  /**
   * Room for {@code rows} more tokens in every slot, that nobody else has too, the last of them
   * tentative; before a step's kernels run.
   */
  void reserve(int rows, int tentative, StatePool.Room room) {
    for (var kv : attention.values()) kv.reserve(position, rows, room);
    history.reserve(tentative, room);
  }

  /** Gives back what was reserved and not filled. */
  void unreserve() {
    roomTo = 0;
    attention.values().forEach(kv -> kv.cut(position));
  }

  KvPages pages(Slot.KeyValue slot) {
    return attention.get(slot.name());
  }

  /** Where a device finds the pages of a slot. */
  public PageTable table(Slot.KeyValue slot) {
    return pages(slot).table();
  }

  /** How the pages of a slot are laid out. */
  public KvLayout layout(Slot.KeyValue slot) {
    return pages(slot).layout();
  }

  /** The page of a slot that holds a position. */
  public Block page(Slot.KeyValue slot, int at) {
    return pages(slot).page(at);
  }

  /** The float32 elements of a recurrent slot. */
  public Block recurrent(Slot slot) {
    return recurrent.get(slot.name()).block();
  }

  /** Where inputs of rows of a recurrent slot are kept, once some were ({@link KeptRows}). */
  public Optional<Block> kept(Slot slot) {
    return recurrent.get(slot.name()).kept();
  }

  /** By how many of the kept rows a step has to move recurrent slots on before its own. */
  public int pending() {
    return history.pending();
  }

  /**
   * What a step has to make up for and where it lies, for who remembers both.
   *
   * @param moves how often it has moved
   */
  public record Kept(int pending, int moves) {}

  public Kept kept() {
    return new Kept(history.pending(), history.moves());
  }

  /** The step's rows are in, the last ones tentative: called once all kernels have run. */
  void advance(int rows, int tentative) {
    int from = position;
    position += rows;
    for (var kv : windowed) kv.advanced(from, position);
    history.advanced(position, tentative);
  }

  @Override
  public int rewind(int to) {
    requirePosition(to);
    if (to < position) use.during(() -> restore(nearest(to)));
    return position;
  }

  private static void requirePosition(int to) {
    if (to < 0) throw new BackendException("cannot rewind to position " + to);
  }

  @Override
  public int nearest(int to) {
    if (to >= position) return position;
    int reached = history.nearest(to);
    // A window that has moved on is farther from any earlier snapshot than from this one.
    return attention.values().stream().allMatch(kv -> kv.covers(reached)) ? reached : 0;
  }

  private void restore(int reached) {
    history.restore(reached);
    position = reached;
    unreserve();
  }

  @Override
  public void slim() {
    use.during(history::forget);
  }

  @Override
  public Snapshots snapshots() {
    return history.cost();
  }

  @Override
  public SequenceState fork(int to) {
    requirePosition(to);
    var twin = new SequenceState(slots, kvType, pool);
    try {
      use.during(() -> twin.forkFrom(this, nearest(to)));
      return twin;
    } catch (RuntimeException | Error e) {
      twin.close();
      throw e;
    }
  }

  private void forkFrom(SequenceState other, int reached) {
    other.roomTo = 0;
    other.attention.forEach((name, kv) -> attention.get(name).shareFrom(kv, reached));
    history.forkFrom(other.history, reached);
    position = reached;
  }

  @Override
  public long bytes() {
    long bytes = attention.values().stream().mapToLong(KvPages::bytes).sum();
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
    attention.values().forEach(KvPages::close);
    recurrent.values().forEach(RecurrentMemory::close);
  }
}
