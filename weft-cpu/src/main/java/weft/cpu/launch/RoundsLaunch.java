package weft.cpu.launch;

import weft.backend.Service;
import weft.backend.Step;
import weft.cpu.kernel.walk.CallList;

/**
 * A launch of emitted code whose middle is called in rounds, before each of which Java looks at
 * what was computed and says what the round is about.
 */
public non-sealed interface RoundsLaunch extends BoundLaunch {
  /** Writes the calls of a step; all workers meet behind the last of each list. */
  void record(Step step, CallList opening, CallList round, CallList closing);

  /**
   * Makes the next round ready; by one worker, while the others wait. Whether it is the last.
   *
   * @param round counted from 0
   */
  boolean prepare(Step step, int round);

  /** The last round is over, and nobody reads what it was about; by one worker. */
  void done();

  @Override
  default Service service() {
    return new Service(Service.Kind.EMITTED, name());
  }
}
