package weft.cpu.kernel.product;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.FnCode;
import weft.ir.Fn;

/** A function that the results of a tile go through while they are in registers. */
record TileMap(Fn fn, FnCode code) {
  void apply(Vec x) {
    code.apply(fn, x);
  }
}
