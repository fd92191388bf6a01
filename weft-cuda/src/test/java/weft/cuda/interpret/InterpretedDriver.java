package weft.cuda.interpret;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.cuda.driver.CudaException;
import weft.cuda.driver.Driver;

/** A driver without a GPU: what is told is done at once, and what kernels must not do is told. */
public final class InterpretedDriver implements Driver {
  private static final int SHARED_BYTES = 227 * 1024;

  private static final int PATIENCE = 300;

  /** How compiled code begins. */
  private static final String IMAGE = "interpreted image\n";

  private final Properties properties;
  private final GlobalMemory memory;
  private final int patience;
  private final List<Runnable> captured = new ArrayList<>();
  private boolean isCapturing;
  private int launches;
  private int compilations;
  private long executed;

  public InterpretedDriver() {
    this(1L << 31, PATIENCE);
  }

  /**
   * A device of so much memory.
   *
   * @param patience turns of blocks in which none ends before the kernel is called endless
   */
  public InterpretedDriver(long memoryBytes, int patience) {
    this(new Properties("interpreter", 9, 0, 2, SHARED_BYTES, memoryBytes, 12_030), patience);
  }

  /** A device that says this of itself. */
  public InterpretedDriver(Properties properties) {
    this(properties, PATIENCE);
  }

  private InterpretedDriver(Properties properties, int patience) {
    this.properties = properties;
    this.memory = new GlobalMemory(properties.memoryBytes());
    this.patience = patience;
  }

  @Override
  public Properties properties() {
    return properties;
  }

  /** The instructions that threads have executed so far. */
  public long executed() {
    return executed;
  }

  /** The kernels that were launched so far. */
  public int launches() {
    return launches;
  }

  /** The texts that were compiled so far. */
  public int compilations() {
    return compilations;
  }

  /** Allocations that nobody has freed. */
  public int allocations() {
    return memory.count();
  }

  @Override
  public long freeBytes() {
    return memory.free();
  }

  @Override
  public long allocate(long bytes) {
    return memory.allocate(bytes);
  }

  @Override
  public void free(long address) {
    said(() -> memory.free(address));
  }

  @Override
  public MemorySegment pinned(long bytes) {
    return Arena.ofAuto().allocate(bytes, ALIGNMENT);
  }

  @Override
  public void unpin(MemorySegment memory) {}

  private void told(Runnable task) {
    if (isCapturing) captured.add(task);
    else task.run();
  }

  /** What is no launch waits for all that were before, and those behind wait for it. */
  private void moved(Runnable task) {
    told(
        () -> {
          memory.settle(launches);
          said(task);
        });
  }

  private static void said(Runnable task) {
    try {
      task.run();
    } catch (PtxFault fault) {
      throw fault.asDriverSays();
    }
  }

  @Override
  public void upload(MemorySegment from, long to) {
    moved(
        () -> {
          int size = Math.toIntExact(from.byteSize());
          if (size == 0) return;
          var at = memory.at(to, size, "upload");
          MemorySegment.ofArray(at.bytes()).asSlice(at.index(to), size).copyFrom(from);
          at.write(at.index(to), size);
        });
  }

  @Override
  public void download(long from, MemorySegment to) {
    moved(
        () -> {
          int size = Math.toIntExact(to.byteSize());
          if (size == 0) return;
          var at = memory.at(from, size, "download");
          to.copyFrom(MemorySegment.ofArray(at.bytes()).asSlice(at.index(from), size));
        });
  }

  @Override
  public void copy(long from, long to, long bytes) {
    moved(
        () -> {
          int size = Math.toIntExact(bytes);
          if (size == 0) return;
          var source = memory.at(from, size, "copy");
          var target = memory.at(to, size, "copy");
          int at = target.index(to);
          System.arraycopy(source.bytes(), source.index(from), target.bytes(), at, size);
          target.copyWritten(at, source, source.index(from), size);
        });
  }

  @Override
  public void clear(long at, long bytes) {
    moved(
        () -> {
          int size = Math.toIntExact(bytes);
          if (size == 0) return;
          var target = memory.at(at, size, "clear");
          int from = target.index(at);
          java.util.Arrays.fill(target.bytes(), from, from + size, (byte) 0);
          target.write(from, size);
        });
  }

