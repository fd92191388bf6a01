package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.bits;
import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Imm;
import weft.cuda.ptx.Operand.Wide;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;

/**
 * Elements of a row as 64 bits that compare as they rank: the value above, and below it the index
 * turned around, so that the lower comes first among equals and no two are the same. What is no
 * number ranks before all that are; {@link #NONE} is behind.
 */
record Rank(PtxWriter w) {
  static final Wide NONE = Imm.wide(0);

  private static final int SIGN = 0x8000_0000;

  B64 of(F32 value, B32 index) {
    // Zeros of both signs are equal: plus zero makes them one.
    var word = w.bitsOf(w.add(value, real(0)));
    var ordered = w.xor(word, w.or(w.sar(word, imm(31)), bits(SIGN)));
    w.into(ordered).select(w.is(Compare.NE, value, value), bits(-1), ordered);
    return w.or(w.shl(w.wide(ordered), imm(32)), w.wide(w.not(index)));
  }

  /** The value's bits. */
  B32 valueOf(B64 rank) {
    var ordered = w.low(w.shr(rank, imm(32)));
    return w.xor(ordered, w.or(w.not(w.sar(ordered, imm(31))), bits(SIGN)));
  }

  B32 indexOf(B64 rank) {
    return w.not(w.low(rank));
  }

  B64 greater(B64 a, B64 b) {
    return w.select(w.is(Compare.GT, a, b), a, b);
  }

  B64 lesser(B64 a, B64 b) {
    return w.select(w.is(Compare.GT, a, b), b, a);
  }

  /** What the lane whose number differs in these bits has. */
  B64 ofLane(B64 rank, int bits) {
    var low = w.shuffleXor(w.low(rank), bits);
    var high = w.shuffleXor(w.low(w.shr(rank, imm(32))), bits);
    return w.or(w.shl(w.wide(high), imm(32)), w.wide(low));
  }
}
