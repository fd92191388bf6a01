package weft.backend;

import java.util.ArrayList;
import java.util.List;

/**
 * What recurrent slots held at a position, a block each. Histories that know the same past share
 * it; the last to {@link #release} it gives the blocks back.
 */
final class Snapshot {
  private final List<SharedBlock> contents = new ArrayList<>();
  private int position;

  Snapshot(List<RecurrentMemory> slots, StatePool.Room room) {
    try {
      for (var slot : slots) contents.add(room.take(slot.contentBytes()));
    } catch (RuntimeException | Error e) {
      release();
      throw e;
    }
  }

  static long bytes(List<RecurrentMemory> slots) {
    return slots.stream().mapToLong(RecurrentMemory::contentBytes).sum();
  }

  int position() {
    return position;
  }

  long bytes() {
    return contents.stream().mapToLong(SharedBlock::bytes).sum();
  }

  /** One more owner of this. */
  Snapshot share() {
    contents.forEach(SharedBlock::share);
    return this;
  }

  void release() {
    contents.forEach(SharedBlock::release);
  }

  /** Takes what the slots hold now; only its sole owner may do so. */
  Snapshot save(List<RecurrentMemory> slots, int at) {
    for (int i = 0; i < slots.size(); i++) {
      contents.get(i).block().copyFrom(slots.get(i).block());
    }
    position = at;
    return this;
  }

  /** Gives the slots back what they held. */
  void load(List<RecurrentMemory> slots) {
    for (int i = 0; i < slots.size(); i++) {
      slots.get(i).block().copyFrom(contents.get(i).block());
    }
  }
}
