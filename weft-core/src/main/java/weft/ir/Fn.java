package weft.ir;

/** Elementwise functions; {@link #apply} is their definition. */
public enum Fn {
  SILU,
  GELU_TANH,
  GELU_ERF,
  SIGMOID,
  SOFTPLUS,
  EXP,
  NEG,
  TANH,
  RELU;

  private static final double SQRT_2_OVER_PI = Math.sqrt(2 / Math.PI);

  public float apply(float x) {
    return switch (this) {
      case SILU -> (float) (x / (1 + Math.exp(-x)));
      case GELU_TANH ->
          (float) (0.5 * x * (1 + Math.tanh(SQRT_2_OVER_PI * (x + 0.044715 * x * x * x))));
      case GELU_ERF -> (float) (0.5 * x * (1 + erf(x / Math.sqrt(2))));
      case SIGMOID -> (float) (1 / (1 + Math.exp(-x)));
      // log(1 + e^x) loses the small term for large x, where softplus(x) = x to the last bit
      case SOFTPLUS -> x > 20 ? x : (float) Math.log1p(Math.exp(x));
      case EXP -> (float) Math.exp(x);
      case NEG -> -x;
      case TANH -> (float) Math.tanh(x);
      case RELU -> Math.max(x, 0);
    };
  }

  /** Abramowitz and Stegun 7.1.5 for small arguments, the continued fraction 7.1.14 for large. */
  private static double erf(double x) {
    double a = Math.abs(x);
    if (a > 6) return Math.signum(x);
    if (a < 2.5) {
      double term = a;
      double sum = a;
      for (int n = 1; n < 60; n++) {
        term *= -a * a / n;
        sum += term / (2 * n + 1);
      }
      return Math.signum(x) * 2 / Math.sqrt(Math.PI) * sum;
    }
    double fraction = 0;
    for (int n = 60; n >= 1; n--) fraction = n / 2.0 / (a + fraction);
    return Math.signum(x) * (1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + fraction));
  }
}
