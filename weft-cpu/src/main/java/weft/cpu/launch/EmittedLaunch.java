package weft.cpu.launch;

import weft.backend.Service;
import weft.backend.Step;
import weft.cpu.kernel.walk.CallList;

/** A launch that emitted code runs: Java only writes down what is to be called. */
public non-sealed interface EmittedLaunch extends BoundLaunch {
  /** Writes the calls of a step; all workers meet behind the last. */
  void record(Step step, CallList calls);

  /** The least change after which the calls must be written again. */
  Change follows();

  /** Brings calls up to date after a change of tokens alone. */
  default void renew(Step step, CallList calls) {
    calls.clear();
    record(step, calls);
  }

  @Override
  default Service service() {
    return new Service(Service.Kind.EMITTED, name());
  }
}
