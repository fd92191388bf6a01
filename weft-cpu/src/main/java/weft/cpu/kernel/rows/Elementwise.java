package weft.cpu.kernel.rows;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.List;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Op;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.FnCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;
import weft.ir.Bin;

/** A {@link Formula} over the elements of rows, piece by piece: loads, arithmetic, one store. */
public final class Elementwise {
  private static final Gpr UNIT = FROM;
  private static final Gpr END = R15;
  private static final Gpr ROW = R12;
  private static final Gpr PIECE = R13;
  private static final Gpr SOURCE_ROW = R14;
  private static final Gpr OUT = RBX;
  private static final Gpr BYTES = RBP;

  /** Where each operand's piece is. */
  private static final List<Gpr> OPERANDS = List.of(R8, R9, R10, R11);

  private final KernelWriter w;
  private final Formula formula;
  private final Vec[] values;
  private final FnCode functions;
  private final Sweep sweep;

  private Elementwise(KernelWriter w, Formula formula) {
    this.w = w;
    this.formula = formula;
    var registers = new Registers(w.isa());
    values = registers.take(formula.depth());
    functions = new FnCode(w, registers);
    sweep = new Sweep(w, registers, k(1));
  }

  public static String name(Formula formula) {
    return "each " + formula;
  }

  public static void emit(KernelWriter w, Formula formula) {
    new Elementwise(w, formula).emit();
  }

  private void emit() {
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name(formula));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, END, TO);
    w.bind(unit);
    w.note("r12 = row, r13 = piece of it, rbp = bytes of the piece");
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, ElementwiseArguments.PIECES));
    w.op(MOV, ROW, RAX);
    w.op(MOV, PIECE, RDX);
    w.op(MOV, BYTES, at(ARGUMENTS, ElementwiseArguments.PIECE_BYTES));
    w.op(MOV, RDX, BYTES);
    w.op(IMUL, RDX, PIECE);
    w.op(NEG, RDX);
    w.op(ADD, RDX, at(ARGUMENTS, ElementwiseArguments.WIDTH_BYTES));
    w.op(CMP, BYTES, RDX);
    w.op(CMOVG, BYTES, RDX);
    sweep.measure(BYTES, RDX);
    w.place(OUT, ElementwiseArguments.TO, ROW, PIECE);
    for (int i = 0; i < formula.operands(); i++) operand(i);
    sweep.over(
        RAX,
        BYTES,
        lanes -> {
          compute(formula, 0, lanes);
          lanes.store(at(OUT, RAX, 1), values[0]);
        });
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
  }

  private void operand(int i) {
    var same = w.label("same");
    int source = ElementwiseArguments.source(i);
    w.op(MOV, SOURCE_ROW, ROW);
    w.op(MOV, RAX, at(ARGUMENTS, source + ElementwiseArguments.Source.CHOSEN));
    w.op(TEST, RAX, RAX);
    w.op(JE, same);
    w.op(MOVSXD, SOURCE_ROW, at(RAX, ROW, 4).sized(32));
    w.bind(same);
    w.place(OPERANDS.get(i), source, SOURCE_ROW, PIECE);
  }

  /** Leaves the value of a part of the formula in {@code values[at]}. */
  private void compute(Formula part, int at, Sweep.Lanes lanes) {
    var to = values[at];
    switch (part) {
      case Formula.Element(int operand) -> lanes.load(to, at(OPERANDS.get(operand), RAX, 1));
      case Formula.Spread(int operand) -> w.op(VBROADCASTSS, to, at(OPERANDS.get(operand)));
      case Formula.Number(int index) ->
          w.op(
              VBROADCASTSS,
              to,
              at(ARGUMENTS, ElementwiseArguments.NUMBERS + (long) index * Float.BYTES));
      case Formula.Apply(var fn, var x) -> {
        compute(x, at, lanes);
        functions.apply(fn, to);
      }
      case Formula.Join(var bin, var a, var b) -> {
        compute(a, at, lanes);
        compute(b, at + 1, lanes);
        w.op(instruction(bin), to, to, values[at + 1]);
      }
    }
  }

  private static Op instruction(Bin bin) {
    return switch (bin) {
      case ADD -> VADDPS;
      case SUB -> VSUBPS;
      case MUL -> VMULPS;
      case DIV -> VDIVPS;
    };
  }
}
