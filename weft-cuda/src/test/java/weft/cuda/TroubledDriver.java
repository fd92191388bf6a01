package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import weft.cuda.driver.CudaException;
import weft.cuda.driver.Driver;
import weft.cuda.driver.OutOfDeviceMemoryException;

/**
 * A driver that fails where it is told to, as a GPU's would: what is given back is taken back
 * whatever has happened, and everything else may be refused. Knows what was made and not given
 * back.
 */
final class TroubledDriver implements Driver {
  /** What happens at the chosen call. */
  enum Trouble {
    /** It fails, as for want of memory where it asks for some, and the next one does not. */
    ONCE,
    /** It fails, and so does all that comes after it: the device is gone. */
    LOST
  }

  /** What a graph takes of the device, for the sentence that says so. */
  private static final int GRAPH_BYTES = 1 << 16;

  private final Driver driver;
  private final Trouble trouble;
  private final int at;
  private final Map<String, Integer> held = new TreeMap<>();
  private final List<Integer> graphs = new ArrayList<>();
  private int calls;
  private boolean hasFailed;
  private boolean isFull;
  private int uploads;
  private long allocated;

  /**
   * @param at which call fails, counted from 1; 0: none
   */
  TroubledDriver(Driver driver, Trouble trouble, int at) {
    this.driver = driver;
    this.trouble = trouble;
    this.at = at;
    made("context");
  }

  /** The kinds of things that were made and not given back, with how many. */
  synchronized Map<String, Integer> held() {
    return Map.copyOf(held);
  }

  /** The calls so far that may fail. */
  synchronized int calls() {
    return calls;
  }

  /** How often something was sent to the device. */
  synchronized int uploads() {
    return uploads;
  }

  /** The bytes that were allocated so far, each allocation up to where the next may begin. */
  synchronized long allocated() {
    return allocated;
  }

  synchronized boolean hasFailed() {
    return hasFailed;
  }

  /** Has no memory to give from now on. */
  synchronized void fill() {
    isFull = true;
  }

  /** Which calls made a graph. */
  List<Integer> graphs() {
    return List.copyOf(graphs);
  }

  private synchronized boolean isFull() {
    return isFull;
  }

  private synchronized void made(String kind) {
    held.merge(kind, 1, Integer::sum);
  }

  private synchronized void gone(String kind) {
    int left = held.getOrDefault(kind, 0) - 1;
    if (left < 0) throw new AssertionError("a " + kind + " was given back twice");
    if (left == 0) held.remove(kind);
    else held.put(kind, left);
  }

  private synchronized boolean fails() {
    calls++;
    boolean fails = calls == at || (hasFailed && trouble == Trouble.LOST);
    hasFailed |= fails;
    return fails;
  }

  private void call(String name) {
    if (fails()) throw new CudaException(name + " failed with CUDA_ERROR_UNKNOWN on the test's");
  }

  @Override
  public Properties properties() {
    return driver.properties();
  }

  @Override
  public long freeBytes() {
    call("cuMemGetInfo_v2");
    return driver.freeBytes();
  }

  @Override
  public long allocate(long bytes) {
    if (fails() || isFull()) throw new OutOfDeviceMemoryException("the test's device", bytes, 0);
    long address = driver.allocate(bytes);
    synchronized (this) {
      allocated += Math.max(1, Math.ceilDiv(bytes, ALIGNMENT)) * ALIGNMENT;
    }
    made("allocation");
    return address;
  }

  @Override
  public void free(long address) {
    driver.free(address);
    gone("allocation");
  }

  @Override
  public MemorySegment pinned(long bytes) {
    call("cuMemHostAlloc");
    var memory = driver.pinned(bytes);
    made("pinned memory");
    return memory;
  }

  @Override
  public void unpin(MemorySegment memory) {
    driver.unpin(memory);
    gone("pinned memory");
  }

  @Override
  public void upload(MemorySegment from, long to) {
    call("cuMemcpyHtoDAsync_v2");
    synchronized (this) {
      uploads++;
    }
    driver.upload(from, to);
  }

  @Override
  public void download(long from, MemorySegment to) {
    call("cuMemcpyDtoHAsync_v2");
    driver.download(from, to);
  }

  @Override
  public void copy(long from, long to, long bytes) {
    call("cuMemcpyDtoDAsync_v2");
    driver.copy(from, to, bytes);
  }

  @Override
  public void clear(long where, long bytes) {
    call("cuMemsetD8Async");
    driver.clear(where, bytes);
  }

  @Override
  public Module module(String ptx) {
    call("cuModuleLoadDataEx");
    return counted(driver.module(ptx));
  }

  @Override
  public byte[] compile(String ptx) {
    call("cuLinkComplete");
    return driver.compile(ptx);
  }

  @Override
  public Module module(byte[] code) {
    call("cuModuleLoadDataEx");
    return counted(driver.module(code));
  }

  private Module counted(Module module) {
    made("module");
    return new Module() {
      @Override
      public Function function(String name) {
        call("cuModuleGetFunction");
        return module.function(name);
      }

      @Override
      public void close() {
        module.close();
        gone("module");
      }
    };
  }

  @Override
  public void launch(Function function, Grid grid, long... arguments) {
    call("cuLaunchKernel");
    driver.launch(function, grid, arguments);
  }

  private final class Counted implements Graph {
    private final Graph graph;

    private Counted(Graph graph) {
      this.graph = graph;
      made("graph");
    }

    @Override
    public void close() {
      graph.close();
      gone("graph");
    }
  }

  @Override
  public Graph capture(Runnable told) {
    call("cuStreamBeginCapture_v2");
    var graph = driver.capture(told);
    boolean fails = fails();
    graphs.add(calls());
    if (fails) throw new OutOfDeviceMemoryException("the test's device", GRAPH_BYTES, 0);
    return new Counted(graph);
  }

  @Override
  public void launch(Graph graph) {
    call("cuGraphLaunch");
    driver.launch(((Counted) graph).graph);
  }

  private final class Event implements Mark {
    private final Mark mark;

    private Event(Mark mark) {
      this.mark = mark;
      made("event");
    }

    @Override
    public void close() {
      mark.close();
      gone("event");
    }
  }

  @Override
  public Mark mark() {
    call("cuEventRecord");
    return new Event(driver.mark());
  }

  @Override
  public void mark(Mark again) {
    call("cuEventRecord");
    driver.mark(((Event) again).mark);
  }

  @Override
  public void await(Mark mark) {
    call("cuEventSynchronize");
    driver.await(((Event) mark).mark);
  }

  @Override
  public double millis(Mark from, Mark to) {
    call("cuEventElapsedTime");
    return driver.millis(((Event) from).mark, ((Event) to).mark);
  }

  @Override
  public void synchronize() {
    call("cuStreamSynchronize");
    driver.synchronize();
  }

  @Override
  public void close() {
    driver.close();
    gone("context");
  }
}
