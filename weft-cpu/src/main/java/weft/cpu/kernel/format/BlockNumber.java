package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import java.util.function.IntFunction;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;

/** A number that each 32-value block holds, as floats in the lanes where kernels want it. */
public sealed interface BlockNumber {
  /** Of one block, in every lane of 256 bits. */
  void ofOne(Vec to, Place a);

  /** Of a block in each of as many rows as the register has lanes. */
  void ofRows(Vec to, Vec t, IntFunction<Place> rows);

  /** A half float, or minus it. */
  record Half(KernelWriter w, int offset, Sign sign) implements BlockNumber {
    enum Sign {
      AS_STORED,
      TURNED
    }

    @Override
    public void ofOne(Vec to, Place a) {
      w.op(VPBROADCASTW, to.x(), a.at(offset));
      w.op(VCVTPH2PS, to, to.x());
      turn(to);
    }

    @Override
    public void ofRows(Vec to, Vec t, IntFunction<Place> rows) {
      w.halves(to, t, row -> rows.apply(row).at(offset));
      turn(to);
    }

    private void turn(Vec to) {
      if (sign == Sign.TURNED) {
        var signs = new int[16];
        Arrays.fill(signs, Integer.MIN_VALUE);
        w.xor(to, to, at(w.assembler().ints("signs", signs)));
      }
    }
  }

  /** A byte first in the block: half of two to the power of it minus 127. */
  record HalfOfPower(KernelWriter w) implements BlockNumber {
    @Override
    public void ofOne(Vec to, Place a) {
      w.op(VPBROADCASTB, to.x(), a.at(0));
      power(to);
    }

    @Override
    public void ofRows(Vec to, Vec t, IntFunction<Place> rows) {
      w.zero(to);
      for (int row = 0; row < to.bits() / 32; row++) {
        w.op(VPINSRB, to.x(), to.x(), rows.apply(row).at(0), imm(row));
      }
      power(to);
    }

    /** Bytes in the low part of a register become floats: the exponent, less one, in its place. */
    private void power(Vec to) {
      var ones = new byte[16];
      Arrays.fill(ones, (byte) 1);
      w.op(VPSUBUSB, to.x(), to.x(), at(w.assembler().bytes("ones8", ones)));
      w.op(VPMOVZXBD, to, to.x());
      w.op(VPSLLD, to, to, imm(23));
    }
  }
}
