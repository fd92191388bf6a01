package weft.cpu.kernel.attention;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * Weights by a series of floats, where words have no shifts of their own. Five terms come within
 * 3e-6 of the exponential, where a level is 1e-4 of the greatest.
 */
final class SeriesWeights implements WordWeights {
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
  private final Vec total;
  private final Vec series;
  private final Vec rest;
  private final Vec powers;

  SeriesWeights(KernelWriter w, Registers registers) {
    this.w = w;
    total = registers.take();
    series = registers.take();
    rest = registers.take();
    powers = registers.take();
  }

  /** A number in every lane, from memory. */
  private Mem number(String name, double value) {
    var copies = new float[w.isa().vectorBits() / Float.SIZE];
    Arrays.fill(copies, (float) value);
    return at(w.assembler().floats(name, copies));
  }

  @Override
  public void begin() {}

  @Override
  public void query(Mem unit) {
    w.zero(total);
    w.op(VBROADCASTSS, powers, unit);
    w.op(VMULPS, powers, powers, number("log2 e", LOG2_E));
  }

  @Override
  public void two(Vec x, Vec y) {
    for (var scores : new Vec[] {x, y}) {
      weights(scores);
      w.op(VADDPS, total, total, scores);
      w.op(VCVTPS2DQ, scores, scores);
    }
    w.op(VPACKSSDW, x, x, y);
  }

  @Override
  public Vec total(Vec t) {
    w.everyLane(VADDPS, total, t);
    return total;
  }

  private void weights(Vec x) {
    w.op(VMULPS, x, x, powers);
    w.note("x comes second and stays no number where it is none");
    w.op(VBROADCASTSS, rest, at(w.assembler().floats("least power", LEAST)));
    w.op(VMAXPS, x, rest, x);
    w.op(VROUNDPS, series, x, imm(DOWN));
    w.op(VSUBPS, rest, x, series);
    w.move(x, series);
    int last = TERMS.length - 1;
    w.op(VBROADCASTSS, series, at(w.assembler().floats("term" + last, term(last))));
    for (int i = last - 1; i >= 0; i--) {
      w.op(VFMADD213PS, series, rest, number("term" + i, term(i)));
    }
    w.op(VCVTPS2DQ, x, x);
    w.op(VPSLLD, x, x, imm(23));
    w.op(VPADDD, x, series, x);
  }

  private static float term(int power) {
    return (float) (LEVELS * TERMS[power]);
  }
}
