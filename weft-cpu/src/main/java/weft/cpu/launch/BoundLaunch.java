package weft.cpu.launch;

import weft.backend.Service;
import weft.backend.Step;

/** One launch made ready: a kernel with its places in memory. */
public sealed interface BoundLaunch permits EmittedLaunch, JavaLaunch, RoundsLaunch {
  /**
   * Sizes what the workers share by the step's numbers of rows, beside what is there for steps of
   * others; called when no worker runs, before calls are written for such a step.
   */
  default void begin(Step step) {}

  /** What it is, for reports. */
  Service service();

  /** The kernels of a single row. */
  String name();

  /** Those of a step, where it chooses them. */
  default String name(Step step) {
    return name();
  }

  default Service service(Step step) {
    return new Service(service().kind(), name(step));
  }
}
