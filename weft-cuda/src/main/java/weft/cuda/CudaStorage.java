package weft.cuda;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.backend.Block;
import weft.backend.NoRoomException;
import weft.backend.PageTable;
import weft.backend.StateStorage;
import weft.cuda.driver.Driver;
import weft.cuda.driver.OutOfDeviceMemoryException;

/**
 * The memory of states on the device. Blocks of one size are cut out of larger pieces, for the
 * driver takes long to give memory and to take it back. Owns it; safe from any thread.
 */
final class CudaStorage implements StateStorage, AutoCloseable {
  /** A piece has so many bytes at the most, or one block. */
  private static final long PIECE = 8L << 20;

  /** Entries of a new table: 16,384 positions. */
  private static final int SMALLEST_TABLE = 256;

  private final Driver driver;
  private final Map<Long, Deque<Long>> free = new HashMap<>();
  private final List<Long> pieces = new ArrayList<>();
  private final Set<Table> changed = new HashSet<>();

  private final TableWrites writes;
  private int moves;

  CudaStorage(Driver driver, Kernels kernels) {
    this.driver = driver;
    this.writes = new TableWrites(driver, kernels);
  }

  @Override
  public Block allocate(long bytes) {
    return new Held(place(bytes), bytes);
  }

  private synchronized long place(long bytes) {
    long size = aligned(bytes);
    var places = free.computeIfAbsent(size, _ -> new ArrayDeque<>());
    if (places.isEmpty()) cut(size, places);
    return places.removeFirst();
  }

  private static long aligned(long bytes) {
    return Math.max(1, Math.ceilDiv(bytes, Driver.ALIGNMENT)) * Driver.ALIGNMENT;
  }

  private void cut(long size, Deque<Long> places) {
    long count = Math.clamp(PIECE / size, 1, 64);
    try {
      long piece = driver.allocate(count * size);
      pieces.add(piece);
      for (long i = 0; i < count; i++) places.add(piece + i * size);
    } catch (OutOfDeviceMemoryException e) {
      throw new NoRoomException(size, e);
    }
  }

  private synchronized void giveBack(long address, long bytes) {
    var places = free.get(aligned(bytes));
    if (places != null) places.addFirst(address);
  }

  /** A block on the device. */
  final class Held implements Block {
    private final long address;
    private final long bytes;

    private Held(long address, long bytes) {
      this.address = address;
      this.bytes = bytes;
    }

    long address() {
      return address;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void copyFrom(Block other) {
      driver.copy(((Held) other).address, address, Math.min(bytes, other.bytes()));
    }

    @Override
    public void clear() {
      driver.clear(address, bytes);
    }

    @Override
    public void free() {
      giveBack(address, bytes);
    }
  }

  @Override
  public PageTable table() {
    return new Table();
  }

  /** The addresses of a slot's pages, here and on the device, where they are sent before a step. */
  final class Table implements PageTable {
    private long[] pages = new long[SMALLEST_TABLE];
    private long bytes = (long) SMALLEST_TABLE * Long.BYTES;
    private long address = place(bytes);
    private int used;

    /** What the device does not know yet lies between these. */
    private int changedFrom;

    private int changedTo;

    long address() {
      return address;
    }

    @Override
    public void put(int index, Block page) {
      synchronized (CudaStorage.this) {
        if (index >= pages.length) grow(index);
        pages[index] = ((Held) page).address;
        used = Math.max(used, index + 1);
        change(index, index + 1);
      }
    }

    private void change(int from, int to) {
      boolean isFirst = changed.add(this);
      changedFrom = isFirst ? from : Math.min(changedFrom, from);
      changedTo = isFirst ? to : Math.max(changedTo, to);
    }

    private void tell() {
      for (int i = changedFrom; i < changedTo; i++) {
        writes.add(address + (long) i * Long.BYTES, pages[i]);
      }
    }

    private void grow(int index) {
      var longer = Arrays.copyOf(pages, Math.max(2 * pages.length, index + 1));
      // Where there is no room for it, the table is as it was.
      long place = place((long) longer.length * Long.BYTES);
      giveBack(address, bytes);
      pages = longer;
      bytes = (long) pages.length * Long.BYTES;
      address = place;
      moves++;
      change(0, used);
    }

    /** What no kernel asks for need not be taken away. */
    @Override
    public void remove(int index) {}

    @Override
    public void close() {
      synchronized (CudaStorage.this) {
        changed.remove(this);
        giveBack(address, bytes);
      }
    }
  }

  /** How often a table has moved: until the next time, all are where they were. */
  synchronized int moves() {
    return moves;
  }

  /** Tells the device of pages that were put since the last time. */
  synchronized void send() {
    if (changed.isEmpty()) return;
    writes.begin();
    for (var table : changed) table.tell();
    writes.send();
    changed.clear();
  }

  @Override
  public synchronized void close() {
    free.clear();
    changed.clear();
    writes.close();
    pieces.forEach(driver::free);
    pieces.clear();
  }
}
