package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RBP;
import static weft.cpu.asm.Gpr.RBX;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import java.util.Arrays;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockHead;
import weft.cpu.kernel.format.ShortBlockCode;

/**
 * One activation row against packed rows of 32-value blocks in 256 bits, a block a step.
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
    var kernel = new ShortBlockMatVec(w, format);
    new RowStreams(w, kernel.sums[0]).emit(kernel::rows);
    w.end();
  }

  private void rows(int streams) {
    var step = w.label("step");
    for (int i = 0; i < streams; i++) {
      w.zero(sums[i]);
    }
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(LEA, X_SCALE, at(STEPS, Activations.PADDING - 1));
    w.op(AND, X_SCALE, imm(-Activations.PADDING));
    w.op(ADD, X_SCALE, X);
    w.op(SHR, STEPS, imm(5));
    w.loop(step);
    step(streams);
    w.op(DEC, STEPS);
    w.op(JNE, step);
    total(streams);
  }

  /** The sums of the first vectors, in the lanes of the first. */
  private void total(int streams) {
    for (int i = 0; i < streams; i++) {
      w.fold(sums[i], products);
    }
    var x = Arrays.stream(sums).map(Vec::x).toArray(Vec[]::new);
    if (streams == RowStreams.STREAMS) {
      w.op(VHADDPS, x[0], x[0], x[1]);
      w.op(VHADDPS, x[2], x[2], x[3]);
      w.op(VHADDPS, x[0], x[0], x[2]);
    } else {
      w.op(VHADDPS, x[0], x[0], x[0]);
      w.op(VHADDPS, x[0], x[0], x[0]);
    }
  }

  private void step(int streams) {
    begin();
    w.op(VBROADCASTSS, scale, at(X_SCALE));
    if (code.hasMinimums()) {
      w.op(VCVTDQ2PS, start, start);
      w.op(VMULPS, start, start, scale);
    }
    for (int i = 0; i < streams; i++) {
      var pointer = RowStreams.POINTERS.get(i);
      var block = Place.of(pointer);
      w.note("stream " + i);
      code.bytes32(bytes, block);
      if (code.hasMinimums()) {
        w.zero(products);
      } else {
        w.move(products, start);
      }
      dot.add(products, bytes, at(X));
      w.op(VCVTDQ2PS, products, products);
      var factor = bytes;
      code.head().scale().ofOne(factor, block);
      w.op(VMULPS, factor, factor, scale);
      w.op(VFMADD231PS, sums[i], products, factor);
      if (code.head() instanceof BlockHead.Affine head) {
        head.minimum().ofOne(factor, block);
        w.op(VFMADD231PS, sums[i], start, factor);
      }
      w.op(ADD, pointer, imm(code.blockBytes()));
    }
    w.op(ADD, X, imm(bytes.bytes()));
    w.op(ADD, X_SCALE, imm(bytes.bytes() / 8));
  }

  /** {@code start} becomes minus zero, or one, times the activations of each lane's four bytes. */
  private void begin() {
    w.everywhere(zeros, "zeros", 0x01010101 * (code.hasMinimums() ? 1 : code.zero()));
    w.zero(start);
    dot.add(start, zeros, at(X));
    w.zero(zero);
    w.op(VPSUBD, start, zero, start);
  }
}
