package weft.cpu.emitted;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import weft.backend.HostRow;
import weft.backend.Step;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.rows.Peaks;
import weft.cpu.kernel.rows.PeaksArguments;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.Rows2d;

/** An emitted launch that ends in an output, and the peaks of its rows; owns the peaks. */
public final class PeakedLaunch implements EmittedLaunch, AutoCloseable {
  static {
    if (Peaks.RUN != HostRow.RUN) throw new AssertionError("rows are cut alike everywhere");
  }

  private final Arena arena = Arena.ofShared();
  private final EmittedLaunch kernel;
  private final Rows2d output;
  private final Kernel peaks;
  private final int runs;
  private final MemorySegment memory;

  /**
   * @param mostRows how many rows a step of the program may want
   */
  public PeakedLaunch(EmittedLaunch kernel, Rows2d output, Kernel peaks, int mostRows) {
    this.kernel = kernel;
    this.output = output;
    this.peaks = peaks;
    this.runs = Math.ceilDiv(output.width(), HostRow.RUN);
    this.memory = arena.allocate((long) mostRows * runs * Float.BYTES, 64);
  }

  @Override
  public void begin(Step step) {
    kernel.begin(step);
  }

  @Override
  public void record(Step step, CallList calls) {
    kernel.record(step, calls);
    int rows = output.count(step);
    if (rows == 0) return;
    calls.meet();
    var block = calls.arguments(PeaksArguments.BYTES);
    new PeaksArguments(output.from(0, 0), output.width(), rows, PlainRows.packed(memory, runs))
        .write(block);
    calls.call(peaks, block, runs);
  }

  @Override
  public Change follows() {
    return kernel.follows();
  }

  @Override
  public String name() {
    return kernel.name() + ", " + peaks.name();
  }

  @Override
  public String name(Step step) {
    return kernel.name(step) + ", " + peaks.name();
  }

  /** The row with the peaks that were found when it was made. */
  public HostRow row(HostRow row, int index) {
    long bytes = (long) runs * Float.BYTES;
    return row.withPeaks(memory.asSlice(index * bytes, bytes).toArray(Rows2d.FLOAT));
  }

  @Override
  public void close() {
    arena.close();
  }
}
