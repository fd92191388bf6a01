package weft.cpu.kernel.rows;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * The greatest of each run of neighbours, while a vocabulary's logits are still in the cache: the
 * likeliest token, or the likeliest few, are then found without another look at the rest. A run
 * with an element that is not finite peaks at NaN.
 */
public final class Peaks {
  /** Neighbours that have one peak. */
  public static final int RUN = 64;

  public static final String NAME = "peaks";

  private static final Gpr ROW = R8;
  private static final Gpr OUT = R9;
  private static final Gpr LEFT = R10;
  private static final Gpr BEHIND = R11;

  private Peaks() {}

  public static void emit(KernelWriter w) {
    var registers = new Registers(w.isa());
    var x = registers.take();
    var peak = registers.take();
    var bad = registers.take();
    int lanes = x.bytes() / Float.BYTES;
    var rows = w.label("rows");
    var runs = w.label("runs");
    var rest = w.label("rest");
    var ready = w.label("ready");
    var done = w.label("done");
    w.begin(NAME);
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.note("rax = run, rbx = place of its first float, r10 = rows left, r11 = floats in a row");
    w.op(MOV, ROW, at(ARGUMENTS, PeaksArguments.FROM));
    w.op(MOV, OUT, at(ARGUMENTS, PeaksArguments.TO));
    w.op(MOV, LEFT, at(ARGUMENTS, PeaksArguments.ROWS));
    w.op(MOV, BEHIND, at(ARGUMENTS, PeaksArguments.N));

    w.loop(rows);
    w.op(MOV, RAX, FROM);
    w.op(MOV, RBX, FROM);
    w.op(IMUL, RBX, RBX, imm(RUN));
    w.loop(runs);
    w.op(VBROADCASTSS, peak, at(ROW, RBX, 4, 0));
    w.zero(bad);
    w.op(LEA, RBP, at(RBX, RUN));
    w.op(CMP, RBP, BEHIND);
    w.op(JG, rest);
    for (int i = 0; i < RUN / lanes; i++) {
      w.op(VMOVUPS, x, at(ROW, RBX, 4, (long) i * x.bytes()));
      look(w, x, peak, bad);
    }
    w.op(MOV, RBX, RBP);
    w.op(JMP, ready);

    w.note("the last run may be shorter: one by one");
    w.bind(rest);
    w.op(VBROADCASTSS, x, at(ROW, RBX, 4, 0));
    look(w, x, peak, bad);
    w.op(INC, RBX);
    w.op(CMP, RBX, BEHIND);
    w.op(JL, rest);

    w.bind(ready);
    greatest(w, peak, x);
    w.fold(bad, x);
    w.op(VHADDPS, bad.x(), bad.x(), bad.x());
    w.op(VHADDPS, bad.x(), bad.x(), bad.x());
    w.op(VADDSS, peak.x(), peak.x(), bad.x());
    w.op(VMOVSS, at(OUT, RAX, 4, 0), peak.x());
    w.op(INC, RAX);
    w.op(CMP, RAX, TO);
    w.op(JL, runs);
    w.op(ADD, ROW, at(ARGUMENTS, PeaksArguments.FROM_BYTES));
    w.op(ADD, OUT, at(ARGUMENTS, PeaksArguments.TO_BYTES));
    w.op(DEC, LEFT);
    w.op(JNE, rows);
    w.bind(done);
    w.end();
  }

  /** A number minus itself is zero, unless it is not finite. */
  private static void look(KernelWriter w, Vec x, Vec peak, Vec bad) {
    w.op(VMAXPS, peak, peak, x);
    w.op(VSUBPS, x, x, x);
    w.op(VADDPS, bad, bad, x);
  }

  private static void greatest(KernelWriter w, Vec v, Vec t) {
    if (v.bits() == 512) {
      w.op(VEXTRACTF64X4, t.y(), v.z(), imm(1));
      w.op(VMAXPS, v.y(), v.y(), t.y());
    }
    w.op(VEXTRACTF128, t.x(), v.y(), imm(1));
    w.op(VMAXPS, v.x(), v.x(), t.x());
    w.op(VMOVHLPS, t.x(), v.x(), v.x());
    w.op(VMAXPS, v.x(), v.x(), t.x());
    w.op(VMOVSHDUP, t.x(), v.x());
    w.op(VMAXPS, v.x(), v.x(), t.x());
  }
}
