package weft.cpu;

import weft.backend.Service;
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

  /** What it is, for reports. */
  default Service service() {
    return new Service(Service.Kind.PORTABLE, name());
  }

  String name();
}
