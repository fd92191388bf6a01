package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.Vec.xmm;
import static weft.cpu.asm.Vec.ymm;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.KernelWriter.FROM;
import static weft.cpu.kernel.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;

/**
 * Rows of floats become {@link Activations}. AVX2 serves every level: a row takes microseconds, the
 * products that read it milliseconds.
 *
 * <p>The largest magnitude is found on the bits, where a NaN is larger than any number, so it
 * reaches the scale and from there every product.
 */
final class Quantize {
  static final String NAME = "quantize";

  private static final Gpr FLOATS = RAX;
  private static final Gpr BYTES = RBX;
  private static final Gpr SCALE = R12;
  private static final Gpr NSUM = R13;
  private static final Gpr CSUM = R14;
  private static final Gpr CSUM16 = R15;
  private static final Gpr BLOCKS = RCX;
  private static final Gpr PADDED = RBP;
  private static final Gpr ROW_FROM = R8;
  private static final Gpr ROW_TO = R9;
  private static final Gpr ROWS = TO;

  private static final Vec ABS = ymm(8);
  private static final Vec ONES8 = ymm(9);
  private static final Vec ONES16 = ymm(10);
  private static final Vec ORDER = ymm(11);
  private static final Vec ZERO = ymm(12);
  private static final Vec LEAST = ymm(13);
  private static final Vec PER_127 = ymm(14);
  private static final Vec IS_127 = ymm(15);

  private final KernelWriter w;

  private Quantize(KernelWriter w) {
    this.w = w;
  }

  static void emit(KernelWriter w) {
    new Quantize(w).emit();
  }

  private void emit() {
    var row = w.label("row");
    var blocks = w.label("blocks");
    var padding = w.label("padding");
    var padded = w.label("padded");
    var done = w.label("done");
    w.begin(NAME);
    constants();
    w.op(SUB, ROWS, FROM);
    w.op(JLE, done);
    w.op(MOV, ROW_FROM, at(ARGUMENTS, QuantizeArguments.FROM_BYTES));
    w.op(IMUL, ROW_FROM, FROM);
    w.op(ADD, ROW_FROM, at(ARGUMENTS, QuantizeArguments.FROM));
    w.op(MOV, ROW_TO, at(ARGUMENTS, QuantizeArguments.TO_BYTES));
    w.op(IMUL, ROW_TO, FROM);
    w.op(ADD, ROW_TO, at(ARGUMENTS, QuantizeArguments.TO));

    w.bind(row);
    places();
    w.loop(blocks);
    block();
    advance();
    w.op(ADD, FLOATS, imm(128));
    w.op(DEC, BLOCKS);
    w.op(JNE, blocks);

    w.note("what is behind k is zero");
    w.op(MOV, BLOCKS, at(ARGUMENTS, QuantizeArguments.K));
    w.op(NEG, BLOCKS);
    w.op(AND, BLOCKS, imm(Activations.PADDING - 1));
    w.op(SHR, BLOCKS, imm(5));
    w.op(JE, padded);
    w.bind(padding);
    w.op(VMOVDQU, at(BYTES), ZERO);
    for (var place : new Gpr[] {SCALE, NSUM, CSUM}) {
      w.op(VMOVD, at(place), ZERO.x());
    }
    w.op(VMOVQ, at(CSUM16), ZERO.x());
    advance();
    w.op(DEC, BLOCKS);
    w.op(JNE, padding);
    w.bind(padded);

    w.op(ADD, ROW_FROM, at(ARGUMENTS, QuantizeArguments.FROM_BYTES));
    w.op(ADD, ROW_TO, at(ARGUMENTS, QuantizeArguments.TO_BYTES));
    w.op(DEC, ROWS);
    w.op(JNE, row);
    w.bind(done);
    w.end();
  }

  private void constants() {
    w.everywhere(ABS, "magnitude", 0x7fffffff);
    w.everywhere(ONES8, "ones8", 0x01010101);
    w.everywhere(ONES16, "ones16", 0x00010001);
    // Packing works within 128 bits; this brings the four-byte pieces back into order.
    w.op(VMOVDQU, ORDER, at(w.assembler().ints("order", 0, 4, 1, 5, 2, 6, 3, 7)));
    w.zero(ZERO);
    w.everywhere(LEAST, "least", Float.floatToRawIntBits(1e-30f));
    w.everywhere(PER_127, "1/127", Float.floatToRawIntBits(1 / 127f));
    w.everywhere(IS_127, "127", Float.floatToRawIntBits(127));
  }

