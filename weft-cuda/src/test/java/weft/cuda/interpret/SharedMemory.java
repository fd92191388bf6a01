package weft.cuda.interpret;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A block's shared memory, and beside it who wrote and read each piece of it, and when. */
final class SharedMemory {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private final byte[] bytes;
  private final int shift;
  private final int[] writeStamp;
  private final int[] writeThread;
  private final int[] readStamp;
  private final int[] readThread;
  private final boolean[] isShared;

  /** The fences that the writer's warp had made for tensor cores before it wrote. */
  private final int[] writeFence;

  /** The fences of each warp. */
  private int[] fences = new int[1];

  /** Whether a copy is on its way there. */
  private final boolean[] isPending;

  /** Where several warps read: the stamp at which each did last, and the lane. */
  private final int[][] readers;

  private Clocks clocks = new Clocks(1);
  private int warps = 1;

  SharedMemory(int size, int granule) {
    bytes = new byte[size];
    shift = Integer.numberOfTrailingZeros(granule);
    int pieces = (size >> shift) + 1;
    writeStamp = new int[pieces];
    writeThread = new int[pieces];
    writeFence = new int[pieces];
    readStamp = new int[pieces];
    readThread = new int[pieces];
    isShared = new boolean[pieces];
    isPending = new boolean[pieces];
    readers = new int[pieces][];
  }

  static VarHandle view(Class<?> type) {
    return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
  }

  /** Nothing is written: the memory of another block. */
  void begin(Clocks clocks, int warps) {
    this.clocks = clocks;
    this.warps = warps;
    fences = new int[warps];
    Arrays.fill(writeStamp, 0);
    Arrays.fill(readStamp, 0);
    Arrays.fill(readers, null);
    Arrays.fill(isPending, false);
  }

  private void check(Warp warp, int lane, int address, int size, String does) {
    if (address < 0 || address + size > bytes.length) {
      throw warp.fault(
          lane,
          "%s %d bytes at %d of %d bytes of shared memory"
              .formatted(does, size, address, bytes.length));
    }
    if ((address & (size - 1)) != 0) {
      throw warp.fault(
          lane, "%s %d bytes at %d of shared memory: misaligned".formatted(does, size, address));
    }
  }

  /** The bytes are read by a lane from here on. */
  void read(Warp warp, int lane, int address, int size) {
    check(warp, lane, address, size, "reads");
    int stamp = clocks.stamp(warp.number());
    int thread = warp.number() * Slots.LANES + lane;
    for (int i = address >> shift; i <= address + size - 1 >> shift; i++) {
      if (isPending[i]) throw pending(warp, lane, i, "reads");
      if (writeStamp[i] == 0) {
        throw warp.fault(lane, "reads shared memory at %d, unwritten".formatted(i << shift));
      }
      if (!clocks.isBefore(writeThread[i], writeStamp[i], warp.number(), lane)) {
        throw race(warp, lane, i, "reads", "wrote", writeThread[i]);
      }
      noteReader(i, warp.number(), thread, stamp);
    }
  }

  private void noteReader(int piece, int warp, int thread, int stamp) {
    boolean another = readStamp[piece] != 0 && readThread[piece] / Slots.LANES != warp;
    if (another && readers[piece] == null) {
      readers[piece] = new int[2 * warps];
      noteOne(piece, readThread[piece], readStamp[piece]);
    }
    if (readers[piece] != null) noteOne(piece, thread, stamp);
    // What several lanes of a warp read at one stamp none of them may write.
    boolean shares =
        !another && readStamp[piece] == stamp && (isShared[piece] || readThread[piece] != thread);
    isShared[piece] = shares;
    readThread[piece] = thread;
    readStamp[piece] = stamp;
  }

  private void noteOne(int piece, int thread, int stamp) {
    int warp = thread / Slots.LANES;
    readers[piece][2 * warp] = stamp;
    readers[piece][2 * warp + 1] = thread;
  }

