package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.Vec.xmm;
import static weft.cpu.asm.Vec.ymm;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * Rows of floats become {@link Activations}. AVX2 serves every level: a row takes microseconds, the
 * products that read it milliseconds.
 *
 * <p>The largest magnitude is found on the bits, where a NaN is larger than any number, so it
 * reaches the scale and from there every product.
 */
public final class Quantize {
  private static final Gpr FLOATS = RAX;
  private static final Gpr BYTES = RBX;
  private static final Gpr SCALE = R12;
  private static final Gpr NSUM = R13;
  private static final Gpr CSUM = R14;
  private static final Gpr CSUM16 = R15;
  private static final Gpr WSUM = R10;
  private static final Gpr BLOCKS = RCX;
  private static final Gpr PADDED = RBP;
  private static final Gpr COUNT = PADDED;
  private static final Gpr SUM = R11;
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

  /** Of the current values, the scale and its inverse in every lane. */
  private static final Vec SCALE_NOW = ymm(4);

  private static final Vec INVERSE = ymm(5);

  private final KernelWriter w;
  private final int shared;

  private Quantize(KernelWriter w, int shared) {
    this.w = w;
    this.shared = shared;
  }

  public static String name(int shared) {
    return shared == Activations.BLOCK ? "quantize" : "quantize" + shared;
  }

  /**
   * @param shared values that have the same scale
   */
  public static void emit(KernelWriter w, int shared) {
    new Quantize(w, shared).emit();
  }

  private void emit() {
    var row = w.label("row");
    var next = w.label("shared");
    var block = w.label("block");
    var done = w.label("done");
    w.begin(name(shared));
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
    w.loop(next);
    scale();
    if (shared == Activations.BLOCK) {
      block();
    } else {
      w.op(MOV, COUNT.d(), imm(shared / Activations.BLOCK));
      w.bind(block);
      block();
      w.op(DEC, COUNT);
      w.op(JNE, block);
    }
    w.op(DEC, BLOCKS);
    w.op(JNE, next);
    if (shared < Activations.PADDING) {
      padding();
    }
    w.op(ADD, ROW_FROM, at(ARGUMENTS, QuantizeArguments.FROM_BYTES));
    w.op(ADD, ROW_TO, at(ARGUMENTS, QuantizeArguments.TO_BYTES));
    w.op(DEC, ROWS);
    w.op(JNE, row);
    w.bind(done);
    w.end();
  }

  private void padding() {
    var block = w.label("padding");
    var padded = w.label("padded");
    w.note("what is behind k is zero");
    w.op(MOV, BLOCKS, at(ARGUMENTS, QuantizeArguments.K));
    w.op(NEG, BLOCKS);
    w.op(AND, BLOCKS, imm(Activations.PADDING - 1));
    w.op(SHR, BLOCKS, imm(5));
    w.op(JE, padded);
    w.bind(block);
    w.op(VMOVDQU, at(BYTES), ZERO);
    for (var place : new Gpr[] {SCALE, NSUM, CSUM}) {
      w.op(VMOVD, at(place), ZERO.x());
    }
    w.op(VMOVQ, at(CSUM16), ZERO.x());
    w.op(MOV, at(WSUM).sized(16), imm(0));
    advance();
    w.op(DEC, BLOCKS);
    w.op(JNE, block);
    w.bind(padded);
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
    w.op(SHR, BLOCKS, imm(Integer.numberOfTrailingZeros(shared)));
    w.op(LEA, SCALE, at(ROW_TO, PADDED, 1));
    w.op(SHR, PADDED, imm(3));
    w.op(LEA, NSUM, at(SCALE, PADDED, 1));
    w.op(LEA, CSUM, at(NSUM, PADDED, 1));
    w.op(LEA, CSUM16, at(CSUM, PADDED, 1));
    w.op(LEA, WSUM, at(CSUM16, PADDED, 2));
  }

  private void advance() {
    w.op(ADD, BYTES, imm(Activations.BLOCK));
    w.op(ADD, SCALE, imm(4));
    w.op(ADD, NSUM, imm(4));
    w.op(ADD, CSUM, imm(4));
    w.op(ADD, CSUM16, imm(8));
    w.op(ADD, WSUM, imm(2));
  }

  /** Finds the scale of the values from here on and its inverse; both zero where all are. */
  private void scale() {
    w.note("xmm4: the largest magnitude, in every lane");
    w.op(VPAND, ymm(4), ABS, at(FLOATS));
    for (int i = 1; i < shared / 8; i++) {
      w.op(VPAND, ymm(5), ABS, at(FLOATS, 32 * i));
      w.op(VPMAXSD, ymm(4), ymm(4), ymm(5));
    }
    w.op(VEXTRACTI128, xmm(5), ymm(4), imm(1));
    w.op(VPMAXSD, xmm(4), xmm(4), xmm(5));
    w.op(VPSHUFD, xmm(5), xmm(4), imm(0b01_00_11_10));
    w.op(VPMAXSD, xmm(4), xmm(4), xmm(5));
    w.op(VPSHUFD, xmm(5), xmm(4), imm(0b10_11_00_01));
    w.op(VPMAXSD, xmm(4), xmm(4), xmm(5));

    w.note("xmm4: the scale; ymm5: its inverse");
    w.op(VCMPLTPS, xmm(6), xmm(4), LEAST.x());
    w.op(VDIVPS, INVERSE.x(), IS_127.x(), xmm(4));
    w.op(VMULPS, SCALE_NOW.x(), xmm(4), PER_127.x());
    w.op(VANDNPS, INVERSE.x(), xmm(6), INVERSE.x());
    w.op(VANDNPS, SCALE_NOW.x(), xmm(6), SCALE_NOW.x());
    w.op(VBROADCASTSS, INVERSE, INVERSE.x());
  }

  /** 32 values become bytes. */
  private void block() {
    w.op(VMOVSS, at(SCALE), SCALE_NOW.x());
    for (int i = 0; i < 4; i++) {
      w.op(VMULPS, ymm(i), INVERSE, at(FLOATS, 32 * i));
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
    w.op(VMOVD, SUM.d(), xmm(1));
    w.op(MOV, at(CSUM), SUM.d());
    w.op(MOV, at(WSUM), SUM.w());
    w.op(VCVTDQ2PS, xmm(1), xmm(1));
    w.op(VMULSS, xmm(1), xmm(1), SCALE_NOW.x());
    w.op(VMOVSS, at(NSUM), xmm(1));
    w.op(ADD, FLOATS, imm(128));
    advance();
  }
}
