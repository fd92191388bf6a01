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
      var sequence = HostState.of(part.state());
      var state = sequence.recurrent(slot);
      var kept = sequence.kept(slot);
      makeUp(state, kept, sequence.pending(), from, to);
      for (int i = 0; i < part.rows(); i++) row(state, first, i, from, to, worker);
      int firm = part.rows() - part.tentative();
      keep(state, first, firm, from, to);
      for (int i = 0; i < part.tentative(); i++) {
        copy(x.memory(), x.at(first + firm + i, from), kept, at(i, from), to - from);
      }
      first += part.rows();
    }
  }

  /** The input that came {@code back} rows before row {@code i} of the part. */
  private MemorySegment source(MemorySegment state, int i, int back) {
    return back > i ? state : x.memory();
  }

  private long sourceAt(int first, int i, int back, int channel) {
    return back > i ? at(slot.taps() + i - back, channel) : x.at(first + i - back, channel);
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
    for (int t = 0; t < slot.taps(); t++) {
      int back = slot.taps() - t;
      var in = source(state, rows, back);
      copy(in, sourceAt(first, rows, back, from), state, at(t, from), to - from);
    }
  }

  /** The last of the kept inputs become the state, oldest first. */
  private void makeUp(MemorySegment state, MemorySegment kept, int rows, int from, int to) {
    if (rows == 0) return;
    for (int t = 0; t < slot.taps(); t++) {
      int row = rows + t - slot.taps();
      if (row < 0) copy(state, at(t + rows, from), state, at(t, from), to - from);
      else copy(kept, at(row, from), state, at(t, from), to - from);
    }
  }

  /** Where a row of all channels has one, in the state and among the kept. */
  private long at(int row, int channel) {
    return ((long) row * slot.channels() + channel) * Float.BYTES;
  }

  private static void copy(MemorySegment from, long at, MemorySegment to, long toAt, int floats) {
    MemorySegment.copy(from, at, to, toAt, (long) floats * Float.BYTES);
  }
}
