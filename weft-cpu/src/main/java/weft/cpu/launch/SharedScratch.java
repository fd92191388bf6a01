package weft.cpu.launch;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import weft.backend.MemorySource;
import weft.cpu.team.Room;

/**
 * Memory that one launch after the other uses for what is not a buffer of the program: activations
 * as bytes, rows before they are bytes, products before they are finished. Owns it; it only grows.
 */
public final class SharedScratch implements AutoCloseable {
  private static final long CACHE_LINE = 64;

  private final Arena constants = Arena.ofShared();
  private final Room bytes;
  private final Room floats;
  private final Room products;
  private MemorySegment zeros = MemorySegment.NULL;
  private int moves;

  public SharedScratch(MemorySource source) {
    this.bytes = new Room(source);
    this.floats = new Room(source);
    this.products = new Room(source);
  }

  /** Called before a step, when no worker runs. */
  public void reserve(long activationBytes, long rowFloats, long productFloats) {
    reserve(bytes, activationBytes);
    reserve(floats, rowFloats * Float.BYTES);
    reserve(products, productFloats * Float.BYTES);
  }

  private void reserve(Room room, long needed) {
    if (room.memory().byteSize() >= needed) return;
    // First: where the system refuses the more, what was there is gone.
    moves++;
    room.reserve(needed);
  }

  /** Nobody reads what the last step left: constants stay. */
  public void rest() {
    List.of(bytes, floats, products).forEach(Room::rest);
  }

  /** Changes whenever a piece has moved, so that whoever kept an address can tell. */
  public int moves() {
    return moves;
  }

  /** Numbers that stay as they are, where emitted code can read them. */
  public MemorySegment constant(float[] values) {
    var memory = constants.allocate((long) values.length * Float.BYTES, CACHE_LINE);
    MemorySegment.copy(values, 0, memory, Rows2d.FLOAT, 0, values.length);
    return memory;
  }

  /** Whole numbers likewise. */
  public MemorySegment constant(int[] values) {
    var memory = constants.allocate((long) values.length * Integer.BYTES, CACHE_LINE);
    MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_INT, 0, values.length);
    return memory;
  }

  /** At least this many zeros, which all who ask share. */
  public MemorySegment zeros(int count) {
    long needed = (long) count * Float.BYTES;
    if (zeros.byteSize() < needed) zeros = constants.allocate(needed, CACHE_LINE);
    return zeros;
  }

  /** Room for an argument block that no step changes. */
  public MemorySegment block(long bytes) {
    return constants.allocate(bytes, CACHE_LINE);
  }

  /** Where each of these lies, for emitted code to look up. */
  public MemorySegment addresses(List<MemorySegment> places) {
    var memory = constants.allocate((long) places.size() * Long.BYTES, CACHE_LINE);
    for (int i = 0; i < places.size(); i++) {
      memory.setAtIndex(ValueLayout.ADDRESS, i, places.get(i));
    }
    return memory;
  }

  public MemorySegment bytes() {
    return bytes.memory();
  }

  public MemorySegment floats() {
    return floats.memory();
  }

  public MemorySegment products() {
    return products.memory();
  }

  @Override
  public void close() {
    constants.close();
    bytes.close();
    floats.close();
    products.close();
  }
}
