package weft.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import weft.backend.BackendException;

/** A GPU through libcuda; owns a stream in the device's primary context. */
public final class LibCuda implements Driver {
  /** CUDA 11.4: graphs with flags, and what PTX 7 needs. */
  private static final int OLDEST_DRIVER = 11_040;

  /** The oldest devices with asynchronous copies and products of bfloat16. */
  private static final int OLDEST_CAPABILITY = 80;

  // Numbers of cuda.h.
  private static final int ATTRIBUTE_MULTIPROCESSORS = 16;
  private static final int ATTRIBUTE_MAJOR = 75;
  private static final int ATTRIBUTE_MINOR = 76;
  private static final int ATTRIBUTE_SHARED_BYTES = 97;
  private static final int FUNCTION_SHARED_BYTES = 8;
  private static final int STREAM_NON_BLOCKING = 1;
  private static final int CAPTURE_THREAD_LOCAL = 1;

  /** What a machine with such a driver has: looking costs nothing, and no JVM warns of it. */
  private static final List<String> SIGNS =
      List.of("/dev/nvidiactl", "/dev/dxg", "C:/Windows/System32/nvcuda.dll");

  /** Shared memory that a kernel may have unasked: 48 KiB, what it declares itself included. */
  private static final int PLAIN_SHARED_BYTES = 32 << 10;

  private static final int NAME_BYTES = 256;
  private static final int CODE_ALIGNMENT = 64;

  /** When launches are known to have gone well. */
  public enum Launches {
    /** Some time later: the next who waits hears of a fault. */
    QUEUED,
    /** At once, so that a fault names its kernel. */
    SYNCHRONOUS
  }

  private final Calls calls;
  private final Launches launches;
  private final int device;
  private final long context;
  private final long stream;
  private final Properties properties;
  private final ThreadLocal<ArgumentFrame> frames = ThreadLocal.withInitial(ArgumentFrame::new);
  private final Set<Long> reached = ConcurrentHashMap.newKeySet();
  private volatile String lastLaunched = "no kernel";
  private volatile boolean isCapturing;

  /**
   * Whether a kernel was told last: only then may the next begin early, for of what else lies
   * between two kernels the driver promises less than that it is in order.
   */
  private volatile boolean isBehindKernel;

  private boolean isClosed;

  private LibCuda(Calls calls, int device, Launches launches) {
    this.calls = calls;
    this.launches = launches;
    this.device = device;
    this.properties = properties(calls, device);
    if (properties.capability() < OLDEST_CAPABILITY) {
      throw new CudaException(
          "%s has compute capability %d.%d, but the cuda backend needs 8.0 or later; use --backend cpu"
              .formatted(properties.name(), properties.major(), properties.minor()));
    }
    this.context = word("cuDevicePrimaryCtxRetain", device);
    try {
      calls.require("cuCtxSetCurrent", context);
      this.stream = word("cuStreamCreate", STREAM_NON_BLOCKING);
    } catch (CudaException e) {
      calls.status("cuDevicePrimaryCtxRelease_v2", device);
      throw e;
    }
  }

  /** Opens a device of this machine, or says in a sentence why it cannot be had. */
  public static LibCuda open(int ordinal, Launches launches) {
    var calls = Calls.open();
    int count = number(calls, "cuDeviceGetCount");
    if (ordinal >= count) {
      throw new BackendException(
          "the cuda backend was asked for device %d, but this machine has %d, counted from 0"
              .formatted(ordinal, count));
    }
    int version = number(calls, "cuDriverGetVersion");
    if (version < OLDEST_DRIVER) {
      throw new CudaException(
          "NVIDIA's driver is too old: it is of CUDA %d.%d, and weft needs 11.4 or later"
              .formatted(version / 1000, version % 1000 / 10));
    }
    return new LibCuda(calls, number(calls, "cuDeviceGet", ordinal), launches);
  }

