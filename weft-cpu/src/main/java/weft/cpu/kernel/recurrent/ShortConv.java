package weft.cpu.kernel.recurrent;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.function.IntConsumer;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;

/**
 * A causal depthwise convolution of channels side by side: the inputs that came before stay in
 * registers while the rows of a sequence go by, those that were kept first, and go back to its
 * state before the rows of a draft, whose inputs are kept.
 */
public final class ShortConv {
  /** The channels of a unit of work. */
  static final int PIECE = 64;

  /** Weights and past inputs are in registers, of which AVX2 has sixteen. */
  public static final int MOST_TAPS = 5;

  private static final Gpr UNIT = FROM;
  private static final Gpr END = R15;
  private static final Gpr PART = R14;
  private static final Gpr X = R8;
  private static final Gpr OUT = R9;
  private static final Gpr STATE = R10;
  private static final Gpr WEIGHTS = R11;
  private static final Gpr BYTES = RBP;
  private static final Gpr KEPT = R13;

  private final KernelWriter w;
  private final int taps;
  private final Vec[] weights;
  private final Vec[] past;
  private final Vec x;
  private final Vec sum;
  private final Sweep sweep;

  private ShortConv(KernelWriter w, int taps) {
    this.w = w;
    this.taps = taps;
    var registers = new Registers(w.isa());
    weights = registers.take(taps + 1);
    past = registers.take(taps);
    x = registers.take();
    sum = registers.take();
    sweep = new Sweep(w, registers, k(1));
  }

  public static String name(int taps) {
    return "shortconv." + taps;
  }

  public static void emit(KernelWriter w, int taps) {
    new ShortConv(w, taps).emit();
  }

  private void emit() {
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name(taps));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, END, TO);
    w.bind(unit);
    w.note("r14 = the part, r12 = bytes before the piece of channels, rbp = bytes of it");
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, ShortConvArguments.PIECES));
    w.op(IMUL, PART, RAX, imm(RecurrentPart.BYTES));
    w.op(ADD, PART, at(ARGUMENTS, ShortConvArguments.PARTS));
    w.op(IMUL, R12, RDX, imm(PIECE * Float.BYTES));
    w.op(MOV, BYTES, at(ARGUMENTS, ShortConvArguments.CHANNEL_BYTES));
    w.op(SUB, BYTES, R12);
    w.op(MOV, RAX.d(), imm(PIECE * Float.BYTES));
    w.op(CMP, BYTES, RAX);
    w.op(CMOVG, BYTES, RAX);
    sweep.measure(BYTES, RDX);
    rows(X, ShortConvArguments.X, ShortConvArguments.X_BYTES);
    rows(OUT, ShortConvArguments.TO, ShortConvArguments.TO_BYTES);
    w.op(MOV, STATE, at(PART, RecurrentPart.STATE));
    w.op(ADD, STATE, R12);
    w.op(MOV, KEPT, at(PART, RecurrentPart.KEPT));
    w.op(ADD, KEPT, R12);
    w.op(MOV, WEIGHTS, at(ARGUMENTS, ShortConvArguments.WEIGHTS));
    w.op(ADD, WEIGHTS, R12);
    sweep.over(RAX, BYTES, this::channels);
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
  }

  /** {@code to = } where the part's first row has the piece. */
  private void rows(Gpr to, int memory, int bytes) {
    w.op(MOV, to, at(ARGUMENTS, bytes));
    w.op(IMUL, to, at(PART, RecurrentPart.FIRST));
    w.op(ADD, to, at(ARGUMENTS, memory));
    w.op(ADD, to, R12);
  }

  /** A vector of channels through all rows. */
  private void channels(Sweep.Lanes lanes) {
    byTap(WEIGHTS, taps + 1, t -> lanes.load(weights[t], at(RDX, RAX, 1)));
    byTap(STATE, taps, t -> lanes.load(past[t], at(RDX, RAX, 1)));
    w.note("rows that were kept are only past");
    w.op(MOV, RBX, KEPT);
    rows(
        RecurrentPart.BEGIN,
        RecurrentPart.FIRST,
        () -> {
          lanes.load(x, at(RBX, RAX, 1));
          shift();
          w.op(ADD, RBX, at(ARGUMENTS, ShortConvArguments.CHANNEL_BYTES));
        });
    w.op(MOV, RBX, X);
    w.op(MOV, RDX, OUT);
    rows(RecurrentPart.FIRST, RecurrentPart.DRAFT, () -> convolve(lanes));
    w.note("a draft leaves the state alone; r12 is where its inputs are kept");
    w.op(MOV, R12, RDX);
    byTap(STATE, taps, t -> lanes.store(at(RDX, RAX, 1), past[t]));
    w.op(MOV, RDX, R12);
    w.op(MOV, R12, KEPT);
    rows(
        RecurrentPart.DRAFT,
        RecurrentPart.END,
        () -> {
          lanes.load(x, at(RBX, RAX, 1));
          lanes.store(at(R12, RAX, 1), x);
          convolve(lanes);
          w.op(ADD, R12, at(ARGUMENTS, ShortConvArguments.CHANNEL_BYTES));
        });
  }

  /** Runs the body for each row between two of the part's numbers, which may be none. */
  private void rows(int from, int to, Runnable body) {
    var row = w.label("row");
    var none = w.label("none");
    w.op(MOV, RCX, at(PART, to));
    w.op(SUB, RCX, at(PART, from));
    w.op(JLE, none);
    w.loop(row);
    body.run();
    w.op(DEC, RCX);
    w.op(JNE, row);
    w.bind(none);
  }

  private void convolve(Sweep.Lanes lanes) {
    lanes.load(x, at(RBX, RAX, 1));
    w.op(VMULPS, sum, x, weights[taps]);
    for (int t = 0; t < taps; t++) w.op(VFMADD231PS, sum, past[t], weights[t]);
    lanes.store(at(RDX, RAX, 1), sum);
    shift();
    w.op(ADD, RBX, at(ARGUMENTS, ShortConvArguments.X_BYTES));
    w.op(ADD, RDX, at(ARGUMENTS, ShortConvArguments.TO_BYTES));
  }

  private void shift() {
    for (int t = 0; t < taps; t++) w.move(past[t], t + 1 < taps ? past[t + 1] : x);
  }

  /** Runs the body for each tap: rdx is where its row of channels is. */
  private void byTap(Gpr rows, int count, IntConsumer body) {
    w.op(MOV, RDX, rows);
    for (int t = 0; t < count; t++) {
      if (t > 0) w.op(ADD, RDX, at(ARGUMENTS, ShortConvArguments.CHANNEL_BYTES));
      body.accept(t);
    }
  }
}
