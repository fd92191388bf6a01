package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.backend.SequenceState;
import weft.backend.Step;
import weft.cuda.driver.Driver;
import weft.cuda.kernel.PartCode;
import weft.ir.Slot;
import weft.lir.Bounds;

/**
 * What differs from step to step, at places that stay: the step's lists, where each row is in which
 * sequence, and where sequences have their memory. Sent by one copy. Owns its memory here and
 * there.
 */
final class StepArea implements Owned {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private final Driver driver;
  private final CudaStorage storage;
  private final int sections;
  private final long tokens;
  private final long positions;
  private final long wanted;
  private final long places;
  private final long starts;
  private final long ends;
  private final long owners;
  private final long parts;
  private final long addresses;
  private final List<Slot> slots;
  private final boolean hasRecurrent;
  private final Map<Slot, Integer> words = new HashMap<>();
  private final int partBytes;

  /** What is copied to {@link #here} at once: to write a segment costs more than to write these. */
  private final int[] lists;

  private long[] found = {};

  /** Whose addresses those are, and how often tables had moved by then. */
  private SequenceState[] knownStates = {};

  private int knownMoves;

  /** Where the device has read a step that nobody waits for, and whether the last one was such. */
  private Optional<Driver.Mark> read = Optional.empty();

  private boolean isMarked;

  private final MemorySegment here;
  private final Memory there;

  /**
   * @param sections how many positions a row has
   */
  StepArea(Driver driver, CudaStorage storage, Bounds bounds, int sections, List<Slot> slots) {
    this.driver = driver;
    this.storage = storage;
    this.sections = sections;
    this.slots = List.copyOf(slots);
    this.hasRecurrent = slots.stream().anyMatch(slot -> !(slot instanceof Slot.KeyValue));
    int rows = bounds.tokens();
    tokens = 0;
    positions = ints(tokens, rows);
    wanted = ints(positions, rows * Math.max(1, sections));
    places = ints(wanted, bounds.wanted());
    starts = ints(places, rows);
    ends = ints(starts, rows);
    owners = ints(ends, rows);
    parts = ints(owners, rows);
    addresses = ints(parts, rows * PartCode.WORDS);
    int count = 0;
    for (var slot : this.slots) {
      words.put(slot, count);
      count += slot instanceof Slot.KeyValue ? 1 : 2;
    }
    partBytes = Math.max(1, count) * Long.BYTES;
    lists = new int[Math.toIntExact(addresses / Integer.BYTES)];
    long bytes = addresses + (long) rows * partBytes;
    there = new Memory(driver);
    here = driver.pinned(bytes);
    try {
      there.allocate(bytes);
    } catch (RuntimeException | Error e) {
      driver.unpin(here);
      throw e;
    }
  }

  /** Behind so many integers, where a long may begin. */
  private static long ints(long at, long count) {
    return Math.ceilDiv(at + count * Integer.BYTES, 16L) * 16;
  }

  long tokens() {
    return there.address() + tokens;
  }

  long positions() {
    return there.address() + positions;
  }

  long wanted() {
    return there.address() + wanted;
  }

  /** A row's place in its sequence. */
  long places() {
    return there.address() + places;
  }

  /** The place from which on a row sees all up to its own, whatever its window. */
  long starts() {
    return there.address() + starts;
  }

  /** The last place of its sequence that a row sees. */
  long ends() {
    return there.address() + ends;
  }

  /** Which sequence a row is of. */
  long owners() {
    return there.address() + owners;
  }

  /** What {@link PartCode} reads. */
  long parts() {
    return there.address() + parts;
  }

  /** The address of a slot's memory of the first sequence; those of others lie behind it. */
  long slot(Slot slot) {
    return there.address() + addresses + (long) words.get(slot) * Long.BYTES;
  }

  /** From a sequence's addresses to the next one's. */
  int partBytes() {
    return partBytes;
  }

