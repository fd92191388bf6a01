package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import weft.backend.HostState;
import weft.backend.KeptRows;
import weft.backend.Step;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Recurrence;
import weft.cpu.launch.Rows2d;
import weft.cpu.team.Worker;
import weft.ir.Slot;

/**
 * The gated delta rule: workers side by side over heads, tokens in chunks, the last few and those
 * of drafts singly.
 */
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
        head(HostState.of(part.state()), head, row, part, worker);
        row += part.rows();
      }
    }
  }

  private void head(HostState sequence, int head, int first, Step.Part part, Worker worker) {
    int size = slot.keyDim() * slot.valueDim();
    var state =
        sequence
            .recurrent(slot)
            .asSlice((long) head * size * Float.BYTES, (long) size * Float.BYTES);
    var kept = sequence.kept(slot);
    for (int i = 0; i < sequence.pending(); i++) makeUp(state, head, kept, i, worker);
    int draft = first + part.rows() - part.tentative();
    firm(state, head, first, draft, worker);
    if (part.tentative() == 0) return;
    // Singly, so that a token has the same bits as without a draft.
    var copy = worker.nativeScratch(state.byteSize()).asSlice(0, state.byteSize());
    copy.copyFrom(state);
    for (int i = 0; i < part.tentative(); i++) {
      keep(head, draft + i, kept, i);
      single(copy, head, draft + i, worker);
    }
  }

  private void firm(MemorySegment state, int head, int first, int end, Worker worker) {
    int row = first;
    if (end - first >= FEWEST_CHUNKED) {
      int size = slot.keyDim() * slot.valueDim();
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

  /** The first float that is kept of a head of a row. */
  private long keptAt(int row, int head) {
    return ((long) row * slot.heads() + head) * KeptRows.headFloats(slot);
  }

  /** Keeps what a row of a draft goes by. */
  private void keep(int head, int row, MemorySegment kept, int to) {
    long at = keptAt(to, head) * Float.BYTES;
    long value = at + (long) slot.keyDim() * Float.BYTES;
    long gates = value + (long) slot.valueDim() * Float.BYTES;
    in.k().copy(row, rule.keyHead(head), kept, at);
    in.v().copy(row, head, kept, value);
    kept.set(Rows2d.FLOAT, gates, in.decay().get(row, head));
    kept.set(Rows2d.FLOAT, gates + Float.BYTES, in.beta().get(row, head));
  }

  /** Moves the state on by a row that was kept; nobody reads of it. */
  private void makeUp(MemorySegment state, int head, MemorySegment kept, int row, Worker worker) {
    var single = new DeltaStep(slot.keyDim(), slot.valueDim());
    var x = worker.scratch(single.scratch());
    long at = keptAt(row, head) * Float.BYTES;
    long value = at + (long) slot.keyDim() * Float.BYTES;
    long gates = value + (long) slot.valueDim() * Float.BYTES;
    MemorySegment.copy(kept, Rows2d.FLOAT, at, x, single.queryAt(), slot.keyDim());
    MemorySegment.copy(kept, Rows2d.FLOAT, at, x, single.keyAt(), slot.keyDim());
    MemorySegment.copy(kept, Rows2d.FLOAT, value, x, single.valueAt(), slot.valueDim());
    single.run(
        state, x, kept.get(Rows2d.FLOAT, gates), kept.get(Rows2d.FLOAT, gates + Float.BYTES));
  }
}
