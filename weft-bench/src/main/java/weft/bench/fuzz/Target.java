package weft.bench.fuzz;

import java.util.List;

/** One thing that reads untrusted bytes: how its inputs look, and what it may do with them. */
public interface Target {
  String name();

  /** Good inputs to begin with, made by our own writers. */
  List<byte[]> seeds();

  /** A changed copy of {@code input}; parts of {@code other}, another good one, may go into it. */
  byte[] mutate(byte[] input, byte[] other, Draw draw);

  /**
   * Reads an input and uses what came of it. Every exception but the declared ones is a finding;
   * {@link Violation} is for results that are wrong.
   */
  void run(byte[] input);

  /** Whether an input may be refused so. */
  boolean declares(RuntimeException failure);

  /** What the heap may see allocated for one input, all garbage included. */
  default long mostAllocated() {
    return 64L << 20;
  }
}
