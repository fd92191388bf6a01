package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VBROADCASTSS;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.Locale;
import weft.cpu.asm.Gpr;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.ir.Op;

/** Heads turned by their rows' angles, where no attention does it on its way in. */
public final class Rope {
  private static final Gpr UNIT = FROM;
  private static final Gpr END = R15;
  private static final Gpr ROW = R12;
  private static final Gpr HEAD = R13;

  private Rope() {}

  public static String name(Op.Pairing pairing) {
    return "rope." + pairing.name().toLowerCase(Locale.ROOT);
  }

  public static void emit(KernelWriter w, Op.Pairing pairing) {
    var places = new TurnCode.Places(RopeArguments.ANGLES, RopeArguments.DIM);
    var turn = new TurnCode(w, new Registers(w.isa()), pairing, places);
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name(pairing));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, END, TO);
    turn.begin();
    w.op(VBROADCASTSS, turn.turned(), at(ARGUMENTS, RopeArguments.SCALE));
    w.op(VBROADCASTSS, turn.rest(), at(w.assembler().floats("one", 1)));
    w.bind(unit);
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, RopeArguments.HEADS));
    w.op(MOV, ROW, RAX);
    w.op(MOV, HEAD, RDX);
    turn.angles(ROW);
    w.place(TurnCode.HEAD, RopeArguments.FROM, ROW, HEAD);
    w.place(TurnCode.TO, RopeArguments.TO, ROW, HEAD);
    turn.call();
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
    turn.emit();
  }
}
