package weft.cpu;

import weft.backend.Service;
import weft.backend.Step;

/** One launch made ready: a kernel with its places in memory. */
sealed interface BoundKernel permits EmittedKernel, JavaKernel {
  /** Sizes what the workers share; called once before each step, when no worker runs. */
  default void begin(Step step) {}

  /** What it is, for reports. */
  Service service();

  String name();
}
