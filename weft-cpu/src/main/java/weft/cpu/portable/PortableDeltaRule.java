package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import weft.backend.HostState;
import weft.backend.Step;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Recurrence;
import weft.cpu.launch.Rows2d;
import weft.cpu.team.Worker;
import weft.ir.Slot;

/** The gated delta rule: workers side by side over heads, tokens in chunks, the last few singly. */
public final class PortableDeltaRule implements JavaLaunch {
  /** Fewer tokens than this are faster a step at a time (see the commit's numbers). */
  private static final int FEWEST_CHUNKED = 4;

  private final Recurrence rule;
  private final Slot.Delta slot;
  private final Recurrence.Inputs in;

  public PortableDeltaRule(Recurrence rule) {
    this.rule = rule;
    this.slot = rule.slot();
    this.in = rule.in();
  }

  @Override
  public String name() {
    return "deltarule";
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    for (int head = worker.from(slot.heads()); head < worker.to(slot.heads()); head++) {
      int row = 0;
      for (var part : step.parts()) {
        head(HostState.of(part.state()).recurrent(slot), head, row, part.rows(), worker);
        row += part.rows();
      }
    }
  }

  private void head(MemorySegment memory, int head, int first, int rows, Worker worker) {
    int size = slot.keyDim() * slot.valueDim();
    var state = memory.asSlice((long) head * size * Float.BYTES, (long) size * Float.BYTES);
    int row = first;
    int end = first + rows;
    if (rows >= FEWEST_CHUNKED) {
      var copy = worker.more(size);
      MemorySegment.copy(state, Rows2d.FLOAT, 0, copy, 0, size);
      for (; end - row >= FEWEST_CHUNKED; row += Math.min(DeltaChunk.TOKENS, end - row)) {
        chunk(copy, head, row, Math.min(DeltaChunk.TOKENS, end - row), worker);
      }
      MemorySegment.copy(copy, 0, state, Rows2d.FLOAT, 0, size);
    }
    for (; row < end; row++) single(state, head, row, worker);
  }

  private void chunk(float[] state, int head, int row, int tokens, Worker worker) {
    var chunk = new DeltaChunk(slot.keyDim(), slot.valueDim());
    var x = worker.scratch(chunk.scratch());
    for (int t = 0; t < tokens; t++) {
      in.q().read(row + t, rule.keyHead(head), x, chunk.queryAt(t, tokens));
      in.k().read(row + t, rule.keyHead(head), x, chunk.keyAt(t));
      in.v().read(row + t, head, x, chunk.valueAt(t));
      x[chunk.decayAt(t)] = in.decay().get(row + t, head);
      x[chunk.betaAt(t)] = in.beta().get(row + t, head);
    }
    chunk.run(state, x, tokens);
    for (int t = 0; t < tokens; t++)
      rule.result().write(row + t, head, x, chunk.outputAt(t, tokens));
  }

  private void single(MemorySegment state, int head, int row, Worker worker) {
    var single = new DeltaStep(slot.keyDim(), slot.valueDim());
    var x = worker.scratch(single.scratch());
    in.q().read(row, rule.keyHead(head), x, single.queryAt());
    in.k().read(row, rule.keyHead(head), x, single.keyAt());
    in.v().read(row, head, x, single.valueAt());
    single.run(state, x, in.decay().get(row, head), in.beta().get(row, head));
    rule.result().write(row, head, x, single.outputAt());
  }
}
