package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import weft.backend.HostState;
import weft.backend.Step;
import weft.cpu.launch.Convolution;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Rows2d;
import weft.cpu.team.Worker;
import weft.ir.Slot;

/** A causal depthwise convolution: workers side by side over channels. */
public final class PortableShortConv implements JavaLaunch {
  private final Slot.Conv slot;
  private final Rows2d x;
  private final Rows2d result;
  private final float[] byTap;

  public PortableShortConv(Convolution convolution) {
    this.slot = convolution.slot();
    this.x = convolution.x();
    this.byTap = convolution.byTap();
    this.result = convolution.result();
  }

  @Override
  public String name() {
    return "shortconv";
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    int from = worker.from(slot.channels());
    int to = worker.to(slot.channels());
    int first = 0;
    for (var part : step.parts()) {
      var state = HostState.of(part.state()).recurrent(slot);
      for (int i = 0; i < part.rows(); i++) row(state, first, i, from, to, worker);
      keep(state, first, part.rows(), from, to);
      first += part.rows();
    }
  }

  /** The input that came {@code back} rows before row {@code i} of the part. */
  private MemorySegment source(MemorySegment state, int i, int back) {
    return back > i ? state : x.memory();
  }

  private long sourceAt(int first, int i, int back, int channel) {
    return back > i
        ? ((long) (slot.taps() + i - back) * slot.channels() + channel) * Float.BYTES
        : x.at(first + i - back, channel);
  }

  private void row(MemorySegment state, int first, int i, int from, int to, Worker worker) {
    int taps = slot.taps();
    int n = to - from;
    var sums = worker.scratch(n);
    Arrays.fill(sums, 0, n, 0);
    for (int t = 0; t <= taps; t++) {
      var in = source(state, i, taps - t);
      long at = sourceAt(first, i, taps - t, from);
      VectorMath.addProducts(in, at, byTap, t * slot.channels() + from, sums, n);
    }
    result.write(first + i, from, sums, 0, n);
  }

  /** The last inputs of the part become the state, oldest first. */
  private void keep(MemorySegment state, int first, int rows, int from, int to) {
    long bytes = (long) (to - from) * Float.BYTES;
    for (int t = 0; t < slot.taps(); t++) {
      int back = slot.taps() - t;
      long at = ((long) t * slot.channels() + from) * Float.BYTES;
      MemorySegment.copy(
          source(state, rows, back), sourceAt(first, rows, back, from), state, at, bytes);
    }
  }
}
