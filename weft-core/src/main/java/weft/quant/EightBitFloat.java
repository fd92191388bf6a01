package weft.quant;

/** A float of a sign, an exponent with {@code bias} and {@code mantissaBits} in eight bits. */
record EightBitFloat(int mantissaBits, int bias, float largest) {
  private static final int SIGN = 0x80;
  private static final int NAN = 0x7F;

  /** The value of a format whose only code that is not a number is all ones. */
  float value(int code) {
    int magnitude = code & NAN;
    int exponent = magnitude >> mantissaBits;
    int mantissa = magnitude & (1 << mantissaBits) - 1;
    float value =
        magnitude == NAN
            ? Float.NaN
            : exponent == 0
                ? Math.scalb((float) mantissa, 1 - bias - mantissaBits)
                : Math.scalb(
                    (float) (mantissa + (1 << mantissaBits)), exponent - bias - mantissaBits);
    return (code & SIGN) == 0 ? value : -value;
  }

  /** The nearest code, ties to even; what is beyond the largest value becomes that. */
  int nearest(float x) {
    int sign = Float.floatToRawIntBits(x) >>> 24 & SIGN;
    if (Float.isNaN(x)) {
      return sign | NAN;
    }
    float magnitude = Math.min(Math.abs(x), largest);
    int exponent = Math.max(Math.getExponent(magnitude), 1 - bias);
    int steps = (int) Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
    // A subnormal has exponent bits 0 and so no hidden one; a carry runs over into the exponent.
    int hiddenOne = 1 << mantissaBits;
    return sign | (exponent + bias << mantissaBits) + steps - hiddenOne;
  }
}
