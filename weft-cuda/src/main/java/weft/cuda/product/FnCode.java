package weft.cuda.product;

import static weft.cuda.ptx.Imm.real;

import weft.cuda.ptx.Compare;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.F32;
import weft.ir.Fn;

/**
 * Elementwise functions; good to some units of the last place of a float. Quotients are, too: a
 * rounded one is a call, and a function with calls has to wait for its tensor cores (capability
 * 9.0).
 */
final class FnCode {
  private static final float LOG2_E = 1.4426950408889634f;
  private static final float LN_2 = 0.6931471805599453f;

  /** Beyond it softplus is its argument. */
  private static final float LINEAR = 20;

  private final PtxWriter w;

  FnCode(PtxWriter w) {
    this.w = w;
  }

  F32 of(Fn fn, F32 x) {
    return switch (fn) {
      case SILU -> w.mul(x, sigmoid(x));
      case SIGMOID -> sigmoid(x);
      case GELU_TANH -> {
        // 0.5 x (1 + tanh u) = x sigmoid(2u), u = sqrt(2/pi) (x + 0.044715 x^3)
        var cube = w.mul(w.mul(x, x), x);
        var inner = w.fma(cube, real(0.044715f), x);
        yield w.mul(x, sigmoid(w.mul(inner, real((float) (2 * Math.sqrt(2 / Math.PI))))));
      }
      case GELU_ERF -> {
        var erf = erf(w.mul(x, real((float) Math.sqrt(0.5))));
        yield w.mul(w.mul(x, real(0.5f)), w.add(erf, real(1)));
      }
      case SOFTPLUS -> {
        var sum = w.add(exp(x), real(1));
        var log = w.mul(w.log2Approx(sum), real(LN_2));
        yield w.select(w.is(Compare.GT, x, real(LINEAR)), x, log);
      }
      case EXP -> exp(x);
      case NEG -> w.neg(x);
      case TANH -> {
        var s = sigmoid(w.add(x, x));
        yield w.sub(w.add(s, s), real(1));
      }
      case RELU -> w.max(x, real(0));
    };
  }

  private F32 exp(F32 x) {
    return w.exp2Approx(w.mul(x, real(LOG2_E)));
  }

  private F32 sigmoid(F32 x) {
    return w.divApprox(real(1), w.add(exp(w.neg(x)), real(1)));
  }

  /** Abramowitz and Stegun 7.1.26, good to 1.5e-7. */
  private F32 erf(F32 x) {
    var a = w.abs(x);
    var t = w.divApprox(real(1), w.fma(a, real(0.3275911f), real(1)));
    var sum = w.mov(real(1.061405429f));
    for (float factor : new float[] {-1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f}) {
      sum = w.fma(sum, t, real(factor));
    }
    var rest = w.mul(w.mul(sum, t), exp(w.neg(w.mul(a, a))));
    var magnitude = w.sub(real(1), rest);
    return w.select(w.is(Compare.LT, x, real(0)), w.neg(magnitude), magnitude);
  }
}
