package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.RSP;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.product.LongBlockSteps.X;
import static weft.cpu.kernel.product.LongBlockSteps.X_CSUM16;
import static weft.cpu.kernel.product.LongBlockSteps.X_NSUM;
import static weft.cpu.kernel.product.LongBlockSteps.X_SCALE;

import java.util.Arrays;
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.LongBlockCode;
import weft.cpu.kernel.format.MinimumsApart;
import weft.cpu.kernel.product.LongBlockSteps.Sums;

/**
 * One activation row against packed rows of 256-value blocks in 256 bits, 32 values a time.
 *
 * <p>AVX2 has neither the registers nor the permutes of {@link LongBlockMatVec}: scales go through
 * the stack, from where each group of products broadcasts its own, and what made bytes unsigned is
 * taken back in floats by the activations' sums.
 */
public final class LongBlockMatVec256 {
  private static final int GROUPS = 8;

  /** On the stack: sixteen scaled scales; then, for runs of 16, sixteen factors of each kind. */
  private static final int SCALED = 0;

  private static final int X_SCALES = 64;
  private static final int X_ZEROS = 128;
  private static final int STACK = 192;

  private final KernelWriter w;
  private final LongBlockCode code;
  private final ByteDot dot;
  private final Vec[] sums;
  private final Vec first;
  private final Vec second;
  private final Vec bytes;
  private final Vec products;

  private LongBlockMatVec256(KernelWriter w, LongBlockMatVec.Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    sums = registers.take(RowStreams.STREAMS);
    first = registers.take();
    second = registers.take();
    bytes = registers.take();
    products = registers.take();
    code = format.code(w, registers);
    dot = ByteDot.of(w, registers, code.highest());
  }

  static void emit(KernelWriter w, String name, LongBlockMatVec.Format format) {
    w.begin(name);
    w.op(SUB, RSP, imm(STACK));
    var kernel = new LongBlockMatVec256(w, format);
    new RowStreams(w, kernel.sums, kernel.products).emit(kernel::rows);
    w.op(ADD, RSP, imm(STACK));
    w.end();
  }

  private void rows(int streams) {
    new LongBlockSteps(w, code, Sums.OF_SIXTEEN_TOO).emit(streams, sums, this::shared, this::block);
  }

  private void shared() {
    if (code.run() == 16) {
      factorsOfSixteen();
    }
  }

  /** The activations' scales, each twice, and the sums of 16 values, times zero if there is one. */
  private void factorsOfSixteen() {
    for (int half = 0; half < 2; half++) {
      w.op(VPMOVZXDQ, first, at(X_SCALE, 16 * half));
      w.op(VMOVSLDUP, first, first);
      w.op(VMOVUPS, at(RSP, X_SCALES + 32 * half), first);
      w.op(VCVTDQ2PS, second, at(X_CSUM16, 32 * half));
      w.op(VMULPS, second, second, first);
      if (!code.hasMinimums()) {
        w.op(VMULPS, second, second, at(zeros()));
      }
      w.op(VMOVUPS, at(RSP, X_ZEROS + 32 * half), second);
    }
  }

  private Label zeros() {
    var zeros = new float[8];
    Arrays.fill(zeros, code.zero());
    return w.assembler().floats("zero" + code.zero(), zeros);
  }

  /** Adds the sums of 16 values times sixteen scales or minimums. */
  private void sumsOfSixteen(Vec sum) {
    w.op(VFMADD231PS, sum, first, at(RSP, X_ZEROS));
    w.op(VFMADD231PS, sum, second, at(RSP, X_ZEROS + 32));
  }

  private void block(Vec sum, Place block) {
    if (code instanceof MinimumsApart apart) {
      apart.minimums8(first, second, block);
      sumsOfSixteen(sum);
    }
    code.scales8(first, second, block);
    if (code.run() == 16) {
      if (!code.hasMinimums()) {
        sumsOfSixteen(sum);
      }
      w.op(VMULPS, first, first, at(RSP, X_SCALES));
      w.op(VMULPS, second, second, at(RSP, X_SCALES + 32));
      w.op(VMOVUPS, at(RSP, SCALED + 32), second);
    } else {
      if (!code.hasMinimums()) {
        w.op(VMULPS, second, first, at(zeros()));
      }
      w.op(VFMADD231PS, sum, second, at(X_NSUM));
      w.op(VMULPS, first, first, at(X_SCALE));
    }
    w.op(VMOVUPS, at(RSP, SCALED), first);
    for (int group = 0; group < GROUPS; group++) {
      code.bytes32(bytes, group, block);
      w.zero(products);
      dot.add(products, bytes, at(X, 32 * group));
      w.op(VCVTDQ2PS, products, products);
      if (code.run() == 32) {
        w.op(VBROADCASTSS, first, at(RSP, SCALED + 4 * group));
      } else {
        w.op(VBROADCASTSS, first, at(RSP, SCALED + 8 * group));
        w.op(VBROADCASTSS, second, at(RSP, SCALED + 8 * group + 4));
        w.op(VPBLENDD, first, first, second, imm(0xF0));
      }
      w.op(VFMADD231PS, sum, products, first);
    }
  }
}
