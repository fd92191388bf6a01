package weft.cuda.interpret;

import java.util.Arrays;
import java.util.TreeMap;
import weft.cuda.driver.OutOfDeviceMemoryException;

/**
 * A device's memory as the allocations that there are, each byte with whether it was written, and
 * words that kernels write with who touched them in this launch.
 */
final class GlobalMemory {
  /** Far from zero, and so far apart that an access beyond one allocation meets no other. */
  private static final long FIRST = 0x7F_0000_0000L;

  private static final long GAP = 1 << 20;

  /** Words of an allocation whose marks lie together. */
  private static final int MARKS = 1024;

  private final TreeMap<Long, Allocation> allocations = new TreeMap<>();
  private final long capacity;
  private long taken;
  private long next = FIRST;

  /** The last launch that is known to be over. */
  private int settled;

  GlobalMemory(long capacity) {
    this.capacity = capacity;
  }

  /** One allocation. */
  static final class Allocation {
    private final long base;
    private final byte[] bytes;
    private final byte[] written;
    private final long[][] writers;
    private final long[][] readers;
    private boolean isFree;

    private Allocation(long base, int size) {
      this.base = base;
      bytes = new byte[size];
      written = new byte[size];
      int chunks = size / 4 / MARKS + 1;
      writers = new long[chunks][];
      readers = new long[chunks][];
    }

    boolean holds(long address, int size) {
      return !isFree && address >= base && address + size <= base + bytes.length;
    }

    int index(long address) {
      return (int) (address - base);
    }

    byte[] bytes() {
      return bytes;
    }

    void write(int at, int size) {
      Arrays.fill(written, at, at + size, (byte) 1);
    }

    void copyWritten(int at, Allocation from, int fromAt, int size) {
      System.arraycopy(from.written, fromAt, written, at, size);
    }

    /** The first of these bytes that nobody wrote, or −1. */
    int unwritten(int at, int size) {
      for (int i = at; i < at + size; i++) if (written[i] == 0) return i;
      return -1;
    }

    /** Whether a kernel that may still run has written one of these words. */
    boolean isOfKernels(int at, int size, Warp warp) {
      int settled = warp.block().global().settled;
      int since = warp.block().launch() - settled;
      for (int word = at >> 2; word <= at + size - 1 >> 2; word++) {
        var chunk = writers[word / MARKS];
        long mark = chunk == null ? 0 : chunk[word % MARKS];
        int after = Marks.launch(mark) - settled & 0xFFFF;
        if (mark != 0 && after > 0 && after <= since) return true;
      }
      return false;
    }

    /** A thread reads words; who must not have written them meanwhile is told. */
    void noteRead(int at, int size, Warp warp, int lane) {
      for (int word = at >> 2; word <= at + size - 1 >> 2; word++) {
        var chunk = writers[word / MARKS];
        if (chunk == null) continue;
        check(chunk[word % MARKS], warp, lane, "reads", "wrote");
        var marks = readers[word / MARKS];
        long mark = warp.mark(lane);
        long before = marks[word % MARKS];
        marks[word % MARKS] = Marks.joined(before, mark);
      }
    }

    /** A thread writes whole words. */
    void noteWrite(int at, int size, Warp warp, int lane) {
      for (int word = at >> 2; word <= at + size - 1 >> 2; word++) {
        int chunk = word / MARKS;
        if (writers[chunk] == null) {
          writers[chunk] = new long[MARKS];
          readers[chunk] = new long[MARKS];
        }
        check(writers[chunk][word % MARKS], warp, lane, "writes", "wrote");
        check(readers[chunk][word % MARKS], warp, lane, "writes", "read");
        writers[chunk][word % MARKS] = warp.mark(lane);
      }
    }

    private static void check(long mark, Warp warp, int lane, String does, String did) {
      if (warp.isOrdered(mark, lane)) return;
      throw warp.fault(
          lane,
          "race: %s global memory that %s %s in this launch".formatted(does, Marks.who(mark), did));
    }
  }

  /** So many launches are over when the next begins. */
  void settle(int launches) {
    settled = launches;
  }

  long allocate(long bytes) {
    if (taken + bytes > capacity) {
      throw new OutOfDeviceMemoryException("the interpreter", bytes, capacity - taken);
    }
    long base = next;
    next += (bytes + GAP - 1) / GAP * GAP + GAP;
    taken += bytes;
    allocations.put(base, new Allocation(base, Math.toIntExact(bytes)));
    return base;
  }

  void free(long address) {
    var gone = allocations.remove(address);
    if (gone == null) throw new PtxFault("free of %#x, which is no allocation".formatted(address));
    gone.isFree = true;
    taken -= gone.bytes.length;
  }

  long free() {
    return capacity - taken;
  }

  int count() {
    return allocations.size();
  }

  /** The allocation that these bytes lie in, for copies. */
  Allocation at(long address, long size, String what) {
    var entry = allocations.floorEntry(address);
    if (entry == null || !entry.getValue().holds(address, Math.toIntExact(size))) {
      throw new PtxFault(
          "%s of %d bytes at %#x, %s".formatted(what, size, address, describe(address)));
    }
    return entry.getValue();
  }

  /** The same for a lane's access, which must lie at a multiple of its size. */
  Allocation access(Warp warp, int lane, long address, int size, String does) {
    var entry = allocations.floorEntry(address);
    if (entry == null || !entry.getValue().holds(address, size)) {
      throw warp.fault(
          lane, "%s %d bytes at %#x, %s".formatted(does, size, address, describe(address)));
    }
    return entry.getValue();
  }

  private String describe(long address) {
    var entry = allocations.floorEntry(address);
    if (entry == null) return "where no allocation is";
    long beyond = address - entry.getValue().base - entry.getValue().bytes.length;
    return "out of bounds: %d bytes %s the end of an allocation of %d"
        .formatted(
            Math.abs(beyond), beyond < 0 ? "before" : "behind", entry.getValue().bytes.length);
  }
}
