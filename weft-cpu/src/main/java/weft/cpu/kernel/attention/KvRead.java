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

  /** Whether blocks have a scale, so that what {@link #unscaled} gives is not the number yet. */
  boolean hasScales() {
    return kind == KvKind.Q8_0;
  }

  /**
   * Vector {@code v} of the stored numbers at a place, as floats. The scale of its block goes to
   * {@code scale}, unless the vector before has left it there.
   */
  void load(Vec to, Place place, int v, Vec scale, boolean hasScale) {
    if (hasScales() && !hasScale) scale(scale, place, v);
    unscaled(to, place, v);
    if (hasScales()) w.op(VMULPS, to, to, scale);
  }

  /** Vector {@code v} as floats that its block's scale is still to be multiplied with. */
  void unscaled(Vec to, Place place, int v) {
    switch (kind) {
      case F16 -> w.op(VCVTPH2PS, to, place.at(v * lanes * 2));
      case F32 -> w.op(VMOVUPS, to, place.at(v * lanes * 4));
      case Q8_0 -> {
        w.op(VPMOVSXBD, to, place.at(block(v) + 2 + v % least() * lanes));
        w.op(VCVTDQ2PS, to, to);
      }
    }
  }

  /** The scale of the block that vector {@code v} is in, in every lane. */
  void scale(Vec to, Place place, int v) {
    w.half(to, place.at(block(v)));
  }

  private int block(int v) {
    return v / least() * bytes(least());
  }
}
