package weft.backend;

import java.util.Optional;
import weft.ir.Slot;

/**
 * The float32 elements of one recurrent slot, zero at the beginning, and the inputs of rows that
 * are not in them yet ({@link KeptRows}); owns both.
 */
final class RecurrentMemory implements AutoCloseable {
  private final SharedBlock contents;
  private final long keptRowBytes;
  private Optional<SharedBlock> kept = Optional.empty();

  RecurrentMemory(Slot slot, StatePool.Room room) {
    this.contents = room.take(contentBytes(slot));
    this.keptRowBytes = KeptRows.floats(slot) * Float.BYTES;
    clear();
  }

  /** What a slot takes; none if it is not recurrent. */
  static long contentBytes(Slot slot) {
    return Float.BYTES
        * switch (slot) {
          case Slot.KeyValue _ -> 0L;
          case Slot.Conv c -> (long) c.taps() * c.channels();
          case Slot.Delta d -> (long) d.heads() * d.keyDim() * d.valueDim();
        };
  }

  Block block() {
    return contents.block();
  }

  /** Where rows are kept, once there was room for any. */
  Optional<Block> kept() {
    return kept.map(SharedBlock::block);
  }

  /** What {@link #reserveKept} would take. */
  long needs(int rows) {
    return hasRoomFor(rows) ? 0 : rows * keptRowBytes;
  }

  private boolean hasRoomFor(int rows) {
    return rows * keptRowBytes <= kept.map(SharedBlock::bytes).orElse(0L);
  }

  /** Room for this many kept rows beside those there are; says whether they have moved. */
  boolean reserveKept(int rows, StatePool.Room room) {
    if (hasRoomFor(rows)) return false;
    var grown = room.take(rows * keptRowBytes);
    kept.ifPresent(
        old -> {
          grown.block().copyFrom(old.block());
          old.release();
        });
    kept = Optional.of(grown);
    return true;
  }

  /** Has what another one has, whose kept rows there is room for. */
  void copyFrom(RecurrentMemory other) {
    block().copyFrom(other.block());
    kept.ifPresent(to -> other.kept().ifPresent(to.block()::copyFrom));
  }

  long bytes() {
    return contentBytes() + kept.map(SharedBlock::bytes).orElse(0L);
  }

  /** Kept rows aside. */
  long contentBytes() {
    return contents.bytes();
  }

  void clear() {
    contents.block().clear();
  }

  @Override
  public void close() {
    contents.release();
    kept.ifPresent(SharedBlock::release);
  }
}
