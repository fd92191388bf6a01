package weft.cpu.launch;

import weft.backend.Service;
import weft.backend.Step;

/** One launch made ready: a kernel with its places in memory. */
public sealed interface BoundLaunch permits EmittedLaunch, JavaLaunch, RoundsLaunch {
  /**
   * Sizes what the workers share by the step's numbers of rows; called when no worker runs, before
   * a step that has others than the last.
   */
  default void begin(Step step) {}

  /** What it is, for reports. */
  Service service();

  String name();
}
