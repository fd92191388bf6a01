package weft.cpu.launch;

import weft.backend.Service;
import weft.backend.Step;
import weft.cpu.team.Worker;

/**
 * A launch that Java runs: each worker calls {@link #run} with its number, phase after phase, and
 * all meet between phases.
 */
public non-sealed interface JavaLaunch extends BoundLaunch {
  default int phases() {
    return 1;
  }

  void run(Step step, int phase, Worker worker);

  @Override
  default Service service() {
    return new Service(Service.Kind.PORTABLE, name());
  }
}
