package weft.cpu.kernel.format;

import static weft.cpu.asm.VectorOp.VCVTDQ2PS;
import static weft.cpu.asm.VectorOp.VMULPS;

import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/** The end of what takes a block's scales apart: whole numbers become floats, times its own. */
final class BlockScale {
  private BlockScale() {}

  /** {@code scale} is a half float, which goes through {@code t}. */
  static void apply(KernelWriter w, Vec t, Mem scale, Vec... numbers) {
    for (var each : numbers) w.op(VCVTDQ2PS, each, each);
    w.half(t, scale);
    for (var each : numbers) w.op(VMULPS, each, each, t);
  }
}
