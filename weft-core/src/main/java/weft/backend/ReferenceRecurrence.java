package weft.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import weft.ir.Op;
import weft.ir.Slot;

/** The recurrent state ops, one token after the other. */
final class ReferenceRecurrence {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private ReferenceRecurrence() {}

  static float[] eval(Op.ShortConv op, ReferenceKernels.Context context) {
    int channels = op.slot().channels();
    int taps = op.slot().taps();
    var x = context.numbers(op.x());
    var w = context.numbers(op.w());
    var out = new float[x.length];
    int row = 0;
    for (var part : context.step().parts()) {
      var sequence = HostState.of(part.state());
      var state = sequence.recurrent(op.slot());
      var kept = sequence.kept(op.slot());
      var pending = new float[sequence.pending() * channels];
      MemorySegment.copy(kept, FLOAT, 0, pending, 0, pending.length);
      for (int i = 0; i < sequence.pending(); i++) shift(state, taps, channels, pending, i);
      int draft = row + part.rows() - part.tentative();
      for (; row < draft; row++) convolve(state, taps, channels, x, w, row, out);
      var past = MemorySegment.ofArray(state.toArray(FLOAT));
      for (int i = 0; i < part.tentative(); i++, row++) {
        long at = (long) i * channels * Float.BYTES;
        MemorySegment.copy(x, row * channels, kept, FLOAT, at, channels);
        convolve(past, taps, channels, x, w, row, out);
      }
    }
    return out;
  }

  /** A row, which is then the latest of the past. */
  private static void convolve(
      MemorySegment past, int taps, int channels, float[] x, float[] w, int row, float[] out) {
    for (int c = 0; c < channels; c++) {
      double sum = (double) x[row * channels + c] * w[c * (taps + 1) + taps];
      for (int t = 0; t < taps; t++) {
        sum += (double) past.getAtIndex(FLOAT, (long) t * channels + c) * w[c * (taps + 1) + t];
      }
      out[row * channels + c] = (float) sum;
    }
    shift(past, taps, channels, x, row);
  }

  private static void shift(MemorySegment state, int taps, int channels, float[] x, int row) {
    long rowBytes = (long) channels * Float.BYTES;
    if (taps == 0) return;
    MemorySegment.copy(state, rowBytes, state, 0, (taps - 1) * rowBytes);
    MemorySegment.copy(x, row * channels, state, FLOAT, (taps - 1) * rowBytes, channels);
  }

  /** What a row brings, and what is read of it. */
  private record Rows(
      Op.DeltaRule op, float[] q, float[] k, float[] v, float[] decay, float[] beta, float[] out) {
    int keyAt(int row, int head) {
      int keyHeads = op.k().type().dim(1).fixed();
      int keyHead =
          switch (op.grouping()) {
            case BLOCKED -> head / (op.slot().heads() / keyHeads);
            case TILED -> head % keyHeads;
          };
      return (row * keyHeads + keyHead) * op.slot().keyDim();
    }

    int gate(int row, int head) {
      return row * op.slot().heads() + head;
    }

    int valueAt(int row, int head) {
      return gate(row, head) * op.slot().valueDim();
    }

    void advance(float[] state, int row) {
      for (int head = 0; head < op.slot().heads(); head++) {
        int gate = gate(row, head);
        ReferenceRecurrence.advance(
            op.slot(),
            state,
            head,
            q,
            k,
            keyAt(row, head),
            v,
            valueAt(row, head),
            decay[gate],
            beta[gate],
            out);
      }
    }

    /** Keeps what a row of a draft brings. */
    void keep(int row, MemorySegment kept, int to) {
      var slot = op.slot();
      for (int head = 0; head < slot.heads(); head++) {
        var place = keptHead(slot, kept, to, head);
        int gates = slot.keyDim() + slot.valueDim();
        MemorySegment.copy(k, keyAt(row, head), place, FLOAT, 0, slot.keyDim());
        long value = (long) slot.keyDim() * Float.BYTES;
        MemorySegment.copy(v, valueAt(row, head), place, FLOAT, value, slot.valueDim());
        place.setAtIndex(FLOAT, gates, decay[gate(row, head)]);
        place.setAtIndex(FLOAT, gates + 1, beta[gate(row, head)]);
      }
    }
  }

  static float[] eval(Op.DeltaRule op, ReferenceKernels.Context context) {
    var slot = op.slot();
    var v = context.numbers(op.v());
    var rows =
        new Rows(
            op,
            context.numbers(op.q()),
            context.numbers(op.k()),
            v,
            context.numbers(op.decay()),
            context.numbers(op.beta()),
            new float[v.length]);
    int row = 0;
    for (var part : context.step().parts()) {
      var sequence = HostState.of(part.state());
      var memory = sequence.recurrent(slot);
      var kept = sequence.kept(slot);
      var state = memory.toArray(FLOAT);
      for (int i = 0; i < sequence.pending(); i++) makeUp(slot, state, kept, i);
      int draft = row + part.rows() - part.tentative();
      for (; row < draft; row++) rows.advance(state, row);
      MemorySegment.copy(state, 0, memory, FLOAT, 0, state.length);
      for (int i = 0; i < part.tentative(); i++, row++) {
        rows.keep(row, kept, i);
        rows.advance(state, row);
      }
    }
    return rows.out;
  }

  private static MemorySegment keptHead(Slot.Delta slot, MemorySegment kept, int row, int head) {
    long bytes = (long) KeptRows.headFloats(slot) * Float.BYTES;
    return kept.asSlice(((long) row * slot.heads() + head) * bytes, bytes);
  }

  /** Moves the state on by a row that was kept; what could be read of it nobody wants. */
  private static void makeUp(Slot.Delta slot, float[] state, MemorySegment kept, int row) {
    int value = slot.keyDim();
    int gates = value + slot.valueDim();
    var unread = new float[gates];
    for (int head = 0; head < slot.heads(); head++) {
      var x = keptHead(slot, kept, row, head).toArray(FLOAT);
      advance(slot, state, head, x, x, 0, x, value, x[gates], x[gates + 1], unread);
    }
  }

  private static void advance(
      Slot.Delta slot,
      float[] state,
      int head,
      float[] q,
      float[] k,
      int keyAt,
      float[] v,
      int valueAt,
      float decay,
      float beta,
      float[] out) {
    int keyDim = slot.keyDim();
    int valueDim = slot.valueDim();
    int base = head * keyDim * valueDim;
    for (int i = 0; i < keyDim * valueDim; i++) state[base + i] *= decay;
    for (int d = 0; d < valueDim; d++) {
      double known = 0;
      for (int j = 0; j < keyDim; j++)
        known += (double) k[keyAt + j] * state[base + j * valueDim + d];
      float change = (float) (beta * (v[valueAt + d] - known));
      double sum = 0;
      for (int j = 0; j < keyDim; j++) {
        int at = base + j * valueDim + d;
        state[at] += k[keyAt + j] * change;
        sum += (double) q[keyAt + j] * state[at];
      }
      out[valueAt + d] = (float) sum;
    }
  }
}
