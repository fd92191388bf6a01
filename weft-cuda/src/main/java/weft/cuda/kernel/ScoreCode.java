package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.real;

import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;
import weft.ir.Op;

/**
 * What scores on tensor cores are made of: queries as the sums of two halves, scaled so that scores
 * are exponents of two, and soft caps.
 */
record ScoreCode(PtxWriter w, Op.Scores scores) {
  private static final float LOG2_E = (float) (1 / Math.log(2));
  private static final float LARGEST_HALF = 65504;

  /** An element of a query; a cap comes before the exponent, and so scales for it. */
  F32 scaled(F32 element) {
    float scale = scores.softCap() > 0 ? scores.scale() : scores.scale() * LOG2_E;
    var scaled = w.mul(element, real(scale));
    return w.minOrNone(w.maxOrNone(scaled, real(-LARGEST_HALF)), real(LARGEST_HALF));
  }

  /** What two halves lack of the floats that they were made of. */
  B32 rest(B32 halves, F32 low, F32 high) {
    return w.toHalves(
        w.sub(low, w.toReal(w.lowHalf(halves))), w.sub(high, w.toReal(w.highHalf(halves))));
  }

  /** {@code cap tanh(x / cap)}, in powers of two: its ends are right, whatever the power does. */
  F32 capped(F32 score) {
    float cap = scores.softCap();
    if (cap <= 0) return score;
    var power = w.exp2Approx(w.mul(score, real(2 * LOG2_E / cap)));
    var part = w.div(real(-2), w.add(power, real(1)));
    return w.mul(w.add(part, real(1)), real(cap * LOG2_E));
  }
}
