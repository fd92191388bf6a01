package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RBP;
import static weft.cpu.asm.Gpr.RBX;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.BlockHead;
import weft.cpu.kernel.format.BlockNumber;
import weft.cpu.kernel.format.ShortBlockCode;

/**
 * One activation row against packed rows of 32-value blocks: two blocks a step in 512 bits, one in
 * 256.
 *
 * <p>What made the bytes unsigned is taken back by the value the integer sums begin with, which is
 * computed once for all rows in flight; where there are minimums, so is what they multiply.
 */
public final class ShortBlockMatVec {
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr STEPS = RAX;

  private final KernelWriter w;
  private final ShortBlockCode code;
  private final ByteDot dot;
  private final Vec[] sums;
  private final Operand x;
  private final Vec scale;
  private final Vec start;
  private final Vec bytes;
  private final Vec products;
  private final Vec zeros;
  private final Vec zero;

  /** Makes the code of a format with the registers it may take. */
  public interface Format {
    ShortBlockCode code(KernelWriter w, Registers registers);
  }

  private ShortBlockMatVec(KernelWriter w, Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    sums = registers.take(RowStreams.STREAMS);
    // The 16 registers of AVX2 do not suffice for every format, so there x stays in memory.
    x = isWide() ? registers.take() : at(X);
    scale = registers.take();
    start = registers.take();
    bytes = registers.take();
    products = registers.take();
    code = format.code(w, registers);
    dot = ByteDot.of(w, registers, code.highest());
    zeros = products;
    zero = bytes;
  }

  static void emit(KernelWriter w, String name, Format format) {
    w.begin(name);
    BlockCode.masks(w);
    var kernel = new ShortBlockMatVec(w, format);
    new RowStreams(w, kernel.sums, kernel.products).emit(kernel::rows);
    w.end();
  }

  private boolean isWide() {
    return w.isa().vectorBits() == 512;
  }

  private void rows(int streams) {
    var step = w.label("step");
    var odd = w.label("odd");
    var done = w.label("done");
    for (int i = 0; i < streams; i++) {
      w.zero(sums[i]);
    }
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(LEA, X_SCALE, at(STEPS, Activations.PADDING - 1));
    w.op(AND, X_SCALE, imm(-Activations.PADDING));
    w.op(ADD, X_SCALE, X);
    w.op(SHR, STEPS, imm(isWide() ? 6 : 5));
    if (isWide()) {
      w.op(JE, odd);
    }
    w.loop(step);
    step(streams, false);
    w.op(DEC, STEPS);
    w.op(JNE, step);
    if (isWide()) {
      w.note("a last block without a second: the zeros behind the activations meet it again");
      w.bind(odd);
      w.op(TEST, at(ARGUMENTS, MatMulArguments.K).sized(32), imm(ShortBlockCode.VALUES));
      w.op(JE, done);
      step(streams, true);
      w.bind(done);
    }
  }

  private void step(int streams, boolean isLastAlone) {
    if (x instanceof Vec register) {
      w.load(register, at(X));
    }
    begin();
    w.op(VBROADCASTSS, scale, at(X_SCALE));
    if (isWide()) {
      w.op(VBROADCASTSS, scale.merging(BlockCode.UPPER), at(X_SCALE, 4));
    }
    if (code.hasMinimums()) {
      w.op(VCVTDQ2PS, start, start);
      w.op(VMULPS, start, start, scale);
    }
    int taken = isWide() && !isLastAlone ? 2 * code.blockBytes() : code.blockBytes();
    for (int i = 0; i < streams; i++) {
      var pointer = RowStreams.POINTERS.get(i);
      var a = Place.of(pointer);
      var b = isLastAlone ? a : a.plus(code.blockBytes());
      w.note("stream " + i);
      if (isWide()) {
        code.bytes64(bytes, a, b);
      } else {
        code.bytes32(bytes, a);
      }
      if (code.hasMinimums()) {
        w.zero(products);
      } else {
        w.move(products, start);
      }
      dot.add(products, bytes, x);
      w.op(VCVTDQ2PS, products, products);
      var factor = bytes;
      number(code.head().scale(), factor, a, b);
      w.op(VMULPS, factor, factor, scale);
      w.op(VFMADD231PS, sums[i], products, factor);
      if (code.head() instanceof BlockHead.Affine head) {
        number(head.minimum(), factor, a, b);
        w.op(VFMADD231PS, sums[i], start, factor);
      }
      w.op(ADD, pointer, imm(taken));
    }
    w.op(ADD, X, imm(bytes.bytes()));
    w.op(ADD, X_SCALE, imm(bytes.bytes() / 8));
  }

  private void number(BlockNumber number, Vec to, Place a, Place b) {
    if (isWide()) {
      number.ofTwo(to, a, b);
    } else {
      number.ofOne(to, a);
    }
  }

  /** {@code start} becomes minus zero, or one, times the activations of each lane's four bytes. */
  private void begin() {
    w.everywhere(zeros, "zeros", 0x01010101 * (code.hasMinimums() ? 1 : code.zero()));
    w.zero(start);
    dot.add(start, zeros, x);
    w.zero(zero);
    w.op(VPSUBD, start, zero, start);
  }
}
