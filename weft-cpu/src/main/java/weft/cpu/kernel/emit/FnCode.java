package weft.cpu.kernel.emit;

import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Vec;
import weft.ir.Fn;

/** Elementwise functions of the lanes of a vector; {@link Fn#apply} is the scalar twin of each. */
public final class FnCode {
  private static final float SQRT_2_OVER_PI = (float) Math.sqrt(2 / Math.PI);

  /** Abramowitz and Stegun 7.1.26: erfc in powers of {@code 1 / (1 + p x)}, the last first. */
  private static final float[] ERFC = {
    1.061405429f, -1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f
  };

  private static final float ERFC_P = 0.3275911f;

  /** Terms of the series of log(1 + t): the argument is at most 1/3, so the next is under 2e-9. */
  private static final int LOG_TERMS = 8;

  private final KernelWriter w;
  private final ExpCode exp;
  private final Vec a;
  private final Vec b;
  private final Vec c;

  public FnCode(KernelWriter w, Registers registers) {
    this.w = w;
    exp = new ExpCode(w, registers.take(), registers.take());
    a = registers.take();
    b = registers.take();
    c = registers.take();
  }

  /** {@code x = fn(x)}; a lane that is no number stays none. */
  public void apply(Fn fn, Vec x) {
    switch (fn) {
      case SILU -> {
        logistic(x);
        w.op(VDIVPS, x, x, a);
      }
      case SIGMOID -> {
        logistic(x);
        constant(b, "one", 1);
        w.op(VDIVPS, x, b, a);
      }
      case GELU_TANH -> geluTanh(x);
      case GELU_ERF -> geluErf(x);
      case SOFTPLUS -> softplus(x);
      case EXP -> exp.apply(x);
      case NEG -> w.op(VXORPS, x, x, exp.number("sign", -0f));
      case TANH -> tanh(x);
      case RELU -> positive(x, x);
    }
  }

  private void constant(Vec to, String name, float value) {
    w.everywhere(to, name, Float.floatToRawIntBits(value));
  }

  /** {@code to = max(x, 0)}: of two the second is the result where one is no number. */
  private void positive(Vec to, Vec x) {
    w.zero(b);
    w.op(VMAXPS, to, b, x);
  }

  /** {@code a = 1 + exp(-x)}. */
  private void logistic(Vec x) {
    w.op(VXORPS, a, x, exp.number("sign", -0f));
    exp.apply(a);
    w.op(VADDPS, a, a, exp.number("one", 1));
  }

  private void geluTanh(Vec x) {
    w.note("tanh(z) = 2 / (1 + exp(-2 z)) - 1, so gelu(x) = x / (1 + exp(-2 z))");
    w.op(VMULPS, a, x, x);
    w.op(VMULPS, a, a, exp.number("gelu cubic", -2 * 0.044715f * SQRT_2_OVER_PI));
    w.op(VADDPS, a, a, exp.number("gelu linear", -2 * SQRT_2_OVER_PI));
    w.op(VMULPS, a, a, x);
    exp.apply(a);
    w.op(VADDPS, a, a, exp.number("one", 1));
    w.op(VDIVPS, x, x, a);
  }

  private void geluErf(Vec x) {
    w.note("max(x, 0) - |x| / 2 erfc(|x| / sqrt 2), where no two near numbers are subtracted");
    w.op(VANDPS, a, x, exp.number("magnitude", Float.intBitsToFloat(0x7fffffff)));
    w.op(VMULPS, b, a, exp.number("erfc p", ERFC_P / (float) Math.sqrt(2)));
    constant(c, "one", 1);
    w.op(VADDPS, b, b, c);
    w.op(VDIVPS, b, c, b);
    constant(c, "erfc", ERFC[0]);
    for (int i = 1; i < ERFC.length; i++) {
      w.op(VFMADD213PS, c, b, exp.number("erfc " + i, ERFC[i]));
    }
    w.op(VMULPS, c, c, b);
    w.op(VMULPS, c, c, a);
    w.op(VMULPS, b, x, x);
    w.op(VMULPS, b, b, exp.number("-1/2", -0.5f));
    exp.apply(b);
    w.op(VMULPS, c, c, b);
    positive(a, x);
    w.op(VFMADD231PS, a, c, exp.number("-1/2", -0.5f));
    w.move(x, a);
  }

  private void softplus(Vec x) {
    w.note("max(x, 0) + log(1 + t), t = exp(-|x|); log(1 + t) = 2 atanh(t / (2 + t))");
    w.op(VORPS, a, x, exp.number("sign", -0f));
    exp.apply(a);
    w.op(VADDPS, b, a, exp.number("two", 2));
    w.op(VDIVPS, a, a, b);
    w.op(VMULPS, b, a, a);
    int power = 2 * LOG_TERMS - 1;
    constant(c, "2/" + power, 2f / power);
    for (power -= 2; power > 0; power -= 2) {
      w.op(VFMADD213PS, c, b, exp.number("2/" + power, 2f / power));
    }
    w.op(VMULPS, a, a, c);
    positive(x, x);
    w.op(VADDPS, x, x, a);
  }

  private void tanh(Vec x) {
    w.note("1 - 2 / (exp(2 x) + 1)");
    w.op(VADDPS, x, x, x);
    exp.apply(x);
    w.op(VADDPS, x, x, exp.number("one", 1));
    constant(a, "two", 2);
    w.op(VDIVPS, x, a, x);
    constant(a, "one", 1);
    w.op(VSUBPS, x, a, x);
  }
}
