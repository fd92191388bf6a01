package weft.cpu.kernel.attention;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The weights of scores relative to the greatest of a panel, in levels of words: {@code levels *
 * e^x} for x up to zero. Five terms come within 3e-6 of it, where a level is 1e-4 of the greatest.
 */
final class WordWeights {
  private static final float LOG2_E = 1.44269504f;

  /** 2^r for r from 0 up to 1: the polynomial whose largest relative error is least. */
  private static final double[] TERMS = {
    1.00000259, 0.69300384, 0.24144275, 0.05201147, 0.01353416
  };

  /** Down: what is left of a number is never below zero. */
  private static final int DOWN = 1;

  /** Less would have no exponent in a float; it is no level by far. */
  private static final float LEAST = -120;

  private final KernelWriter w;
  private final int levels;
  private final boolean isWide;

  WordWeights(KernelWriter w, int levels) {
    this.w = w;
    this.levels = levels;
    isWide = w.isa().vectorBits() == 512;
  }

  /** A number in every lane, from memory. */
  private Mem number(String name, double value) {
    if (isWide) return at(w.assembler().floats(name, (float) value)).each();
    var copies = new float[w.isa().vectorBits() / Float.SIZE];
    Arrays.fill(copies, (float) value);
    return at(w.assembler().floats(name, copies));
  }

  /** {@code x}, a score less the greatest, becomes its weight, a float. */
  void apply(Vec x, Vec series, Vec rest) {
    steps(x, series, rest).forEach(Runnable::run);
  }

  /** The same, an instruction or two each, for those who put others between them. */
  List<Runnable> steps(Vec x, Vec series, Vec rest) {
    var steps = new ArrayList<Runnable>();
    steps.add(() -> w.op(VMULPS, x, x, number("log2 e", LOG2_E)));
    steps.add(() -> whole(x, series, rest));
    int last = TERMS.length - 1;
    steps.add(
        () -> w.op(VBROADCASTSS, series, at(w.assembler().floats("term" + last, term(last)))));
    for (int i = last - 1; i >= 0; i--) {
      var term = number("term" + i, term(i));
      steps.add(() -> w.op(VFMADD213PS, series, rest, term));
    }
    steps.add(() -> scale(x, series));
    return steps;
  }

  /** Leaves in {@code rest} what x has beyond a whole number. */
  private void whole(Vec x, Vec series, Vec rest) {
    if (isWide) {
      w.op(VREDUCEPS, rest, x, imm(DOWN));
      return;
    }
    w.note("x comes second and stays no number where it is none");
    w.op(VBROADCASTSS, rest, at(w.assembler().floats("least power", LEAST)));
    w.op(VMAXPS, x, rest, x);
    w.op(VROUNDPS, series, x, imm(DOWN));
    w.op(VSUBPS, rest, x, series);
    w.move(x, series);
  }

  private void scale(Vec x, Vec series) {
    if (isWide) {
      w.op(VSCALEFPS, x, series, x);
    } else {
      w.op(VCVTPS2DQ, x, x);
      w.op(VPSLLD, x, x, imm(23));
      w.op(VPADDD, x, series, x);
    }
  }

  private float term(int power) {
    return (float) (levels * TERMS[power]);
  }
}