  /** The bytes are written by a lane. */
  void write(Warp warp, int lane, int address, int size) {
    check(warp, lane, address, size, "writes");
    int stamp = clocks.stamp(warp.number());
    int thread = warp.number() * Slots.LANES + lane;
    for (int i = address >> shift; i <= address + size - 1 >> shift; i++) {
      if (isPending[i]) throw pending(warp, lane, i, "writes");
      if (writeStamp[i] != 0
          && !clocks.isBefore(writeThread[i], writeStamp[i], warp.number(), lane)) {
        throw race(warp, lane, i, "writes", "wrote", writeThread[i]);
      }
      if (readStamp[i] != 0) {
        boolean isBefore = clocks.isBefore(readThread[i], readStamp[i], warp.number(), lane);
        boolean isNow = readThread[i] / Slots.LANES == warp.number() && readStamp[i] == stamp;
        if (!isBefore || (isShared[i] && isNow)) {
          throw race(warp, lane, i, "writes", "read", readThread[i]);
        }
      }
      if (readers[i] != null) checkReaders(warp, lane, i);
      writeStamp[i] = stamp;
      writeThread[i] = thread;
      writeFence[i] = fences[warp.number()];
      readStamp[i] = 0;
      readers[i] = null;
    }
  }

  /** A copy to bytes has begun: nobody may touch them before it is {@link #received}. */
  void expect(Warp warp, int lane, int address, int size) {
    int step = Math.max(1 << shift, 1);
    for (int at = address; at < address + size; at += step) {
      write(warp, lane, at, step);
      isPending[at >> shift] = true;
    }
  }

  /** The copy is there, written at this stamp of its thread's warp. */
  void received(int address, int size, int stamp) {
    for (int i = address >> shift; i <= address + size - 1 >> shift; i++) {
      isPending[i] = false;
      writeStamp[i] = stamp;
      writeFence[i] = fences[writeThread[i] / Slots.LANES];
    }
  }

  /** What a warp wrote so far is there for tensor cores that read by themselves. */
  void fence(int warp) {
    fences[warp]++;
  }

  /** Bulk copies need no fence. */
  void fenced(int address, int size) {
    for (int i = address >> shift; i <= address + size - 1 >> shift; i++) writeFence[i] = -1;
  }

  /** Sixteen bytes are read by tensor cores on behalf of a warp. */
  void readByTensorCores(Warp warp, int address) {
    read(warp, 0, address, 16);
    for (int i = address >> shift; i <= address + 15 >> shift; i++) {
      if (writeFence[i] == fences[writeThread[i] / Slots.LANES]) {
        throw warp.fault(
            0,
            "has tensor cores read shared memory at %d, which thread %d wrote with no"
                    .formatted(i << shift, writeThread[i])
                + " fence.proxy.async behind it");
      }
    }
  }

  /** An access that others of its kind do not race with. */
  void atomic(Warp warp, int lane, int address, int size) {
    check(warp, lane, address, size, "changes");
    int i = address >> shift;
    if (writeStamp[i] == 0) throw warp.fault(lane, "changes shared memory that is unwritten");
    if (!clocks.isBefore(writeThread[i], writeStamp[i], warp.number(), lane)) {
      throw race(warp, lane, i, "changes", "wrote", writeThread[i]);
    }
  }

  private PtxFault pending(Warp warp, int lane, int piece, String does) {
    return warp.fault(
        lane, "%s shared memory at %d, where a copy is on its way".formatted(does, piece << shift));
  }

  private void checkReaders(Warp warp, int lane, int piece) {
    var each = readers[piece];
    for (int other = 0; other < warps; other++) {
      if (each[2 * other] != 0
          && other != warp.number()
          && !clocks.isBefore(each[2 * other + 1], each[2 * other], warp.number(), lane)) {
        throw race(warp, lane, piece, "writes", "read", each[2 * other + 1]);
      }
    }
  }

  private PtxFault race(Warp warp, int lane, int piece, String does, String did, int thread) {
    return warp.fault(
        lane,
        "race: %s shared memory at %d, which thread %d %s with no barrier between"
            .formatted(does, piece << shift, thread, did));
  }

  int get8(int address) {
    return bytes[address];
  }

  int get16(int address) {
    return (short) SHORT.get(bytes, address);
  }

  int get32(int address) {
    return (int) INT.get(bytes, address);
  }

  long get64(int address) {
    return (long) LONG.get(bytes, address);
  }

  void put8(int address, int value) {
    bytes[address] = (byte) value;
  }

  void put16(int address, int value) {
    SHORT.set(bytes, address, (short) value);
  }

  void put32(int address, int value) {
    INT.set(bytes, address, value);
  }

  void put64(int address, long value) {
    LONG.set(bytes, address, value);
  }

  int size() {
    return bytes.length;
  }

  byte[] bytes() {
    return bytes;
  }
}
