package weft.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Earlier contents of recurrent slots, to which alone such a slot can go back: one that a caller
 * marked, and one every so many tokens, sparser the farther back, so that their number grows with
 * the logarithm of the text. Owns what it keeps.
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

  /** The latest mark, if there is one; drafts mark often, so its block is used again. */
  private Optional<Snapshot> marked = Optional.empty();

  private State.Snapshots cost = State.Snapshots.NONE;

  RecurrentHistory(Map<String, RecurrentMemory> slots, StatePool pool) {
    this.slots = List.copyOf(slots.values());
    this.pool = pool;
  }

  /**
   * Takes a snapshot, in blocks that are there or in new ones, and notes its time. Where there is
   * no room there is none: rewinds go farther back, but nobody is refused for it.
   */
  private Optional<Snapshot> taken(int position, Optional<Snapshot> blocks) {
    long start = System.nanoTime();
    var snapshot = blocks.or(this::fresh).map(b -> b.save(slots, position));
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

  /** Keeps the present contents until the next mark. */
  void mark(int position) {
    // What is marked here already is this same text: a rewind forgets marks of what it takes back.
    if (slots.isEmpty() || position == 0 || isMarked(position)) return;
    marked.filter(Snapshot::isShared).ifPresent(_ -> forgetMark());
    marked = taken(position, marked);
  }

  private boolean isMarked(int position) {
    return marked.isPresent() && marked.get().position() == position;
  }

  private void forgetMark() {
    marked.ifPresent(Snapshot::release);
    marked = Optional.empty();
  }

  /** Keeps the present contents if it is time. */
  void advanced(int position) {
    int last = regular.isEmpty() ? 0 : regular.getLast().position();
    if (slots.isEmpty() || position - last < INTERVAL) return;
    var taken = taken(position, Optional.empty());
    if (taken.isEmpty()) return;
    regular.add(taken.get());
    for (int i = regular.size() - 2; i >= 0; i--) {
      int after = regular.get(i + 1).position();
      int before = i == 0 ? 0 : regular.get(i - 1).position();
      if (after - before <= SPARSER * (position - after)) regular.remove(i).release();
    }
  }

  /** The latest position, {@code to} at most, whose contents are kept; the beginning needs none. */
  int nearest(int to) {
    if (slots.isEmpty()) return to;
    return all().mapToInt(Snapshot::position).filter(p -> p <= to).max().orElse(0);
  }

  private Stream<Snapshot> all() {
    return Stream.concat(regular.stream(), marked.stream());
  }

  /** Goes back to a position that {@link #nearest} gave, and forgets what came after it. */
  void restore(int position) {
    while (!regular.isEmpty() && regular.getLast().position() > position) {
      regular.removeLast().release();
    }
    if (marked.isPresent() && marked.get().position() > position) forgetMark();
    if (position == 0) slots.forEach(RecurrentMemory::clear);
    else all().filter(s -> s.position() == position).findFirst().ifPresent(s -> s.load(slots));
  }

  /**
   * Knows what another history of the same slots knows up to the present position, or one that its
   * {@link #nearest} gave, and nothing yet of its own; the slots hold what they held there.
   */
  void forkFrom(RecurrentHistory other, int position, boolean isPresent) {
    other.regular.stream()
        .filter(s -> s.position() <= position)
        .forEach(s -> regular.add(s.share()));
    marked = other.marked.filter(s -> s.position() <= position).map(Snapshot::share);
    if (!isPresent) restore(position);
    else {
      for (int i = 0; i < slots.size(); i++) {
        slots.get(i).block().copyFrom(other.slots.get(i).block());
      }
    }
  }

  State.Snapshots cost() {
    return cost;
  }

  long bytes() {
    return all().mapToLong(Snapshot::bytes).sum();
  }

  @Override
  public void close() {
    regular.forEach(Snapshot::release);
    regular.clear();
    forgetMark();
  }
}
