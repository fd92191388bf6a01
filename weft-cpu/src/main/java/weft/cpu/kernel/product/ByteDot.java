package weft.cpu.kernel.product;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VPADDD;
import static weft.cpu.asm.VectorOp.VPDPBUSD;
import static weft.cpu.asm.VectorOp.VPMADDUBSW;
import static weft.cpu.asm.VectorOp.VPMADDWD;
import static weft.cpu.asm.VectorOp.VPSRLW;
import static weft.cpu.asm.VectorOp.VPSUBB;

import java.util.Arrays;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/** Adds to each 32-bit lane the dot product of four unsigned bytes with four signed ones. */
public sealed interface ByteDot {
  /** {@code sum += unsigned · signed}; {@code signed} may be memory. */
  void add(Vec sum, Vec unsigned, Operand signed);

  /**
   * The way of this level.
   *
   * @param highest the largest unsigned byte that will come
   */
  static ByteDot of(KernelWriter w, Registers registers, int highest) {
    if (w.isa().includes(Isa.VNNI)) {
      return new OneInstruction(w);
    }
    return highest <= 127 ? new Pairs(w, registers) : new TwoParts(w, registers);
  }

  /** Takes from each unsigned byte what stands for zero: signed bytes are left. */
  static void loseZero(KernelWriter w, Vec bytes, int zero) {
    var zeros = new int[bytes.bytes() / 4];
    Arrays.fill(zeros, zero * 0x01010101);
    w.op(VPSUBB, bytes, bytes, at(w.assembler().ints("zeros" + zero, zeros)));
  }

  /** VNNI's own. */
  record OneInstruction(KernelWriter w) implements ByteDot {
    @Override
    public void add(Vec sum, Vec unsigned, Operand signed) {
      w.op(VPDPBUSD, sum, unsigned, signed);
    }
  }

  /** Pairs of products meet in 16 bits, which {@code 127·127·2} does not overflow. */
  final class Pairs implements ByteDot {
    private final KernelWriter w;
    private final Vec ones;
    private final Vec t;

    Pairs(KernelWriter w, Registers registers) {
      this.w = w;
      ones = w.everywhere(registers.take(), "ones16", 0x00010001);
      t = registers.take();
    }

    @Override
    public void add(Vec sum, Vec unsigned, Operand signed) {
      w.op(VPMADDUBSW, t, unsigned, signed);
      w.op(VPMADDWD, t, t, ones);
      w.op(VPADDD, sum, sum, t);
    }
  }

  /** Bytes over 127 would saturate: their halves count twice, their lowest bits once. */
  final class TwoParts implements ByteDot {
    private final KernelWriter w;
    private final Vec ones;
    private final Vec twos;
    private final Vec lowBits;
    private final Vec sevenBits;
    private final Vec t;

    TwoParts(KernelWriter w, Registers registers) {
      this.w = w;
      ones = w.everywhere(registers.take(), "ones16", 0x00010001);
      twos = w.everywhere(registers.take(), "twos16", 0x00020002);
      lowBits = w.everywhere(registers.take(), "lowBits", 0x01010101);
      sevenBits = w.everywhere(registers.take(), "sevenBits", 0x7f7f7f7f);
      t = registers.take();
    }

    @Override
    public void add(Vec sum, Vec unsigned, Operand signed) {
      w.op(VPSRLW, t, unsigned, imm(1));
      w.and(t, t, sevenBits);
      w.op(VPMADDUBSW, t, t, signed);
      w.op(VPMADDWD, t, t, twos);
      w.op(VPADDD, sum, sum, t);
      w.and(t, unsigned, lowBits);
      w.op(VPMADDUBSW, t, t, signed);
      w.op(VPMADDWD, t, t, ones);
      w.op(VPADDD, sum, sum, t);
    }
  }
}
