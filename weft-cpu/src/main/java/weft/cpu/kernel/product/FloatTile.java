package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VBROADCASTSS;
import static weft.cpu.asm.VectorOp.VFMADD231PS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * The twin of {@link Tile} for a panel of floats; it takes the same registers, of {@link
 * Tile#BLOCKS} the number of values.
 */
public final class FloatTile {
  private static final int HALVES = 2;
  private static final int UNROLLED = 4;

  /** Each reaches three tokens. */
  private static final Gpr[] X = {Tile.X, R9, R11, R12};

  private final KernelWriter w;
  private final int tokens;
  private final int length;
  private final Vec[][] sums;
  private final Vec[] weights;
  private final Vec x;

  private FloatTile(KernelWriter w, int tokens) {
    this.w = w;
    this.tokens = tokens;
    var registers = new Registers(w.isa());
    sums = new Vec[tokens][];
    for (int t = 0; t < tokens; t++) {
      sums[t] = registers.take(HALVES);
    }
    weights = registers.take(HALVES);
    x = registers.take();
    length = x.bytes();
  }

  /** The most tokens whose sums fit in the registers. */
  static int most(Isa isa) {
    return isa == Isa.AVX2 ? 6 : 12;
  }

  static Label emit(KernelWriter w, int tokens) {
    var entry = w.label("floatTile" + tokens);
    w.loop(entry);
    new FloatTile(w, tokens).emit();
    return entry;
  }

  private void emit() {
    var four = w.label("four");
    var rest = w.label("rest");
    var one = w.label("one");
    var done = w.label("done");
    var results = new TileResults(w, sums, weights, x);
    results.begin(R9);
    w.op(LEA, RCX, at(Tile.X_STEP, Tile.X_STEP, 2));
    for (int i = 1; 3 * i < tokens; i++) {
      w.op(LEA, X[i], at(X[i - 1], RCX, 1));
    }
    w.op(MOV, RBX, Tile.BLOCKS);
    w.op(SHR, RBX, imm(2));
    w.op(JE, rest);
    w.loop(four);
    values(UNROLLED);
    w.op(DEC, RBX);
    w.op(JNE, four);
    w.bind(rest);
    w.op(AND, Tile.BLOCKS, imm(UNROLLED - 1));
    w.op(JE, done);
    w.bind(one);
    values(1);
    w.op(DEC, Tile.BLOCKS);
    w.op(JNE, one);
    w.bind(done);
    results.store();
    w.op(RET);
  }

  private void values(int count) {
    for (int i = 0; i < count; i++) {
      for (int half = 0; half < HALVES; half++) {
        w.load(weights[half], at(Tile.BYTES, 4 * Panel.ROWS * i + length * half));
      }
      for (int t = 0; t < tokens; t++) {
        w.op(VBROADCASTSS, x, token(t, 4 * i));
        for (int half = 0; half < HALVES; half++) {
          w.op(VFMADD231PS, sums[t][half], weights[half], x);
        }
      }
    }
    w.op(ADD, Tile.BYTES, imm(4 * Panel.ROWS * count));
    for (int i = 0; 3 * i < tokens; i++) {
      w.op(ADD, X[i], imm(4 * count));
    }
  }

  private static Mem token(int token, int offset) {
    var base = X[token / 3];
    return switch (token % 3) {
      case 0 -> at(base, offset);
      case 1 -> at(base, Tile.X_STEP, 1, offset);
      default -> at(base, Tile.X_STEP, 2, offset);
    };
  }
}
