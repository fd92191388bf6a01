package weft.cuda.ptx;

import weft.cuda.ptx.Operand.Wide;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.Pred;

/** Whole numbers, bits, bytes and what is true of them. */
sealed interface IntegerCode extends Code permits PtxWriter {
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

  private Pred pred(String mnemonic, Operand... from) {
    var to = pred();
    op(mnemonic, Listing.with(to, from));
    return to;
  }

  default B32 mov(Word a) {
    return word("mov.b32", a);
  }

  default B64 mov(Wide a) {
    return wide("mov.b64", a);
  }

  /** What the thread finds in a special register. */
  default B32 read(Special special) {
    return word("mov.u32", new Operand.Name(special.text()));
  }

  /** Where a piece of shared memory begins. */
  default B32 addressOf(Shared memory) {
    return word("mov.u32", new Operand.Name(memory.name()));
  }

  default B32 add(Word a, Word b) {
    return word("add.s32", a, b);
  }

  default B64 add(Wide a, Wide b) {
    return wide("add.s64", a, b);
  }

  default B32 sub(Word a, Word b) {
    return word("sub.s32", a, b);
  }

  default B64 sub(Wide a, Wide b) {
    return wide("sub.s64", a, b);
  }

  /** The lower 32 bits of a product. */
  default B32 mul(Word a, Word b) {
    return word("mul.lo.s32", a, b);
  }

  default B64 mul(Wide a, Wide b) {
    return wide("mul.lo.s64", a, b);
  }

  /** {@code a * b + c}, the lower 32 bits. */
  default B32 mad(Word a, Word b, Word c) {
    return word("mad.lo.s32", a, b, c);
  }

  /** {@code a * b + c} of unsigned words, all 64 bits: an element's address. */
  default B64 madWide(Word a, Word b, Wide c) {
    return wide("mad.wide.u32", a, b, c);
  }

  /** {@code a * b} of unsigned words, all 64 bits. */
  default B64 mulWide(Word a, Word b) {
    return wide("mul.wide.u32", a, b);
  }

  /** An unsigned quotient. */
  default B32 div(Word a, Word b) {
    return word("div.u32", a, b);
  }

  /** An unsigned remainder. */
  default B32 rem(Word a, Word b) {
    return word("rem.u32", a, b);
  }

  /** The lesser of two signed numbers. */
  default B32 min(Word a, Word b) {
    return word("min.s32", a, b);
  }

  /** The greater of two signed numbers. */
  default B32 max(Word a, Word b) {
    return word("max.s32", a, b);
  }

  default B32 minUnsigned(Word a, Word b) {
    return word("min.u32", a, b);
  }

  default B32 maxUnsigned(Word a, Word b) {
    return word("max.u32", a, b);
  }

  default B32 neg(B32 a) {
    return word("neg.s32", a);
  }

  default B32 and(Word a, Word b) {
    return word("and.b32", a, b);
  }

  default B64 and(Wide a, Wide b) {
    return wide("and.b64", a, b);
  }

  default B32 or(Word a, Word b) {
    return word("or.b32", a, b);
  }

  default B64 or(Wide a, Wide b) {
    return wide("or.b64", a, b);
  }

  default B32 xor(Word a, Word b) {
    return word("xor.b32", a, b);
  }

  default B32 not(Word a) {
    return word("not.b32", a);
  }

  default B32 shl(Word a, Word by) {
    return word("shl.b32", a, by);
  }

  default B64 shl(Wide a, Word by) {
    return wide("shl.b64", a, by);
  }

  /** A shift to the right that brings zeros. */
  default B32 shr(Word a, Word by) {
    return word("shr.u32", a, by);
  }

  default B64 shr(Wide a, Word by) {
    return wide("shr.u64", a, by);
  }

  /** A shift to the right that brings copies of the sign. */
  default B32 sar(Word a, Word by) {
    return word("shr.s32", a, by);
  }

  /** {@code count} bits of a word from bit {@code from} on, unsigned. */
  default B32 bits(Word a, Word from, Word count) {
    return word("bfe.u32", a, from, count);
  }

  /** The same with the last of them as a sign. */
  default B32 signedBits(Word a, Word from, Word count) {
    return word("bfe.s32", a, from, count);
  }

  /** Any function of three words, bit by bit: {@code table} is its value of 0xF0, 0xCC, 0xAA. */
  default B32 lop3(Word a, Word b, Word c, int table) {
    return word("lop3.b32", a, b, c, Imm.imm(table));
  }

  /** Four of the eight bytes of two words, by the four nibbles of a selector; b's are 4 to 7. */
  default B32 bytes(Word a, Word b, Word selector) {
    return word("prmt.b32", a, b, selector);
  }

  default B32 countOnes(Word a) {
    return word("popc.b32", a);
  }

  default B32 leadingZeros(Word a) {
    return word("clz.b32", a);
  }

  /** {@code c} and the products of four signed bytes each. */
  default B32 dotSigned(Word a, Word b, Word c) {
    return word("dp4a.s32.s32", a, b, c);
  }

  /** The same with unsigned bytes in {@code a}. */
  default B32 dotUnsigned(Word a, Word b, Word c) {
    return word("dp4a.u32.s32", a, b, c);
  }

  /** A comparison of signed words. */
  default Pred is(Compare compare, Word a, Word b) {
    return pred("setp." + compare.word() + ".s32", a, b);
  }

  /** A comparison of unsigned words. */
  default Pred isUnsigned(Compare compare, Word a, Word b) {
    return pred("setp." + compare.word() + ".u32", a, b);
  }

  /** A comparison of unsigned wide words. */
  default Pred is(Compare compare, Wide a, Wide b) {
    return pred("setp." + compare.word() + ".u64", a, b);
  }

  default Pred and(Pred a, Pred b) {
    return pred("and.pred", a, b);
  }

  default Pred or(Pred a, Pred b) {
    return pred("or.pred", a, b);
  }

  default Pred not(Pred a) {
    return pred("not.pred", a);
  }

  /** {@code a} where it is true, else {@code b}. */
  default B32 select(Pred when, Word a, Word b) {
    return word("selp.b32", a, b, when);
  }

  default B64 select(Pred when, Wide a, Wide b) {
    return wide("selp.b64", a, b, when);
  }
}
