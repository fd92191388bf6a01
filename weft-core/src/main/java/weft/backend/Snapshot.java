package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What recurrent slots held at a position, one behind the other in a block of its own. Histories
 * that know the same past share it; the last to {@link #release} it gives the block back.
 */
final class Snapshot {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment contents;
  private final AtomicInteger owners = new AtomicInteger(1);
  private int position;

  Snapshot(List<RecurrentMemory> slots, MemorySource source) {
    contents = source.allocate(slots.stream().mapToLong(RecurrentMemory::bytes).sum(), arena);
  }

  int position() {
    return position;
  }

  long bytes() {
    return contents.byteSize();
  }

  /** One more owner of this. */
  Snapshot share() {
    owners.incrementAndGet();
    return this;
  }

  boolean isShared() {
    return owners.get() > 1;
  }

  void release() {
    if (owners.decrementAndGet() == 0) arena.close();
  }

  /** Takes what the slots hold now; only its sole owner may do so. */
  Snapshot save(List<RecurrentMemory> slots, int at) {
    long offset = 0;
    for (var slot : slots) {
      contents.asSlice(offset, slot.bytes()).copyFrom(slot.memory());
      offset += slot.bytes();
    }
    position = at;
    return this;
  }

  /** Gives the slots back what they held. */
  void load(List<RecurrentMemory> slots) {
    long offset = 0;
    for (var slot : slots) {
      slot.memory().copyFrom(contents.asSlice(offset, slot.bytes()));
      offset += slot.bytes();
    }
  }
}
