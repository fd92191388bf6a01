package weft.cuda.kernel;

import weft.ir.Fn;

/**
 * The elementwise functions, to about a millionth of their largest value: the exponential is the
 * device's (2^-22 of its value), the rest is made of it.
 */
final class FnCode {
  /** What the lines below write to. */
  static final String REGISTERS = "    .reg .f32 %fnu, %fnw, %fne;\n    .reg .pred %fnlarge;\n";

  private static final float LOG2_E = (float) (1 / Math.log(2));
  private static final float LN_2 = (float) Math.log(2);

  private FnCode() {}

  /** {@code x = fn(x)}. */
  static void apply(Fn fn, String x, Code code) {
    switch (fn) {
      case SILU -> {
        logistic(x, "%fnw", code);
        code.add("    mul.f32 %s, %s, %%fnw;", x, x);
      }
      case SIGMOID -> {
        logistic(x, "%fnw", code);
        code.add("    mov.f32 %s, %%fnw;", x);
      }
      case EXP -> exp(x, x, code);
      case NEG -> code.add("    neg.f32 %s, %s;", x, x);
      case TANH -> tanh(x, code);
      case RELU -> positive(x, code);
      case SOFTPLUS -> softplus(x, code);
      case GELU_TANH -> geluTanh(x, code);
      case GELU_ERF -> geluErf(x, code);
    }
  }

  /** {@code x = max(x, 0)}, and what is no number stays none. */
  private static void positive(String x, Code code) {
    code.add("    setp.lt.f32 %%fnlarge, %s, 0f00000000;", x);
    code.add("    selp.f32 %s, 0f00000000, %s, %%fnlarge;", x, x);
  }

  private static void exp(String x, String to, Code code) {
    code.add("    mul.f32 %s, %s, %s;", to, x, Code.number(LOG2_E));
    code.add("    ex2.approx.ftz.f32 %s, %s;", to, to);
  }

  /** {@code to = 1 / (1 + exp(-x))}. */
  private static void logistic(String x, String to, Code code) {
    code.add("    mul.f32 %%fne, %s, %s;", x, Code.number(-LOG2_E));
    code.add("    ex2.approx.ftz.f32 %%fne, %%fne;");
    code.add("    add.f32 %%fne, %%fne, 0f3F800000;");
    code.add("    rcp.rn.f32 %s, %%fne;", to);
  }

  /** {@code x = 1 - 2 / (1 + exp(2x))}: its ends are 1 and -1, whatever the exponential does. */
  static void tanh(String x, Code code) {
    code.add("    mul.f32 %%fne, %s, %s;", x, Code.number(2 * LOG2_E));
    code.add("    ex2.approx.ftz.f32 %%fne, %%fne;");
    code.add("    add.f32 %%fne, %%fne, 0f3F800000;");
    code.add("    rcp.rn.f32 %%fne, %%fne;");
    code.add("    fma.rn.f32 %s, %%fne, 0fC0000000, 0f3F800000;", x);
  }

  /** {@code max(x, 0) + log(1 + exp(-|x|))}. */
  private static void softplus(String x, Code code) {
    code.add("    abs.f32 %%fnw, %s;", x);
    code.add("    mul.f32 %%fne, %%fnw, %s;", Code.number(-LOG2_E));
    code.add("    ex2.approx.ftz.f32 %%fne, %%fne;");
    code.add("    add.f32 %%fne, %%fne, 0f3F800000;");
    code.add("    lg2.approx.ftz.f32 %%fne, %%fne;");
    positive(x, code);
    code.add("    fma.rn.f32 %s, %%fne, %s, %s;", x, Code.number(LN_2), x);
  }

  private static void geluTanh(String x, Code code) {
    code.add("    mul.f32 %%fnu, %s, %s;", x, x);
    code.add("    mul.f32 %%fnu, %%fnu, %s;", x);
    code.add("    fma.rn.f32 %%fnu, %%fnu, %s, %s;", Code.number(0.044715f), x);
    code.add("    mul.f32 %%fnu, %%fnu, %s;", Code.number((float) Math.sqrt(2 / Math.PI)));
    tanh("%fnu", code);
    code.add("    fma.rn.f32 %%fnu, %%fnu, 0f3F000000, 0f3F000000;");
    code.add("    mul.f32 %s, %s, %%fnu;", x, x);
  }

  /** Abramowitz and Stegun 7.1.26, within 1.5e-7 of erf. */
  private static void geluErf(String x, Code code) {
    code.add("    mul.f32 %%fnu, %s, %s;", x, Code.number((float) Math.sqrt(0.5)));
    code.add("    abs.f32 %%fnu, %%fnu;");
    code.add("    fma.rn.f32 %%fnw, %%fnu, %s, 0f3F800000;", Code.number(0.3275911f));
    code.add("    rcp.rn.f32 %%fnw, %%fnw;");
    code.add("    mov.f32 %%fne, %s;", Code.number(1.061405429f));
    for (double next : new double[] {-1.453152027, 1.421413741, -0.284496736, 0.254829592}) {
      code.add("    fma.rn.f32 %%fne, %%fne, %%fnw, %s;", Code.number((float) next));
    }
    code.add("    mul.f32 %%fnw, %%fnw, %%fne;");
    code.add("    mul.f32 %%fnu, %%fnu, %%fnu;");
    code.add("    mul.f32 %%fnu, %%fnu, %s;", Code.number(-LOG2_E));
    code.add("    ex2.approx.ftz.f32 %%fnu, %%fnu;");
    code.add("    mul.f32 %%fnw, %%fnw, %%fnu;");
    code.add("    setp.ge.f32 %%fnlarge, %s, 0f00000000;", x);
    code.add("    sub.f32 %%fnu, 0f40000000, %%fnw;");
    // Half of 1 + erf: what is left of 2 on one side, what is left of 0 on the other.
    code.add("    selp.f32 %%fnu, %%fnu, %%fnw, %%fnlarge;");
    code.add("    mul.f32 %%fnu, %%fnu, 0f3F000000;");
    code.add("    mul.f32 %s, %s, %%fnu;", x, x);
  }
}
