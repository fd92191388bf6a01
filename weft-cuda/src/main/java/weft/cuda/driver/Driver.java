package weft.cuda.driver;

import java.lang.foreign.MemorySegment;

/**
 * One GPU as its driver offers it: memory, code, and one queue in which all that it is told is done
 * in order. Telling does not wait unless it says so, and what went wrong may be heard by a later
 * call. Safe from any thread. Owns what was made with it.
 */
public interface Driver extends AutoCloseable {
  /** Where every allocation begins, in bytes. */
  int ALIGNMENT = 256;

  Properties properties();

  /** What there is of the device. */
  record Properties(
      String name,
      int major,
      int minor,
      int multiprocessors,
      int sharedBytesABlock,
      long memoryBytes,
      int driverVersion) {
    /** The generation and what it adds, as 80 or 90. */
    public int capability() {
      return 10 * major + minor;
    }

    /** Whether a launch can begin before the last has ended, also within a graph. */
    public boolean beginsEarly() {
      return capability() >= 90 && driverVersion >= 12_030;
    }
  }

  /** The device's memory that nobody has taken, in bytes. */
  long freeBytes();

  /** Memory of the device, which holds anything; throws {@link OutOfDeviceMemoryException}. */
  long allocate(long bytes);

  /** Gives it back once all that was told is done. */
  void free(long address);

  /** Memory of this process that copies need not wait for. */
  MemorySegment pinned(long bytes);

  void unpin(MemorySegment memory);

  /** Is read later where it is pinned, and before this returns where it is not. */
  void upload(MemorySegment from, long to);

  /** Holds what was copied after a {@link #synchronize}. */
  void download(long from, MemorySegment to);

  void copy(long from, long to, long bytes);

  /** Makes bytes zero. */
  void clear(long at, long bytes);

  /** Compiles a text of PTX. */
  Module module(String ptx);

  /** Compiles a text of PTX to code for this device and this version of its driver alone. */
  byte[] compile(String ptx);

  /** Loads what {@link #compile} gave, here or in another process; refuses any other. */
  Module module(byte[] code);

  /** Compiled kernels; a close waits for all that was told. */
  interface Module extends AutoCloseable {
    /** The kernel of this name. */
    Function function(String name);

    @Override
    void close();
  }

  /** A kernel that can be launched. */
  interface Function {
    String name();
  }

  /**
   * How many blocks of how many threads a kernel runs as.
   *
   * @param sharedBytes of shared memory a block, beside what the kernel declares
   */
  record Grid(int x, int y, int z, int threads, int sharedBytes) {
    public static Grid of(int blocks, int threads) {
      return new Grid(blocks, 1, 1, threads, 0);
    }

    public static Grid of(int x, int y, int threads) {
      return new Grid(x, y, 1, threads, 0);
    }

    public Grid withShared(int bytes) {
      return new Grid(x, y, z, threads, bytes);
    }
  }

  /**
   * Runs a kernel, with an argument for each of its parameters: of each its lowest bytes count, as
   * many as the parameter has. Where the device {@linkplain Properties#beginsEarly begins early}, a
   * kernel that is told behind another waits itself for those before it; all else is in order.
   */
  void launch(Function function, Grid grid, long... arguments);

  /** Launches and copies that are told at once. */
  interface Graph extends AutoCloseable {
    @Override
    void close();
  }

  /** Notes what is told meanwhile by this thread instead of doing it. */
  Graph capture(Runnable told);

  void launch(Graph graph);

  /** A point of the queue. */
  interface Mark extends AutoCloseable {
    @Override
    void close();
  }

  Mark mark();

  /** Waits until all that was told before a point is done. */
  void await(Mark mark);

  /** The same mark at the point that the queue is at now. */
  default void mark(Mark again) {
    throw new CudaException("this driver does not move " + again);
  }

  /** What is told from now on waits for a point of another driver's queue. */
  default void follow(Mark mark) {
    throw new CudaException("this driver does not wait for others, as for " + mark);
  }

  /** Copies to the memory of another driver's device, or to that of the same device. */
  default void send(long from, Driver peer, long to, long bytes) {
    throw new CudaException("this driver does not know others, as " + peer);
  }

  /** The time between two points; waits for the later one. */
  double millis(Mark from, Mark to);

  /** Waits until all that was told is done. */
  void synchronize();

  @Override
  void close();
}
