package weft.cuda.ptx;

import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.Pred;

/** What the threads of a warp and of a block tell each other. */
sealed interface WarpCode extends Code permits PtxWriter {
  /** All lanes of a warp. */
  Word ALL = Imm.bits(-1);

  /** The bounds of a shuffle over a whole warp. */
  Word WHOLE = Imm.imm(31);

  /** Every thread of the block waits here for all of them. */
  default void barrier() {
    op("bar.sync", Imm.imm(0));
  }

  /** {@code threads} threads of the block, whole warps, wait here for each other. */
  default void barrier(int number, int threads) {
    op("bar.sync", Imm.imm(number), Imm.imm(threads));
  }

  /** The lanes of a warp wait for each other, and see what each had written. */
  default void warpBarrier() {
    op("bar.warp.sync", ALL);
  }

  /** What the lane whose number differs in these bits has. */
  default F32 shuffleXor(F32 a, int bits) {
    var to = f32();
    op("shfl.sync.bfly.b32", to, a, Imm.imm(bits), WHOLE, ALL);
    return to;
  }

  default B32 shuffleXor(B32 a, int bits) {
    var to = b32();
    op("shfl.sync.bfly.b32", to, a, Imm.imm(bits), WHOLE, ALL);
    return to;
  }

  /** What a lane by its number has. */
  default F32 shuffle(F32 a, Word lane) {
    var to = f32();
    op("shfl.sync.idx.b32", to, a, lane, WHOLE, ALL);
    return to;
  }

  default B32 shuffle(B32 a, Word lane) {
    var to = b32();
    op("shfl.sync.idx.b32", to, a, lane, WHOLE, ALL);
    return to;
  }

  /** A bit for each lane where it is true. */
  default B32 ballot(Pred a) {
    var to = b32();
    op("vote.sync.ballot.b32", to, a, ALL);
    return to;
  }

  default Pred any(Pred a) {
    var to = pred();
    op("vote.sync.any.pred", to, a, ALL);
    return to;
  }
}