  /** Where the parts of this row of activations begin. */
  private void places() {
    w.op(MOV, FLOATS, ROW_FROM);
    w.op(MOV, BYTES, ROW_TO);
    w.op(MOV, BLOCKS, at(ARGUMENTS, QuantizeArguments.K));
    w.op(LEA, PADDED, at(BLOCKS, Activations.PADDING - 1));
    w.op(AND, PADDED, imm(-Activations.PADDING));
    w.op(SHR, BLOCKS, imm(5));
    w.op(LEA, SCALE, at(ROW_TO, PADDED, 1));
    w.op(SHR, PADDED, imm(3));
    w.op(LEA, NSUM, at(SCALE, PADDED, 1));
    w.op(LEA, CSUM, at(NSUM, PADDED, 1));
    w.op(LEA, CSUM16, at(CSUM, PADDED, 1));
  }

  private void advance() {
    w.op(ADD, BYTES, imm(Activations.BLOCK));
    w.op(ADD, SCALE, imm(4));
    w.op(ADD, NSUM, imm(4));
    w.op(ADD, CSUM, imm(4));
    w.op(ADD, CSUM16, imm(8));
  }

  private void block() {
    for (int i = 0; i < 4; i++) {
      w.op(VMOVUPS, ymm(i), at(FLOATS, 32 * i));
    }
    w.note("xmm4: the largest magnitude, in every lane");
    w.op(VPAND, ymm(4), ABS, ymm(0));
    for (int i = 1; i < 4; i++) {
      w.op(VPAND, ymm(5), ABS, ymm(i));
      w.op(VPMAXSD, ymm(4), ymm(4), ymm(5));
    }
    w.op(VEXTRACTI128, xmm(5), ymm(4), imm(1));
    w.op(VPMAXSD, xmm(4), xmm(4), xmm(5));
    w.op(VPSHUFD, xmm(5), xmm(4), imm(0b01_00_11_10));
    w.op(VPMAXSD, xmm(4), xmm(4), xmm(5));
    w.op(VPSHUFD, xmm(5), xmm(4), imm(0b10_11_00_01));
    w.op(VPMAXSD, xmm(4), xmm(4), xmm(5));

    w.note("xmm4: the scale; ymm5: its inverse; both zero where the block is");
    w.op(VCMPLTPS, xmm(6), xmm(4), LEAST.x());
    w.op(VDIVPS, xmm(5), IS_127.x(), xmm(4));
    w.op(VMULPS, xmm(4), xmm(4), PER_127.x());
    w.op(VANDNPS, xmm(5), xmm(6), xmm(5));
    w.op(VANDNPS, xmm(4), xmm(6), xmm(4));
    w.op(VMOVSS, at(SCALE), xmm(4));
    w.op(VBROADCASTSS, ymm(5), xmm(5));

    for (int i = 0; i < 4; i++) {
      w.op(VMULPS, ymm(i), ymm(i), ymm(5));
      w.op(VCVTPS2DQ, ymm(i), ymm(i));
    }
    w.op(VPACKSSDW, ymm(0), ymm(0), ymm(1));
    w.op(VPACKSSDW, ymm(2), ymm(2), ymm(3));
    w.op(VPACKSSWB, ymm(0), ymm(0), ymm(2));
    w.op(VPERMD, ymm(0), ORDER, ymm(0));
    w.op(VMOVDQU, at(BYTES), ymm(0));

    w.note("minus the sums of both halves, in lane 0 of xmm1 and xmm2");
    w.op(VPMADDUBSW, ymm(1), ONES8, ymm(0));
    w.op(VPMADDWD, ymm(1), ymm(1), ONES16);
    w.op(VPHADDD, ymm(1), ymm(1), ymm(1));
    w.op(VPHADDD, ymm(1), ymm(1), ymm(1));
    w.op(VPSUBD, ymm(1), ZERO, ymm(1));
    w.op(VEXTRACTI128, xmm(2), ymm(1), imm(1));
    w.op(VMOVD, at(CSUM16), xmm(1));
    w.op(VMOVD, at(CSUM16, 4), xmm(2));
    w.op(VPADDD, xmm(1), xmm(1), xmm(2));
    w.op(VMOVD, at(CSUM), xmm(1));
    w.op(VCVTDQ2PS, xmm(1), xmm(1));
    w.op(VMULSS, xmm(1), xmm(1), xmm(4));
    w.op(VMOVSS, at(NSUM), xmm(1));
  }
}