  /** Writes a step down; the one before must have been read. */
  void write(Step step) {
    put(step.tokens(), tokens);
    put(step.positions(), positions);
    put(step.wanted(), wanted);
    int count = step.parts().size();
    int words = partBytes / Long.BYTES;
    if (found.length < count * words) found = new long[count * words];
    boolean areKnown = areKnown(step.parts());
    int row = 0;
    for (int part = 0; part < count; part++) {
      var given = step.parts().get(part);
      var state = (SequenceState) given.state();
      int entry = index(parts) + part * PartCode.WORDS;
      lists[entry] = row;
      lists[entry + 1] = given.rows();
      lists[entry + 2] = given.tentative();
      lists[entry + 3] = state.pending();
      row = putRows(given, state.position(), part, row);
      if (!areKnown) find(state, part * words);
    }
    MemorySegment.copy(lists, 0, here, INT, 0, lists.length);
    MemorySegment.copy(found, 0, here, LONG, addresses, count * words);
    driver.upload(here.asSlice(0, addresses + (long) count * partBytes), there.address());
    if (step.wanted().length == 0) mark();
  }

  /** What is behind this point of the queue the next step need not wait for. */
  private void mark() {
    if (read.isPresent()) driver.mark(read.get());
    else read = Optional.of(driver.mark());
    isMarked = true;
  }

  /** Waits until the device has read the last step, where that was marked; says whether it was. */
  boolean awaitRead() {
    if (!isMarked) return false;
    isMarked = false;
    driver.await(read.orElseThrow());
    return true;
  }

  private static int index(long offset) {
    return (int) (offset / Integer.BYTES);
  }

  private void put(int[] list, long at) {
    System.arraycopy(list, 0, lists, index(at), list.length);
  }

  /** Notes where a part's rows are in their sequence; gives the next part's first. */
  private int putRows(Step.Part part, int position, int owner, int first) {
    boolean hasBlocks = !part.blocks().isEmpty();
    for (int i = 0; i < part.rows(); i++) {
      int row = first + i;
      lists[index(places) + row] = position + i;
      lists[index(starts) + row] = position + (hasBlocks ? part.first(i) : i);
      lists[index(ends) + row] = position + (hasBlocks ? part.last(i) : i);
      lists[index(owners) + row] = owner;
    }
    return first + part.rows();
  }

  /**
   * Whether the addresses are those of the last step, as they are from one token to the next of the
   * same replies: there are as many as sequences times layers. Recurrent slots' may be others.
   */
  private boolean areKnown(List<Step.Part> parts) {
    int moves = storage.moves();
    boolean areSame = moves == knownMoves && knownStates.length == parts.size();
    for (int i = 0; areSame && i < knownStates.length; i++) {
      areSame = knownStates[i] == parts.get(i).state();
    }
    if (areSame) return true;
    knownMoves = moves;
    knownStates = new SequenceState[hasRecurrent ? 0 : parts.size()];
    for (int i = 0; i < knownStates.length; i++) {
      knownStates[i] = (SequenceState) parts.get(i).state();
    }
    return false;
  }

  /** Where a sequence has its memory, slot by slot, as {@link #slot} counts. */
  private void find(SequenceState state, int at) {
    for (var slot : slots) {
      switch (slot) {
        case Slot.KeyValue kv -> found[at++] = ((CudaStorage.Table) state.table(kv)).address();
        case Slot.Conv _, Slot.Delta _ -> {
          found[at++] = ((CudaStorage.Held) state.recurrent(slot)).address();
          var kept = state.kept(slot);
          found[at++] = kept.isEmpty() ? 0 : ((CudaStorage.Held) kept.get()).address();
        }
      }
    }
  }

  int sections() {
    return sections;
  }

  @Override
  public void close() {
    read.ifPresent(Driver.Mark::close);
    read = Optional.empty();
    driver.unpin(here);
    there.close();
  }
}
