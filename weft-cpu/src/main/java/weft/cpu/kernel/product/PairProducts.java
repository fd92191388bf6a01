package weft.cpu.kernel.product;

import static weft.cpu.asm.VectorOp.VPABSB;
import static weft.cpu.asm.VectorOp.VPMADDUBSW;
import static weft.cpu.asm.VectorOp.VPSIGNB;

import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.BlockCode;

/**
 * Products of 32 weights with 32 activations as sixteen words, where AVX2 has no better: bytes over
 * 127 would overflow these, so of such formats the magnitudes are met, and the activations have the
 * signs of both.
 */
sealed interface PairProducts {
  /** Prepares the bytes of weights that {@link #of} meets next. */
  void weights(Vec bytes);

  /** {@code to} becomes the sums of two products each. */
  void of(Vec to, Vec bytes, Mem x);

  static PairProducts of(KernelWriter w, BlockCode code, Vec t) {
    return areSigned(code) ? new Signed(w, t) : new Unsigned(w);
  }

  /** Whether the bytes of a format are met less their zero, so that nothing takes it back. */
  static boolean areSigned(BlockCode code) {
    return code.highest() > Byte.MAX_VALUE;
  }

  /** How many sums of two products fit in a word together. */
  static int room(BlockCode code) {
    return Math.max(1, Short.MAX_VALUE / (2 * Byte.MAX_VALUE * code.highest()));
  }

  record Unsigned(KernelWriter w) implements PairProducts {
    @Override
    public void weights(Vec bytes) {}

    @Override
    public void of(Vec to, Vec bytes, Mem x) {
      w.op(VPMADDUBSW, to, bytes, x);
    }
  }

  /** Of bytes whose zero is 128. */
  record Signed(KernelWriter w, Vec magnitudes) implements PairProducts {
    @Override
    public void weights(Vec bytes) {
      ByteDot.loseZero(w, bytes, 128);
      w.op(VPABSB, magnitudes, bytes);
    }

    @Override
    public void of(Vec to, Vec bytes, Mem x) {
      w.load(to, x);
      w.op(VPSIGNB, to, to, bytes);
      w.op(VPMADDUBSW, to, magnitudes, to);
    }
  }
}
