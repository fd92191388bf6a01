package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.JMP;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.TEST;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMASKMOVPS;
import static weft.cpu.asm.VectorOp.VMOVUPS;
import static weft.cpu.kernel.product.Tile.GOES_ON;
import static weft.cpu.kernel.product.Tile.LOWER_ROWS;
import static weft.cpu.kernel.product.Tile.MASKS;
import static weft.cpu.kernel.product.Tile.OUT;
import static weft.cpu.kernel.product.Tile.OUT_STEP;
import static weft.cpu.kernel.product.Tile.UPPER_ROWS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/** How the sums of a tile begin and where they go: two vectors a token, of rows that there are. */
public final class TileResults {
  private final KernelWriter w;
  private final Vec[][] sums;
  private final Vec t;

  TileResults(KernelWriter w, Vec[][] sums, Vec t) {
    this.w = w;
    this.sums = sums;
    this.t = t;
  }

  private boolean isWide() {
    return t.bits() == 512;
  }

  /** Sums begin with zero, or with what earlier values of the rows came to. */
  void begin(Gpr pointer) {
    var goesOn = w.label("goesOn");
    var begun = w.label("begun");
    w.op(TEST, GOES_ON, GOES_ON);
    w.op(JNE, goesOn);
    for (var of : sums) {
      w.zero(of[0]);
      w.zero(of[1]);
    }
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

  void store() {
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
