package weft.generate;

/**
 * e to a power that is not above zero, to about fourteen digits, by additions and multiplications
 * alone: so it gives the same bits on every machine, which {@link Math#exp} need not, in less than
 * half the time of {@link StrictMath#exp}. A draw from a whole vocabulary takes it for every token.
 */
final class Exp {
  /** Below this the result is taken as zero; it is far under a rounding error of one. */
  private static final double LEAST = -700;

  private static final double LOG2_E = 1.4426950408889634;

  /** The natural logarithm of two in two parts; a thousand times the first is still exact. */
  private static final double LN2_HIGH = 0x1.62e42fefap-1;

  private static final double LN2_LOW = 0x1.cf79abc9e3b3ap-40;

  /** Adding this leaves a double no room for a fraction. */
  private static final double ROUNDER = 0x1.8p52;

  private static final int EXPONENT_BIAS = 1023;
  private static final int EXPONENT_AT = 52;

  private Exp() {}

  static double of(double x) {
    if (!(x > LEAST)) {
      return 0;
    }
    double twos = x * LOG2_E + ROUNDER - ROUNDER;
    double r = x - twos * LN2_HIGH - twos * LN2_LOW;
    // The series of e^r, |r| <= ln(2)/2: what is left out is less than 1e-14 of it. Its terms are
    // paired, so that a processor has several to work on at once.
    double r2 = r * r;
    double r4 = r2 * r2;
    double low = 1 + r + r2 * (1.0 / 2 + r * (1.0 / 6));
    double middle = 1.0 / 24 + r * (1.0 / 120) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    double high = 1.0 / 40320 + r * (1.0 / 362880) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
    double series = low + r4 * (middle + r4 * high);
    return series * Double.longBitsToDouble((long) twos + EXPONENT_BIAS << EXPONENT_AT);
  }
}
