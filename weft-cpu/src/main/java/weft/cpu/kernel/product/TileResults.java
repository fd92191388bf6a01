package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.CMP;
import static weft.cpu.asm.BaseOp.JE;
import static weft.cpu.asm.BaseOp.JMP;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.TEST;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VADDPS;
import static weft.cpu.asm.VectorOp.VMASKMOVPS;
import static weft.cpu.asm.VectorOp.VMOVUPS;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.product.Tile.GOES_ON;
import static weft.cpu.kernel.product.Tile.LOWER_ROWS;
import static weft.cpu.kernel.product.Tile.MASKS;
import static weft.cpu.kernel.product.Tile.OUT;
import static weft.cpu.kernel.product.Tile.OUT_STEP;
import static weft.cpu.kernel.product.Tile.UPPER_ROWS;

import java.util.Optional;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/** How the sums of a tile begin and where they go: two vectors a token, of rows that there are. */
public final class TileResults {
  /** By the end of a tile what it took is free. */
  private static final Gpr RESIDUAL = Tile.X;

  private static final Gpr RESIDUAL_STEP = Tile.X_STEP;
  private static final Gpr BIAS = Tile.BYTES;

  private final KernelWriter w;
  private final Vec[][] sums;
  private final Vec[] added;
  private final Vec t;
  private final Optional<TileMap> map;

  /**
   * @param added two registers for what is added to the sums
   * @param t another one
   */
  TileResults(KernelWriter w, Vec[][] sums, Vec[] added, Vec t) {
    this(w, sums, added, t, Optional.empty());
  }

  /**
   * @param map the function that sums go through once all is added
   */
  TileResults(KernelWriter w, Vec[][] sums, Vec[] added, Vec t, Optional<TileMap> map) {
    this.map = map;
    this.w = w;
    this.sums = sums;
    this.added = added;
    this.t = t;
  }

  private boolean isWide() {
    return t.bits() == 512;
  }

  void zero() {
    for (var of : sums) {
      w.zero(of[0]);
      w.zero(of[1]);
    }
  }

  /** What earlier values of the rows came to joins sums that began with zero. */
  void addEarlier(Gpr pointer) {
    var none = w.label("noneEarlier");
    w.op(CMP, MatMul.valuesMet(), imm(0));
    w.op(JE, none);
    w.op(MOV, pointer, OUT);
    for (var of : sums) {
      load(added, pointer);
      w.op(VADDPS, of[0], of[0], added[0]);
      w.op(VADDPS, of[1], of[1], added[1]);
      w.op(ADD, pointer, OUT_STEP);
    }
    w.bind(none);
  }

  /** Sums begin with zero, or with what earlier values of the rows came to. */
  void begin(Gpr pointer) {
    var goesOn = w.label("goesOn");
    var begun = w.label("begun");
    w.op(TEST, GOES_ON, GOES_ON);
    w.op(JNE, goesOn);
    zero();
    w.op(JMP, begun);
    w.bind(goesOn);
    w.op(MOV, pointer, OUT);
    for (var of : sums) {
      load(of, pointer);
      w.op(ADD, pointer, OUT_STEP);
    }
    w.bind(begun);
  }

  private void load(Vec[] of, Gpr from) {
    if (isWide()) {
      w.op(VMOVUPS, of[0].zeroing(LOWER_ROWS), at(from));
      w.op(VMOVUPS, of[1].zeroing(UPPER_ROWS), at(from, 64));
      return;
    }
    for (int half = 0; half < of.length; half++) {
      w.op(VMOVUPS, t, at(MASKS, 32 * half));
      w.op(VMASKMOVPS, of[half], t, at(from, 32 * half));
    }
  }

  /** Rows that there are of the floats at a place, zeros behind them. */
  private void load(Vec to, int half, Gpr from) {
    if (isWide()) {
      w.op(VMOVUPS, to.zeroing(half == 0 ? LOWER_ROWS : UPPER_ROWS), at(from, 64L * half));
    } else {
      w.op(VMASKMOVPS, to, t, at(from, 32L * half));
    }
  }

  /** The bias, then the residual, where they are to be added by now; then the function. */
  private void add() {
    var sumsAlone = w.label("sumsAlone");
    w.op(CMP, MatMul.adds(), imm(0));
    w.op(JE, sumsAlone);
    w.op(MOV, RESIDUAL_STEP, at(ARGUMENTS, MatMulArguments.RESIDUAL_BYTES));
    for (int half = 0; half < added.length; half++) {
      w.op(MOV, BIAS, MatMul.tileBias());
      w.op(MOV, RESIDUAL, MatMul.tileResidual());
      if (!isWide()) w.op(VMOVUPS, t, at(MASKS, 32L * half));
      load(added[0], half, BIAS);
      for (var of : sums) {
        load(added[1], half, RESIDUAL);
        w.op(VADDPS, of[half], of[half], added[0]);
        w.op(VADDPS, of[half], of[half], added[1]);
        w.op(ADD, RESIDUAL, RESIDUAL_STEP);
      }
    }
    for (var of : sums) for (var sum : of) map.ifPresent(m -> m.apply(sum));
    w.bind(sumsAlone);
  }

  void store() {
    add();
    for (var of : sums) {
      if (isWide()) {
        w.op(VMOVUPS, at(OUT).merging(LOWER_ROWS), of[0]);
        w.op(VMOVUPS, at(OUT, 64).merging(UPPER_ROWS), of[1]);
      } else {
        for (int half = 0; half < of.length; half++) {
          w.op(VMOVUPS, t, at(MASKS, 32 * half));
          w.op(VMASKMOVPS, at(OUT, 32 * half), t, of[half]);
        }
      }
      w.op(ADD, OUT, OUT_STEP);
    }
  }
}
