package weft.cpu;

import weft.backend.Step;

/**
 * One launch made ready: each worker calls {@link #run} with its number, phase after phase, and all
 * meet between phases.
 */
interface BoundKernel {
  default int phases() {
    return 1;
  }

  /** Sizes what the workers share; called by one of them before the first phase. */
  default void begin(Step step) {}

  void run(Step step, int phase, Worker worker);

  /** The name in reports. */
  String name();
}