  private record Loaded(Kernel kernel) implements Function {
    @Override
    public String name() {
      return kernel.name();
    }
  }

  @Override
  public Module module(String ptx) {
    compilations++;
    return loaded(ptx);
  }

  @Override
  public byte[] compile(String ptx) {
    compilations++;
    said(() -> PtxParser.parse(ptx));
    return (IMAGE + ptx).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Module module(byte[] code) {
    var image = new String(code, StandardCharsets.UTF_8);
    if (!image.startsWith(IMAGE)) {
      throw new CudaException("cuModuleLoadDataEx failed with CUDA_ERROR_INVALID_IMAGE");
    }
    return loaded(image.substring(IMAGE.length()));
  }

  private Module loaded(String ptx) {
    Map<String, Function> functions = new HashMap<>();
    said(
        () ->
            PtxParser.parse(ptx)
                .forEach(
                    (name, kernel) -> functions.put(name, new Loaded(Compiler.compile(kernel)))));
    return new Module() {
      @Override
      public Function function(String name) {
        var found = functions.get(name);
        if (found == null) throw new CudaException("the module has no kernel " + name);
        return found;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void launch(Function function, Grid grid, long... arguments) {
    var kernel = ((Loaded) function).kernel();
    var values = arguments.clone();
    check(kernel, grid, values);
    int shared = kernel.sharedBytes() + grid.sharedBytes();
    told(
        () ->
            said(
                () ->
                    executed +=
                        new GridRun(
                                kernel,
                                memory,
                                ++launches,
                                grid.x(),
                                grid.y(),
                                grid.z(),
                                grid.threads(),
                                shared,
                                values)
                            .run(patience)));
  }

  private static void check(Kernel kernel, Grid grid, long[] arguments) {
    if (arguments.length != kernel.parameters().size()) {
      throw new CudaException(
          "%s takes %d arguments, got %d"
              .formatted(kernel.name(), kernel.parameters().size(), arguments.length));
    }
    if (grid.threads() < 1 || grid.threads() > kernel.mostThreads()) {
      throw new CudaException(
          "%s runs with 1 to %d threads a block, got %d"
              .formatted(kernel.name(), kernel.mostThreads(), grid.threads()));
    }
    if (grid.x() < 1 || grid.y() < 1 || grid.z() < 1 || grid.y() > 65535 || grid.z() > 65535) {
      throw new CudaException(kernel.name() + " cannot be launched with the grid " + grid);
    }
    int shared = kernel.sharedBytes() + grid.sharedBytes();
    if (shared > SHARED_BYTES) {
      throw new CudaException(
          "%s wants %d bytes of shared memory, a block has %d"
              .formatted(kernel.name(), shared, SHARED_BYTES));
    }
  }

  private record Recorded(List<Runnable> tasks) implements Graph {
    @Override
    public void close() {}
  }

  @Override
  public Graph capture(Runnable told) {
    captured.clear();
    isCapturing = true;
    try {
      told.run();
    } finally {
      isCapturing = false;
    }
    return new Recorded(List.copyOf(captured));
  }

  @Override
  public void launch(Graph graph) {
    ((Recorded) graph).tasks().forEach(Runnable::run);
  }

  private record Instant(long nanos) implements Mark {
    @Override
    public void close() {}
  }

  @Override
  public Mark mark() {
    memory.settle(launches);
    return new Instant(System.nanoTime());
  }

  @Override
  public void await(Mark mark) {}

  @Override
  public void mark(Mark again) {
    memory.settle(launches);
  }

  @Override
  public void follow(Mark mark) {}

  @Override
  public void send(long from, Driver peer, long to, long bytes) {
    told(
        () ->
            said(
                () -> {
                  int size = Math.toIntExact(bytes);
                  if (size == 0) return;
                  var source = memory.at(from, size, "send");
                  var target = ((InterpretedDriver) peer).memory.at(to, size, "send");
                  int at = target.index(to);
                  System.arraycopy(source.bytes(), source.index(from), target.bytes(), at, size);
                  target.copyWritten(at, source, source.index(from), size);
                }));
  }

  @Override
  public double millis(Mark from, Mark to) {
    return (((Instant) to).nanos() - ((Instant) from).nanos()) / 1e6;
  }

  @Override
  public void synchronize() {}

  @Override
  public void close() {}
}
