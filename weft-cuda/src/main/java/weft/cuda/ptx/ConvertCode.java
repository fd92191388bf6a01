package weft.cuda.ptx;

import weft.cuda.ptx.Operand.Real;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.Reg.B16;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.F64;

/** From one type to another. */
sealed interface ConvertCode extends Code permits PtxWriter {
  private F32 real(String mnemonic, Operand... from) {
    var to = f32();
    op(mnemonic, Listing.with(to, from));
    return to;
  }

  private B32 word(String mnemonic, Operand... from) {
    var to = b32();
    op(mnemonic, Listing.with(to, from));
    return to;
  }

  private B64 wide(String mnemonic, Operand... from) {
    var to = b64();
    op(mnemonic, Listing.with(to, from));
    return to;
  }

  private B16 half(String mnemonic, Operand... from) {
    var to = b16();
    op(mnemonic, Listing.with(to, from));
    return to;
  }

  /** An unsigned word in 64 bits. */
  default B64 wide(B32 a) {
    return wide("cvt.u64.u32", a);
  }

  /** A signed word in 64 bits. */
  default B64 wideSigned(B32 a) {
    return wide("cvt.s64.s32", a);
  }

  /** The lower half of a wide word. */
  default B32 low(B64 a) {
    return word("cvt.u32.u64", a);
  }

  /** A signed word as a float. */
  default F32 toReal(B32 a) {
    return real("cvt.rn.f32.s32", a);
  }

  /** An unsigned word as a float. */
  default F32 toRealUnsigned(B32 a) {
    return real("cvt.rn.f32.u32", a);
  }

  /** The nearest whole number, ties to even. */
  default B32 toNearest(F32 a) {
    return word("cvt.rni.s32.f32", a);
  }

  /** The whole number towards zero. */
  default B32 toWhole(F32 a) {
    return word("cvt.rzi.s32.f32", a);
  }

  /** A half as a float. */
  default F32 toReal(B16 half) {
    return real("cvt.f32.f16", half);
  }

  default B16 toHalf(Real a) {
    return half("cvt.rn.f16.f32", a);
  }

  default B16 toBfloat(Real a) {
    return half("cvt.rn.bf16.f32", a);
  }

  /** Two floats as halves in one word. */
  default B32 toHalves(Real low, Real high) {
    return word("cvt.rn.f16x2.f32", high, low);
  }

  /** Two floats as bfloat16 in one word. */
  default B32 toBfloats(Real low, Real high) {
    return word("cvt.rn.bf16x2.f32", high, low);
  }

  default F64 toExact(Real a) {
    var to = f64();
    op("cvt.f64.f32", to, a);
    return to;
  }

  /** A signed word as a double. */
  default F64 toExact(B32 a) {
    var to = f64();
    op("cvt.rn.f64.s32", to, a);
    return to;
  }

  default F32 toReal(F64 a) {
    return real("cvt.rn.f32.f64", a);
  }

  /** The bits of a float. */
  default B32 bitsOf(F32 a) {
    return word("mov.b32", a);
  }

  /** The float that has these bits. */
  default F32 realOf(Word bits) {
    return real("mov.b32", bits);
  }

  /** The lower half of a word. */
  default B16 lowHalf(B32 a) {
    var to = b16();
    op("cvt.u16.u32", to, a);
    return to;
  }

  /** The upper half of a word. */
  default B16 highHalf(B32 a) {
    return lowHalf(word("shr.u32", a, Imm.imm(16)));
  }

  /** A half's bits as an unsigned word. */
  default B32 wordOf(B16 a) {
    return word("cvt.u32.u16", a);
  }

  /** The bfloat16 in the lower half of a word, as a float. */
  default F32 lowBfloat(B32 a) {
    return realOf(word("shl.b32", a, Imm.imm(16)));
  }

  /** The bfloat16 in the upper half of a word, as a float. */
  default F32 highBfloat(B32 a) {
    return realOf(word("and.b32", a, Imm.bits(0xFFFF0000)));
  }
}
