package weft.cpu;

import weft.backend.Service;
import weft.backend.Step;
import weft.cpu.kernel.CallList;

/** A launch that emitted code runs: Java only writes down what is to be called. */
non-sealed interface EmittedKernel extends BoundKernel {
  /** Writes the calls of a step; all workers meet behind the last. */
  void record(Step step, CallList calls);

  /**
   * Whether the calls depend on nothing but the numbers of rows, so that the next token's are the
   * same; others say where a sequence's state lies or how long it is.
   */
  boolean isSteady();

  @Override
  default Service service() {
    return new Service(Service.Kind.EMITTED, name());
  }
}
