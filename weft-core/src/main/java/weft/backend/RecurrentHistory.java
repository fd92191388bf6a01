package weft.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where recurrent slots stand and what they can go back to. Their contents are of some position; of
 * the rows behind it, which were a draft, only the inputs are kept, and the next step moves the
 * contents on by as many of them as a rewind has left. Before that there are earlier contents: one
 * every so many tokens, sparser the farther back, so that their number grows with the logarithm of
 * the text. Owns what it keeps.
 */
final class RecurrentHistory implements AutoCloseable {
  /**
   * Tokens between snapshots, and so what a rewind may have to feed again. A copy of 18 layers of
   * 16 heads of 128 x 128 took 3 to 5 ms where each token took 18: under 1% of the time.
   */
  static final int INTERVAL = 32;

  /** A gap between snapshots is at most this many times its distance from the present. */
  private static final int SPARSER = 3;

  private final List<RecurrentMemory> slots;
  private final StatePool pool;

  /** Oldest first. */
  private final List<Snapshot> regular = new ArrayList<>();

  /** The position that the contents are of. */
  private int base;

  /** How many rows behind it are kept and not taken back. */
  private int pending;

  /** How often kept rows have moved. */
  private int moves;

  private State.Snapshots cost = State.Snapshots.NONE;

  RecurrentHistory(Map<String, RecurrentMemory> slots, StatePool pool) {
    this.slots = List.copyOf(slots.values());
    this.pool = pool;
  }

  /**
   * Takes a snapshot and notes its time. Where there is no room there is none: rewinds go farther
   * back, but nobody is refused for it.
   */
  private Optional<Snapshot> taken() {
    long start = System.nanoTime();
    var snapshot = fresh().map(blocks -> blocks.save(slots, base));
    cost = cost.and(new State.Snapshots(1, System.nanoTime() - start));
    return snapshot;
  }

  private Optional<Snapshot> fresh() {
    return pool.claimIfFree(Snapshot.bytes(slots))
        .map(
            room -> {
              try (room) {
                return new Snapshot(slots, room);
              }
            });
  }

  int pending() {
    return pending;
  }

  int moves() {
    return moves;
  }

  /** What {@link #reserve} would take. */
  long needs(int tentative) {
    long needed = 0;
    for (var slot : slots) needed += slot.needs(tentative);
    return needed;
  }

  /** Room for the inputs of a draft of so many rows. */
  void reserve(int tentative, StatePool.Room room) {
    boolean moved = false;
    for (var slot : slots) moved |= slot.reserveKept(tentative, room);
    if (moved) moves++;
  }

  /**
   * All rows up to a position are in, but for the last, which are kept; notes the contents if it is
   * time.
   */
  void advanced(int position, int tentative) {
    if (slots.isEmpty()) return;
    base = position - tentative;
    pending = tentative;
    int last = regular.isEmpty() ? 0 : regular.getLast().position();
    if (base - last < INTERVAL) return;
    var taken = taken();
    if (taken.isEmpty()) return;
    regular.add(taken.get());
    for (int i = regular.size() - 2; i >= 0; i--) {
      int after = regular.get(i + 1).position();
      int before = i == 0 ? 0 : regular.get(i - 1).position();
      if (after - before <= SPARSER * (base - after)) regular.remove(i).release();
    }
  }

  /** The latest position, {@code to} at most, that can be had; the beginning needs nothing. */
  int nearest(int to) {
    if (slots.isEmpty() || to >= base) return to;
    return regular.stream().mapToInt(Snapshot::position).filter(p -> p <= to).max().orElse(0);
  }

  /** Goes back to a position that {@link #nearest} gave, and forgets what came after it. */
  void restore(int position) {
    if (slots.isEmpty()) return;
    if (position >= base) {
      pending = position - base;
      return;
    }
    while (!regular.isEmpty() && regular.getLast().position() > position) {
      regular.removeLast().release();
    }
    load(position);
  }

  /** The slots hold what they held at the last snapshot, which is this position's, or nothing. */
  private void load(int position) {
    if (position == 0) slots.forEach(RecurrentMemory::clear);
    else regular.getLast().load(slots);
    base = position;
    pending = 0;
  }

  /**
   * Knows what another history of the same slots knows up to a position that its {@link #nearest}
   * gave, and nothing yet of its own; the slots hold what they held there.
   */
  void forkFrom(RecurrentHistory other, int position) {
    if (slots.isEmpty()) return;
    other.regular.stream()
        .filter(s -> s.position() <= position)
        .forEach(s -> regular.add(s.share()));
    if (position < other.base) {
      load(position);
      return;
    }
    pending = position - other.base;
    base = other.base;
    try (var room = pool.claim("the draft of a forked sequence", needs(pending))) {
      reserve(pending, room);
    }
    for (int i = 0; i < slots.size(); i++) slots.get(i).copyFrom(other.slots.get(i));
  }

  State.Snapshots cost() {
    return cost;
  }

  long bytes() {
    return regular.stream().mapToLong(Snapshot::bytes).sum();
  }

  /** Can go back no farther than within the last draft, from now on. */
  void forget() {
    regular.forEach(Snapshot::release);
    regular.clear();
  }

  @Override
  public void close() {
    forget();
  }
}
