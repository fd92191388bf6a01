package weft.cuda.ptx;

import weft.cuda.ptx.Operand.Real;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.F64;
import weft.cuda.ptx.Reg.Pred;

/** Floats: rounded to nearest, or approximated where the name says so. */
sealed interface RealCode extends Code permits PtxWriter {
  private F32 real(String mnemonic, Operand... from) {
    var to = f32();
    op(mnemonic, Listing.with(to, from));
    return to;
  }

  private F64 exact(String mnemonic, Operand... from) {
    var to = f64();
    op(mnemonic, Listing.with(to, from));
    return to;
  }

  default F32 mov(Real a) {
    return real("mov.f32", a);
  }

  default F32 add(Real a, Real b) {
    return real("add.rn.f32", a, b);
  }

  default F32 sub(Real a, Real b) {
    return real("sub.rn.f32", a, b);
  }

  default F32 mul(Real a, Real b) {
    return real("mul.rn.f32", a, b);
  }

  /** {@code a * b + c}, rounded once. */
  default F32 fma(Real a, Real b, Real c) {
    return real("fma.rn.f32", a, b, c);
  }

  /** The nearest to the quotient. */
  default F32 div(Real a, Real b) {
    return real("div.rn.f32", a, b);
  }

  /** The nearest to the root. */
  default F32 sqrt(Real a) {
    return real("sqrt.rn.f32", a);
  }

  /** The lesser; a number where the other is none. */
  default F32 min(Real a, Real b) {
    return real("min.f32", a, b);
  }

  /** The greater; a number where the other is none. */
  default F32 max(Real a, Real b) {
    return real("max.f32", a, b);
  }

  /** The greater; none where one is no number. */
  default F32 maxOrNone(Real a, Real b) {
    return real("max.NaN.f32", a, b);
  }

  /** The lesser; none where one is no number. */
  default F32 minOrNone(Real a, Real b) {
    return real("min.NaN.f32", a, b);
  }

  default F32 neg(F32 a) {
    return real("neg.f32", a);
  }

  default F32 abs(F32 a) {
    return real("abs.f32", a);
  }

  /** {@code 2^a}, of 22 bits. */
  default F32 exp2Approx(F32 a) {
    return real("ex2.approx.f32", a);
  }

  /** The binary logarithm, of 22 bits. */
  default F32 log2Approx(F32 a) {
    return real("lg2.approx.f32", a);
  }

  /** {@code 1/a}, to one unit of the last place. */
  default F32 reciprocalApprox(F32 a) {
    return real("rcp.approx.f32", a);
  }

  /** {@code 1/sqrt(a)}, of 22 bits. */
  default F32 reciprocalRootApprox(F32 a) {
    return real("rsqrt.approx.f32", a);
  }

  /** A quotient to two units of the last place. */
  default F32 divApprox(Real a, Real b) {
    return real("div.full.f32", a, b);
  }

  /** The sine, good to 2^-20 between -pi and pi. */
  default F32 sinApprox(F32 a) {
    return real("sin.approx.f32", a);
  }

  /** The cosine, good to 2^-20 between -pi and pi. */
  default F32 cosApprox(F32 a) {
    return real("cos.approx.f32", a);
  }

  /** The hyperbolic tangent, of 11 bits. */
  default F32 tanhApprox(F32 a) {
    return real("tanh.approx.f32", a);
  }

  /** Whole numbers towards minus infinity. */
  default F32 floor(F32 a) {
    return real("cvt.rmi.f32.f32", a);
  }

  /** The nearest whole number, ties to even. */
  default F32 round(F32 a) {
    return real("cvt.rni.f32.f32", a);
  }

  default Pred is(Compare compare, Real a, Real b) {
    var to = pred();
    op("setp." + compare.realWord() + ".f32", to, a, b);
    return to;
  }

  /** {@code a} where it is true, else {@code b}. */
  default F32 select(Pred when, Real a, Real b) {
    return real("selp.f32", a, b, when);
  }

  default F64 add(F64 a, F64 b) {
    return exact("add.rn.f64", a, b);
  }

  default F64 sub(F64 a, F64 b) {
    return exact("sub.rn.f64", a, b);
  }

  default F64 mul(F64 a, F64 b) {
    return exact("mul.rn.f64", a, b);
  }

  default F64 fma(F64 a, F64 b, F64 c) {
    return exact("fma.rn.f64", a, b, c);
  }

  /** The nearest whole number, ties to even. */
  default F64 round(F64 a) {
    return exact("cvt.rni.f64.f64", a);
  }

  /** A constant of 64 bits. */
  default F64 exact(double value) {
    return exact(
        "mov.f64", new Operand.Name("0d%016X".formatted(Double.doubleToRawLongBits(value))));
  }

  /** Two halves at once: {@code a * b + c}. */
  default B32 fmaHalves(B32 a, B32 b, B32 c) {
    var to = b32();
    op("fma.rn.f16x2", to, a, b, c);
    return to;
  }
}
