package weft.lir;

import weft.ir.Op;

/** What a device can run as it stands; everything else is expanded before it gets there. */
public interface Target {
  /**
   * Names the device and what distinguishes its programs: part of the ahead-of-time cache's key.
   */
  String name();

  /** Whether a kernel takes this op. */
  boolean takes(Op op);
}
