package weft.cpu.kernel.emit;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;

/**
 * The exponential of each lane: {@code 2^n * e^r} with n whole and r at most half of ln 2, where
 * seven terms of the series are exact to a float's last bit or two.
 */
public final class ExpCode {
  /** Below this a float has no e^x, above it none either: the result stays finite. */
  private static final float LEAST = -87;

  private static final float MOST = 88;
  private static final float LOG2_E = 1.44269504f;

  /** ln 2 in two parts, so that n times the first is exact. */
  private static final float LN_2_HIGH = 0.693359375f;

  private static final float LN_2_LOW = -2.12194440e-4f;

  private final KernelWriter w;
  private final Vec whole;
  private final Vec series;

  public ExpCode(KernelWriter w, Vec whole, Vec series) {
    this.w = w;
    this.whole = whole;
    this.series = series;
  }

  /** A number in every lane, from memory: AVX-512 repeats one, AVX2 needs them all there. */
  Mem number(String name, float value) {
    if (whole.bits() == 512) return at(w.assembler().floats(name, value)).each();
    var copies = new float[whole.bits() / Float.SIZE];
    Arrays.fill(copies, value);
    return at(w.assembler().floats(name, copies));
  }

  public void apply(Vec x) {
    w.note(
        "of two the second is the result where one is no number, so x comes second and stays NaN");
    w.op(VBROADCASTSS, whole, at(w.assembler().floats("least", LEAST)));
    w.op(VBROADCASTSS, series, at(w.assembler().floats("most", MOST)));
    w.op(VMAXPS, x, whole, x);
    w.op(VMINPS, x, series, x);
    w.op(VMULPS, whole, x, number("log2e", LOG2_E));
    w.op(whole.bits() == 512 ? VRNDSCALEPS : VROUNDPS, whole, whole, imm(0));
    w.op(VFNMADD231PS, x, whole, number("ln2 high", LN_2_HIGH));
    w.op(VFNMADD231PS, x, whole, number("ln2 low", LN_2_LOW));
    w.op(VBROADCASTSS, series, at(w.assembler().floats("1/720", 1 / 720f)));
    float factorial = 120;
    for (int power = 5; power >= 1; power--) {
      w.op(VFMADD213PS, series, x, number("1/" + power + "!", 1 / factorial));
      factorial /= power;
    }
    w.op(VFMADD213PS, series, x, number("one", 1));
    if (whole.bits() == 512) {
      w.op(VSCALEFPS, x, series, whole);
    } else {
      w.note("n is added to the exponent's bits");
      w.op(VCVTPS2DQ, whole, whole);
      w.op(VPSLLD, whole, whole, imm(23));
      w.op(VPADDD, x, series, whole);
    }
  }
}
