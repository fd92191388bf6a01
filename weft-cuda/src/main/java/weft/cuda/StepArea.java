package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final Map<Slot, Integer> words = new HashMap<>();
  private final int partBytes;
  private final MemorySegment here;
  private final Memory there;

  /**
   * @param sections how many positions a row has
   */
  StepArea(Driver driver, Bounds bounds, int sections, List<Slot> slots) {
    this.driver = driver;
    this.sections = sections;
    this.slots = List.copyOf(slots);
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
    MemorySegment.copy(step.tokens(), 0, here, INT, tokens, step.rows());
    MemorySegment.copy(step.positions(), 0, here, INT, positions, step.rows() * step.sections());
    MemorySegment.copy(step.wanted(), 0, here, INT, wanted, step.wanted().length);
    int row = 0;
    for (int part = 0; part < step.parts().size(); part++) {
      var given = step.parts().get(part);
      var state = (SequenceState) given.state();
      long entry = parts + (long) part * PartCode.WORDS * Integer.BYTES;
      here.set(INT, entry, row);
      here.set(INT, entry + 4, given.rows());
      here.set(INT, entry + 8, given.tentative());
      here.set(INT, entry + 12, state.pending());
      for (int i = 0; i < given.rows(); i++, row++) {
        here.set(INT, places + 4L * row, state.position() + i);
        here.set(INT, starts + 4L * row, state.position() + given.first(i));
        here.set(INT, ends + 4L * row, state.position() + given.last(i));
        here.set(INT, owners + 4L * row, part);
      }
      write(state, addresses + (long) part * partBytes);
    }
    long used = addresses + (long) step.parts().size() * partBytes;
    driver.upload(here.asSlice(0, used), there.address());
  }

  private void write(SequenceState state, long at) {
    for (var slot : slots) {
      long place = at + (long) words.get(slot) * Long.BYTES;
      switch (slot) {
        case Slot.KeyValue kv ->
            here.set(LONG, place, ((CudaStorage.Table) state.table(kv)).address());
        case Slot.Conv _, Slot.Delta _ -> {
          here.set(LONG, place, ((CudaStorage.Held) state.recurrent(slot)).address());
          here.set(
              LONG,
              place + Long.BYTES,
              state.kept(slot).map(block -> ((CudaStorage.Held) block).address()).orElse(0L));
        }
      }
    }
  }

  int sections() {
    return sections;
  }

  @Override
  public void close() {
    driver.unpin(here);
    there.close();
  }
}
