package weft.cuda.ptx;

import java.util.List;
import weft.cuda.ptx.Operand.Place;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.Pred;

/**
 * What compute capability 9.0 has beyond 8.0: bulk copies, barriers that count bytes, and tensor
 * cores that four warps use together, which read shared memory while the warps go on.
 */
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

  /**
   * What this thread wrote to shared memory, its copies included that have arrived, is there for
   * {@link #multiplyGroup} once threads have met.
   */
  default void sharedFence() {
    op("fence.proxy.async.shared::cta");
  }

  /** Sums that were written by other instructions are there for {@link #multiplyGroup}. */
  default void groupFence() {
    op("wgmma.fence.sync.aligned");
  }

  /**
   * Begins {@code sums += a . b}, of 64 rows of 16 values and of twice as many columns as there are
   * sums; nobody touches sums or factors before {@link #awaitGroups} says that it is done. A lane's
   * sums lie as those of {@link TensorCode#multiply}, eight columns behind eight, a warp's rows are
   * 16 of the 64.
   *
   * @param a descriptor of a matrix in shared memory, as the manual of PTX has them
   */
  default void multiplyGroup(TensorElement element, List<F32> sums, B64 a, B64 b, Pred adds) {
    var type = element.word();
    op(
        "wgmma.mma_async.sync.aligned.m64n%dk16.f32.%s.%s".formatted(2 * sums.size(), type, type),
        new Operand.Vector(sums),
        a,
        b,
        adds,
        Imm.imm(1),
        Imm.imm(1),
        Imm.imm(0),
        Imm.imm(0));
  }

  /** What was begun since the last such call is a group. */
  default void commitGroup() {
    op("wgmma.commit_group.sync.aligned");
  }

  /** Waits for all groups but the newest {@code pending}. */
  default void awaitGroups(int pending) {
    op("wgmma.wait_group.sync.aligned", Imm.imm(pending));
  }
}
