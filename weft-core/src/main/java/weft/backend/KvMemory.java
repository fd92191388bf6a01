package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import weft.ir.Slot;
import weft.quant.Encoding;

/**
 * The keys and values of one attention slot, head by head, position behind position; owns them. An
 * unbounded slot doubles as it fills; a windowed one is a ring that holds the window and one step.
 */
public final class KvMemory implements AutoCloseable {
  private static final int SMALLEST = 64;

  /** Readable, meaningless keys behind the last, for kernels that score positions in fours. */
  public static final int KEYS_BEHIND = 3;

  private final Slot.KeyValue slot;
  private final Encoding encoding;
  private final MemorySource source;
  private Arena arena = Arena.ofShared();
  private MemorySegment keys = MemorySegment.NULL;
  private MemorySegment values = MemorySegment.NULL;
  private int capacity;

  /** The oldest position that no later one has overwritten. */
  private int oldest;

  KvMemory(Slot.KeyValue slot, KvType type, MemorySource source) {
    this.slot = slot;
    this.source = source;
    this.encoding = encoding(slot, type);
  }

  /** How a slot is stored: a head that is not whole blocks stays in float32 rather than fail. */
  public static Encoding encoding(Slot.KeyValue slot, KvType type) {
    boolean fits =
        slot.keyDim() % type.encoding().blockValues() == 0
            && slot.valueDim() % type.encoding().blockValues() == 0;
    return fits ? type.encoding() : KvType.F32.encoding();
  }

  public Encoding encoding() {
    return encoding;
  }

  /** How many positions fit before the next growth. */
  public int capacity() {
    return capacity;
  }

  public MemorySegment keys() {
    return keys;
  }

  public MemorySegment values() {
    return values;
  }

  /** The bytes of one head's key. */
  public long keyBytes() {
    return encoding.bytes(slot.keyDim());
  }

  public long valueBytes() {
    return encoding.bytes(slot.valueDim());
  }

  /** Where a position's key of a head lies. */
  public long keyOffset(int head, int position) {
    return ((long) head * capacity + position % capacity) * keyBytes();
  }

  public long valueOffset(int head, int position) {
    return ((long) head * capacity + position % capacity) * valueBytes();
  }

  long bytes() {
    return keys.byteSize() + values.byteSize();
  }

  /** Room for {@code rows} more positions behind {@code position}. */
  void reserve(int position, int rows) {
    int needed =
        slot.isWindowed()
            ? (int) Math.min((long) slot.window() + rows, (long) position + rows)
            : Math.addExact(position, rows);
    if (needed > capacity) grow(needed, position, rows);
    oldest = position == 0 ? 0 : Math.max(oldest, position + rows - capacity);
  }

  private void grow(int needed, int position, int rows) {
    int doubled = Math.max(Math.max(SMALLEST, needed), 2 * capacity);
    // A ring never needs more than its window and the largest step so far.
    int grown =
        slot.isWindowed() ? Math.min(doubled, slot.window() + Math.max(rows, SMALLEST)) : doubled;
    resize(Math.max(grown, needed), position);
  }

  private void resize(int grown, int position) {
    var oldArena = arena;
    var oldKeys = keys;
    var oldValues = values;
    int oldCapacity = capacity;
    replace(
        (slot.heads() * (long) grown + KEYS_BEHIND) * keyBytes(),
        slot.heads() * (long) grown * valueBytes());
    capacity = grown;
    for (int head = 0; head < slot.heads(); head++) {
      // As many at once as lie behind each other both here and there: rings wrap.
      for (int p = oldest, run; p < position; p += run) {
        run = Math.min(oldCapacity - p % oldCapacity, capacity - p % capacity);
        run = Math.min(run, position - p);
        long from = (long) head * oldCapacity + p % oldCapacity;
        long toKey = keyOffset(head, p);
        long toValue = valueOffset(head, p);
        MemorySegment.copy(oldKeys, from * keyBytes(), keys, toKey, run * keyBytes());
        MemorySegment.copy(oldValues, from * valueBytes(), values, toValue, run * valueBytes());
      }
    }
    oldArena.close();
  }

  /** New room for keys and values; where there is none, the old stays as it is. */
  private void replace(long bytesOfKeys, long bytesOfValues) {
    var room = Arena.ofShared();
    try {
      var newKeys = source.allocate(bytesOfKeys, room);
      values = source.allocate(bytesOfValues, room);
      keys = newKeys;
      arena = room;
    } catch (OutOfMemoryError e) {
      room.close();
      throw new BackendException(
          "there is no memory for %s of %d bytes; use a shorter --context or smaller keys and values"
              .formatted(slot.name(), bytesOfKeys + bytesOfValues),
          e);
    } catch (RuntimeException | Error e) {
      room.close();
      throw e;
    }
  }

  /** Whether the sequence can go back to a position: its window is still here. */
  boolean covers(int position) {
    return Math.max(0, position - slot.window() + 1) >= oldest;
  }

  void copyFrom(KvMemory other) {
    var oldArena = arena;
    replace(other.keys.byteSize(), other.values.byteSize());
    oldArena.close();
    capacity = other.capacity;
    oldest = other.oldest;
    keys.copyFrom(other.keys);
    values.copyFrom(other.values);
  }

  @Override
  public void close() {
    arena.close();
  }
}
