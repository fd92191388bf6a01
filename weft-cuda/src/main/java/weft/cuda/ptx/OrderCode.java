package weft.cuda.ptx;

import weft.cuda.ptx.Operand.Place;
import weft.cuda.ptx.Operand.Word;

/**
 * What a kernel says of the launches before and behind it in its queue: compute capability 9.0 lets
 * one begin while the last still runs. A module for older devices leaves these instructions out,
 * for there nothing begins early.
 */
sealed interface OrderCode extends Code permits PtxWriter {
  /**
   * The launch behind this one may begin, and wait for this one, once all blocks of this one have
   * come here or ended.
   */
  default void letNextBegin() {
    op("griddepcontrol.launch_dependents");
  }

  /**
   * Waits until all launches before this one have ended and what they wrote is there. What comes
   * earlier in a kernel may only read what no kernel writes. A kernel that does not say where it
   * waits does so at its beginning.
   */
  default void awaitLast() {
    op("griddepcontrol.wait");
  }

  /** These bytes, 16 and a multiple, will be wanted: to the cache that all share. */
  default void fetchAhead(Mem from, Word bytes) {
    op("cp.async.bulk.prefetch.L2.global", new Place(from), bytes);
  }
}
