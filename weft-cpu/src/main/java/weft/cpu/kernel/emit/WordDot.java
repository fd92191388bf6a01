package weft.cpu.kernel.emit;

import static weft.cpu.asm.VectorOp.VPADDD;
import static weft.cpu.asm.VectorOp.VPDPWSSD;
import static weft.cpu.asm.VectorOp.VPMADDWD;

import weft.cpu.asm.Isa;
import weft.cpu.asm.Vec;

/**
 * Products of pairs of words, added to sums of 32 bits: twice as many in an instruction as floats
 * have. {@link WordScale} makes words of numbers so that no sum is too large.
 */
public record WordDot(KernelWriter w, Vec t) {
  /**
   * Which number of two vectors begins a pair, where vpackssdw has made words of them: it takes
   * four of each vector in turns.
   */
  public static int first(int pair, int lanes) {
    int vector = pair % 4 / 2;
    return vector * lanes + pair / 4 * 4 + pair % 2 * 2;
  }

  /** Whether {@link #add} needs a register of its own. */
  public static boolean needsRegister(Isa isa) {
    return !isa.includes(Isa.VNNI);
  }

  /** A dot that takes its register, where it needs one. */
  public static WordDot of(KernelWriter w, Registers registers, Vec other) {
    return new WordDot(w, needsRegister(w.isa()) ? registers.take() : other);
  }

  /** {@code sum += a · b}, pair by pair. */
  public void add(Vec sum, Vec a, Vec b) {
    if (needsRegister(w.isa())) {
      w.op(VPMADDWD, t, a, b);
      w.op(VPADDD, sum, sum, t);
    } else {
      w.op(VPDPWSSD, sum, a, b);
    }
  }
}
