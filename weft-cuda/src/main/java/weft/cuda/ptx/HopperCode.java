package weft.cuda.ptx;

import weft.cuda.ptx.Operand.Place;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.Reg.Pred;

/** What compute capability 9.0 has beyond 8.0: bulk copies, and barriers that count bytes. */
sealed interface HopperCode extends Code permits PtxWriter {
  /** Makes the 8 bytes a barrier that so many arrivals, and the bytes expected, complete. */
  default void barrierInit(Mem barrier, Word arrivals) {
    op("mbarrier.init.shared::cta.b64", new Place(barrier), arrivals);
  }

  default void barrierArrive(Mem barrier) {
    op("mbarrier.arrive.shared::cta.b64", new Operand.Name("_"), new Place(barrier));
  }

  /** Arrives, and says how many bytes the phase has to wait for. */
  default void barrierExpect(Mem barrier, Word bytes) {
    op(
        "mbarrier.arrive.expect_tx.shared::cta.b64",
        new Operand.Name("_"),
        new Place(barrier),
        bytes);
  }

  /** Whether the phase of this parity is complete; may wait a while before it says no. */
  default Pred barrierTry(Mem barrier, Word parity) {
    var to = pred();
    op("mbarrier.try_wait.parity.shared::cta.b64", to, new Place(barrier), parity);
    return to;
  }

  /** Starts a copy into shared memory, 16 bytes and a multiple, that a barrier counts. */
  default void bulkCopy(Mem to, Mem from, Word bytes, Mem barrier) {
    op(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
        new Place(to),
        new Place(from),
        bytes,
        new Place(barrier));
  }

  /** Barriers made by this thread are there for bulk copies. */
  default void barrierInitFence() {
    op("fence.mbarrier_init.release.cluster");
  }
}
