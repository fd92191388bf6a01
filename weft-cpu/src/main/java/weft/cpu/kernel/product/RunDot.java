package weft.cpu.kernel.product;

import static weft.cpu.asm.VectorOp.VPABSB;
import static weft.cpu.asm.VectorOp.VPADDD;
import static weft.cpu.asm.VectorOp.VPADDW;
import static weft.cpu.asm.VectorOp.VPMADDUBSW;
import static weft.cpu.asm.VectorOp.VPMADDWD;
import static weft.cpu.asm.VectorOp.VPSIGNB;

import weft.cpu.asm.Isa;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/** The sums of a run of values under one scale, which meet some registers after each other. */
sealed interface RunDot {
  /** Before the first products. */
  default void begin(Vec sum) {}

  /**
   * The same where {@code start} has integers that belong to the sum, as what takes back that bytes
   * are unsigned; those who meet signed ones have none.
   */
  default void begin(Vec sum, Mem start) {}

  /** Adds the products of a register; changes {@code t}, which may be the weights. */
  void add(Vec sum, Vec weights, Vec x, Vec t, boolean isFirst);

  /** Leaves integers in the sum. */
  default void end(Vec sum) {}

  /** The same with those at {@code start} among them, unless they are already. */
  default void end(Vec sum, Mem start) {}

  /** Whether a level meets bytes over 127 less their zero of 128, as signed ones. */
  static boolean meetsSigned(Isa isa, int highest) {
    return isa == Isa.AVX2 && highest > Byte.MAX_VALUE;
  }

  /**
   * The way of a level with bytes.
   *
   * @param highest the largest byte of the weights
   * @param values of a run that meet in a lane of 32 bits
   */
  static RunDot of(KernelWriter w, Registers registers, int highest, int values) {
    if (meetsSigned(w.isa(), highest)) {
      return new Signs(w, registers);
    }
    boolean fitsWords = values / 2 * highest * Byte.MAX_VALUE <= Short.MAX_VALUE;
    return !w.isa().includes(Isa.VNNI) && fitsWords
        ? new Words(w, registers)
        : new OneByOne(w, ByteDot.of(w, registers, highest));
  }

  /** By what adds to integers. */
  record OneByOne(KernelWriter w, ByteDot dot) implements RunDot {
    @Override
    public void begin(Vec sum) {
      w.zero(sum);
    }

    @Override
    public void begin(Vec sum, Mem start) {
      w.load(sum, start);
    }

    @Override
    public void add(Vec sum, Vec weights, Vec x, Vec t, boolean isFirst) {
      dot.add(sum, weights, x);
    }
  }

  /** All products fit in words, which become integers once: a third of the instructions less. */
  final class Words implements RunDot {
    private final KernelWriter w;
    private final Vec ones;

    Words(KernelWriter w, Registers registers) {
      this.w = w;
      ones = w.everywhere(registers.take(), "ones16", 0x00010001);
    }

    @Override
    public void add(Vec sum, Vec weights, Vec x, Vec t, boolean isFirst) {
      if (isFirst) {
        w.op(VPMADDUBSW, sum, weights, x);
      } else {
        w.op(VPMADDUBSW, t, weights, x);
        w.op(VPADDW, sum, sum, t);
      }
    }

    @Override
    public void end(Vec sum) {
      w.op(VPMADDWD, sum, sum, ones);
    }

    @Override
    public void end(Vec sum, Mem start) {
      end(sum);
      w.op(VPADDD, sum, sum, start);
    }
  }

  /** Signed bytes: their magnitudes are met, by activations with the signs of both. */
  final class Signs implements RunDot {
    private final KernelWriter w;
    private final Vec ones;
    private final Vec magnitudes;

    Signs(KernelWriter w, Registers registers) {
      this.w = w;
      ones = w.everywhere(registers.take(), "ones16", 0x00010001);
      magnitudes = registers.take();
    }

    @Override
    public void add(Vec sum, Vec weights, Vec x, Vec t, boolean isFirst) {
      w.op(VPABSB, magnitudes, weights);
      w.op(VPSIGNB, t, x, weights);
      w.op(VPMADDUBSW, t, magnitudes, t);
      if (isFirst) {
        w.op(VPMADDWD, sum, t, ones);
      } else {
        w.op(VPMADDWD, t, t, ones);
        w.op(VPADDD, sum, sum, t);
      }
    }
  }

  /** Weights and activations are words, where there is room to lay them so. */
  record WordsOfBoth(KernelWriter w) implements RunDot {
    @Override
    public void add(Vec sum, Vec weights, Vec x, Vec t, boolean isFirst) {
      if (isFirst) {
        w.op(VPMADDWD, sum, weights, x);
      } else {
        w.op(VPMADDWD, t, weights, x);
        w.op(VPADDD, sum, sum, t);
      }
    }
  }
}