  /** Whether a device is here that this can open; says nothing about why not. */
  public static boolean isPresent() {
    if (SIGNS.stream().map(Path::of).noneMatch(Files::exists)) return false;
    try {
      var calls = Calls.open();
      return number(calls, "cuDeviceGetCount") > 0
          && properties(calls, number(calls, "cuDeviceGet", 0)).capability() >= OLDEST_CAPABILITY;
    } catch (CudaException e) {
      return false;
    }
  }

  private static Properties properties(Calls calls, int device) {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocate(NAME_BYTES);
      calls.require("cuDeviceGetName", name.address(), NAME_BYTES, device);
      var bytes = arena.allocate(ValueLayout.JAVA_LONG);
      calls.require("cuDeviceTotalMem_v2", bytes.address(), device);
      return new Properties(
          name.getString(0),
          number(calls, "cuDeviceGetAttribute", ATTRIBUTE_MAJOR, device),
          number(calls, "cuDeviceGetAttribute", ATTRIBUTE_MINOR, device),
          number(calls, "cuDeviceGetAttribute", ATTRIBUTE_MULTIPROCESSORS, device),
          number(calls, "cuDeviceGetAttribute", ATTRIBUTE_SHARED_BYTES, device),
          bytes.get(ValueLayout.JAVA_LONG, 0),
          number(calls, "cuDriverGetVersion"));
    }
  }

  /** What a call writes to its first argument. */
  private static int number(Calls calls, String name, long... rest) {
    try (var arena = Arena.ofConfined()) {
      var found = arena.allocate(ValueLayout.JAVA_LONG);
      calls.require(name, before(found.address(), rest));
      return found.get(ValueLayout.JAVA_INT, 0);
    }
  }

  private static long[] before(long first, long... rest) {
    var all = new long[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  private long word(String name, long... rest) {
    try (var arena = Arena.ofConfined()) {
      var found = arena.allocate(ValueLayout.JAVA_LONG);
      told(name, before(found.address(), rest));
      return found.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** A call in this device's context; a failure may be that of an earlier launch. */
  private void told(String name, long... words) {
    isBehindKernel = false;
    if (context != 0) calls.require("cuCtxSetCurrent", context);
    int status = calls.status(name, words);
    if (status == 0) return;
    calls.check(
        status, name, " on %s (the last kernel was %s)".formatted(properties.name(), lastLaunched));
  }

  @Override
  public Properties properties() {
    return properties;
  }

  @Override
  public long freeBytes() {
    try (var arena = Arena.ofConfined()) {
      var both = arena.allocate(ValueLayout.JAVA_LONG, 2);
      told("cuMemGetInfo_v2", both.address(), both.address() + Long.BYTES);
      return both.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  @Override
  public long allocate(long bytes) {
    calls.require("cuCtxSetCurrent", context);
    try (var arena = Arena.ofConfined()) {
      var found = arena.allocate(ValueLayout.JAVA_LONG);
      int status = calls.status("cuMemAlloc_v2", found.address(), Math.max(bytes, 1));
      if (status == Calls.OUT_OF_MEMORY) {
        throw new OutOfDeviceMemoryException(properties.name(), bytes, freeBytes());
      }
      calls.check(status, "cuMemAlloc_v2", " for " + bytes + " bytes on " + properties.name());
      return found.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  @Override
  public void free(long address) {
    givenBack("cuMemFree_v2", address);
  }

  /** What a device that is lost does not take back goes with its context. */
  private void givenBack(String call, long handle) {
    calls.status("cuCtxSetCurrent", context);
    calls.status(call, handle);
  }

  @Override
  @SuppressWarnings("restricted") // the driver says how long it is
  public MemorySegment pinned(long bytes) {
    return MemorySegment.ofAddress(word("cuMemHostAlloc", Math.max(bytes, 1), 0))
        .reinterpret(bytes);
  }

  @Override
  public void unpin(MemorySegment memory) {
    givenBack("cuMemFreeHost", memory.address());
  }

  @Override
  public void upload(MemorySegment from, long to) {
    if (from.byteSize() == 0) return;
    told("cuMemcpyHtoDAsync_v2", to, from.address(), from.byteSize(), stream);
  }

  @Override
  public void download(long from, MemorySegment to) {
    if (to.byteSize() == 0) return;
    told("cuMemcpyDtoHAsync_v2", to.address(), from, to.byteSize(), stream);
  }

  @Override
  public void copy(long from, long to, long bytes) {
    if (bytes > 0) told("cuMemcpyDtoDAsync_v2", to, from, bytes, stream);
  }

  @Override
  public void clear(long at, long bytes) {
    if (bytes > 0) told("cuMemsetD8Async", at, 0, bytes, stream);
  }

  @Override
  public Module module(String ptx) {
    try (var arena = Arena.ofConfined()) {
      return module(arena.allocateFrom(ptx), " for a module of kernels");
    }
  }

  @Override
  public Module module(byte[] code) {
    try (var arena = Arena.ofConfined()) {
      // An image is read as 64-bit ELF, whose words are aligned.
      var image = arena.allocate(Math.max(1, code.length), CODE_ALIGNMENT);
      MemorySegment.copy(code, 0, image, ValueLayout.JAVA_BYTE, 0, code.length);
      return module(image, " for a module of compiled kernels");
    }
  }

  private Module module(MemorySegment image, String what) {
    try (var log = new JitLog()) {
      calls.require("cuCtxSetCurrent", context);
      int status =
          calls.status(
              "cuModuleLoadDataEx",
              log.found(),
              image.address(),
              JitLog.OPTIONS,
              log.options(),
              log.values());
      calls.check(status, "cuModuleLoadDataEx", what + ": " + log.text());
      return new Loaded(log.word());
    }
  }

  @Override
  public byte[] compile(String ptx) {
    calls.require("cuCtxSetCurrent", context);
    return new PtxLink(calls).compile(ptx);
  }

  private final class Loaded implements Module {
    private final long handle;

    private Loaded(long handle) {
      this.handle = handle;
    }

    @Override
    public Function function(String name) {
      try (var arena = Arena.ofConfined()) {
        return new Kernel(
            name, word("cuModuleGetFunction", handle, arena.allocateFrom(name).address()));
      }
    }

    @Override
    public void close() {
      calls.status("cuCtxSetCurrent", context);
      calls.status("cuStreamSynchronize", stream);
      givenBack("cuModuleUnload", handle);
    }
  }

  private static final class Kernel implements Function {
    private final String name;
    private final long handle;
    private int sharedBytes = PLAIN_SHARED_BYTES;

    private Kernel(String name, long handle) {
      this.name = name;
      this.handle = handle;
    }

    @Override
    public String name() {
      return name;
    }
  }

  @Override
  public void launch(Function function, Grid grid, long... arguments) {
    var kernel = (Kernel) function;
    if (grid.sharedBytes() > kernel.sharedBytes) {
      told("cuFuncSetAttribute", kernel.handle, FUNCTION_SHARED_BYTES, grid.sharedBytes());
      kernel.sharedBytes = grid.sharedBytes();
    }
    calls.require("cuCtxSetCurrent", context);
    boolean isEarly = isBehindKernel && properties.beginsEarly();
    int status = frames.get().launch(calls, kernel.handle, grid, stream, arguments, isEarly);
    if (status != 0) {
      calls.check(status, "cuLaunchKernel", " for " + kernel.name + " as " + grid);
    }
    lastLaunched = kernel.name;
    isBehindKernel = true;
    if (launches == Launches.SYNCHRONOUS && !isCapturing) {
      calls.check(
          calls.status("cuStreamSynchronize", stream),
          "cuStreamSynchronize",
          " within " + kernel.name + " as " + grid);
    }
  }

  private final class Captured implements Graph {
    private final long handle;

    private Captured(long handle) {
      this.handle = handle;
    }

    @Override
    public void close() {
      givenBack("cuGraphExecDestroy", handle);
    }
  }

  @Override
  public Graph capture(Runnable launched) {
    told("cuStreamBeginCapture_v2", stream, CAPTURE_THREAD_LOCAL);
    isCapturing = true;
    try {
      launched.run();
    } catch (RuntimeException | Error e) {
      isCapturing = false;
      abandonCapture();
      throw e;
    }
    isCapturing = false;
    long graph = endCapture();
    try {
      return new Captured(word("cuGraphInstantiateWithFlags", graph, 0));
    } finally {
      givenBack("cuGraphDestroy", graph);
    }
  }

  /** A stream that captures can do nothing else; what it has noted is not wanted. */
  private void abandonCapture() {
    try {
      givenBack("cuGraphDestroy", endCapture());
    } catch (CudaException e) {
      // A capture that failed has ended, and left no graph.
    }
  }

  private long endCapture() {
    try (var arena = Arena.ofConfined()) {
      var found = arena.allocate(ValueLayout.JAVA_LONG);
      told("cuStreamEndCapture", stream, found.address());
      return found.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  @Override
  public void launch(Graph graph) {
    told("cuGraphLaunch", ((Captured) graph).handle, stream);
    lastLaunched = "one of a graph; --sync-launches tells which";
    if (launches == Launches.SYNCHRONOUS) synchronize();
  }

  private final class Event implements Mark {
    private final long handle;

    private Event(long handle) {
      this.handle = handle;
    }

    @Override
    public void close() {
      givenBack("cuEventDestroy_v2", handle);
    }
  }

  @Override
  public Mark mark() {
    var event = new Event(word("cuEventCreate", 0));
    try {
      told("cuEventRecord", event.handle, stream);
      return event;
    } catch (CudaException e) {
      event.close();
      throw e;
    }
  }

  @Override
  public void await(Mark mark) {
    told("cuEventSynchronize", ((Event) mark).handle);
  }

  @Override
  public void mark(Mark again) {
    told("cuEventRecord", ((Event) again).handle, stream);
  }

  @Override
  public void follow(Mark mark) {
    told("cuStreamWaitEvent", stream, ((Event) mark).handle, 0);
  }

  @Override
  public void send(long from, Driver peer, long to, long bytes) {
    var other = (LibCuda) peer;
    if (bytes == 0) return;
    if (other.context == context) {
      copy(from, to, bytes);
      return;
    }
    // Without access, which not all pairs of devices have, the driver copies by way of the host.
    if (reached.add(other.context)) {
      calls.require("cuCtxSetCurrent", context);
      calls.status("cuCtxEnablePeerAccess", other.context, 0);
    }
    told("cuMemcpyPeerAsync", to, other.context, from, context, bytes, stream);
  }

  @Override
  public double millis(Mark from, Mark to) {
    await(to);
    try (var arena = Arena.ofConfined()) {
      var found = arena.allocate(ValueLayout.JAVA_FLOAT);
      told("cuEventElapsedTime", found.address(), ((Event) from).handle, ((Event) to).handle);
      return found.get(ValueLayout.JAVA_FLOAT, 0);
    }
  }

  @Override
  public void synchronize() {
    told("cuStreamSynchronize", stream);
  }

  /** Waits for what was told; the context goes with the last who has it. */
  @Override
  public synchronized void close() {
    if (isClosed) return;
    isClosed = true;
    calls.status("cuCtxSetCurrent", context);
    calls.status("cuStreamSynchronize", stream);
    calls.status("cuStreamDestroy_v2", stream);
    calls.status("cuCtxSetCurrent", 0);
    calls.status("cuDevicePrimaryCtxRelease_v2", device);
  }
}
