package weft.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Earlier contents of recurrent slots, to which alone such a slot can go back: one that a caller
 * marked, and one every so many tokens, sparser the farther back, so that their number grows with
 * the logarithm of the text.
 */
final class RecurrentHistory {
  /**
   * Tokens between snapshots, and so what a rewind may have to feed again. A copy of six layers of
   * 16 heads of 128 x 128 took 0.5 ms where each token took 13 ms or more: 0.1% of the time.
   */
  static final int INTERVAL = 32;

  /** A gap between snapshots is at most this many times its distance from the present. */
  private static final int SPARSER = 3;

  private record Snapshot(int position, List<byte[]> contents) {
    /** The empty beginning, which needs no contents. */
    static final Snapshot BEGINNING = new Snapshot(0, List.of());
  }

  private final List<RecurrentMemory> slots;

  /** Oldest first. */
  private final List<Snapshot> regular = new ArrayList<>();

  /** The latest mark; drafts mark often, so its arrays are used again. */
  private Snapshot marked = Snapshot.BEGINNING;

  private State.Snapshots cost = State.Snapshots.NONE;

  RecurrentHistory(Map<String, RecurrentMemory> slots) {
    this.slots = List.copyOf(slots.values());
  }

  /** Runs what takes a snapshot, and notes its time. */
  private Snapshot taken(Supplier<Snapshot> take) {
    long start = System.nanoTime();
    var snapshot = take.get();
    cost = cost.and(new State.Snapshots(1, System.nanoTime() - start));
    return snapshot;
  }

  private Snapshot fresh(int position) {
    return new Snapshot(position, slots.stream().map(RecurrentMemory::save).toList());
  }

  /** Keeps the present contents until the next mark. */
  void mark(int position) {
    // What is marked here already is this same text: a rewind forgets marks of what it takes back.
    if (slots.isEmpty() || position == marked.position) return;
    marked = taken(() -> marked.contents.isEmpty() ? fresh(position) : over(marked, position));
  }

  private Snapshot over(Snapshot old, int position) {
    for (int i = 0; i < slots.size(); i++) slots.get(i).save(old.contents.get(i));
    return new Snapshot(position, old.contents);
  }

  /** Keeps the present contents if it is time. */
  void advanced(int position) {
    int last = regular.isEmpty() ? 0 : regular.getLast().position;
    if (slots.isEmpty() || position - last < INTERVAL) return;
    regular.add(taken(() -> fresh(position)));
    for (int i = regular.size() - 2; i >= 0; i--) {
      int after = regular.get(i + 1).position;
      int before = i == 0 ? 0 : regular.get(i - 1).position;
      if (after - before <= SPARSER * (position - after)) regular.remove(i);
    }
  }

  /** The latest position, {@code to} at most, whose contents are kept; the beginning needs none. */
  int nearest(int to) {
    if (slots.isEmpty()) return to;
    return all().mapToInt(Snapshot::position).filter(p -> p <= to).max().orElse(0);
  }

  private Stream<Snapshot> all() {
    return Stream.concat(regular.stream(), Stream.of(marked));
  }

  /** Goes back to a position that {@link #nearest} gave, and forgets what came after it. */
  void restore(int position) {
    regular.removeIf(snapshot -> snapshot.position > position);
    if (marked.position > position) marked = Snapshot.BEGINNING;
    if (position == 0) slots.forEach(RecurrentMemory::clear);
    else all().filter(snapshot -> snapshot.position == position).findFirst().ifPresent(this::load);
  }

  private void load(Snapshot snapshot) {
    for (int i = 0; i < slots.size(); i++) slots.get(i).load(snapshot.contents.get(i));
  }

  /** Knows what another history of the same slots knows. */
  void copyFrom(RecurrentHistory other) {
    regular.addAll(other.regular);
    marked = apart(other.marked);
  }

  private static Snapshot apart(Snapshot snapshot) {
    return new Snapshot(snapshot.position, snapshot.contents.stream().map(byte[]::clone).toList());
  }

  State.Snapshots cost() {
    return cost;
  }

  long bytes() {
    return all().flatMap(s -> s.contents.stream()).mapToLong(contents -> contents.length).sum();
  }
}
