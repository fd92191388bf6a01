package weft.cpu.kernel.attention;

import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;

/** Reads stored keys and values as vectors of floats. */
public final class KvRead {
  private final KernelWriter w;
  private final KvKind kind;
  private final int lanes;

  KvRead(KernelWriter w, KvKind kind) {
    this.w = w;
    this.kind = kind;
    lanes = w.isa().vectorBits() / Float.SIZE;
  }

  /** How many vectors code takes at least, so that they are whole blocks. */
  int least() {
    return kind.vectors(lanes);
  }

  /** The stored bytes of this many vectors, a whole number of blocks. */
  int bytes(int vectors) {
    return kind.bytes(vectors * lanes);
  }

  /**
   * Vector {@code v} of the stored numbers at a place, as floats. The scale of its block goes to
   * {@code scale}, unless the vector before has left it there.
   */
  void load(Vec to, Place place, int v, Vec scale, boolean hasScale) {
    switch (kind) {
      case F16 -> w.op(VCVTPH2PS, to, place.at(v * lanes * 2));
      case F32 -> w.op(VMOVUPS, to, place.at(v * lanes * 4));
      case Q8_0 -> {
        int block = v / least() * bytes(least());
        if (!hasScale) {
          w.half(scale, place.at(block));
        }
        w.op(VPMOVSXBD, to, place.at(block + 2 + v % least() * lanes));
        w.op(VCVTDQ2PS, to, to);
        w.op(VMULPS, to, to, scale);
      }
    }
  }
}
