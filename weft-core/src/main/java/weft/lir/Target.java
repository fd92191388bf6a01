package weft.lir;

import weft.ir.Op;

/** What a device can run as it stands; everything else is expanded before it gets there. */
public interface Target {
  /**
   * Names the device and what distinguishes its programs: part of the ahead-of-time cache's key.
   */
  String name();

  /** Whether a kernel takes this op, with its weights as they are stored. */
  boolean takes(Op op, Stored weights);

  /** Where a buffer may begin, in bytes: a power of two. */
  default int alignment() {
    return Region.CACHE_LINE;
  }

  /**
   * The most rows of a step that fills states: enough to share what is read, little enough to
   * cancel.
   */
  default int mostRows() {
    return 512;
  }

  /**
   * The most rows of a step whose outputs are all wanted: a draft's, or those of several replies.
   */
  default int mostWanted() {
    return 32;
  }

  /** The devices that run a program together, each over its {@link Share} of the weights. */
  default int members() {
    return 1;
  }
}
