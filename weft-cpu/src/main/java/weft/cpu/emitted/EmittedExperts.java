package weft.cpu.emitted;

import java.util.Optional;
import weft.backend.Step;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.Mixture;
import weft.cpu.launch.SharedScratch;

/**
 * A mixture of experts by emitted code, which reads their weights where the checkpoint has them.
 */
public final class EmittedExperts implements EmittedLaunch {
  private final ExpertCalls experts;

  private EmittedExperts(ExpertCalls experts) {
    this.experts = experts;
  }

  /**
   * The emitted form, where every weight has one.
   *
   * @param mostRows how many rows a step of the program may have
   */
  public static Optional<BoundLaunch> of(
      KernelLibrary library, Mixture mixture, SharedScratch scratch, int mostRows) {
    return ExpertCalls.of(library, mixture, scratch, mostRows, ExpertCalls.Regions.SHARED)
        .map(EmittedExperts::new);
  }

  @Override
  public String name() {
    return experts.name();
  }

  /** The choice of experts is made by the emitted code itself. */
  @Override
  public Change follows() {
    return Change.ROWS;
  }

  @Override
  public void begin(Step step) {
    experts.reserve(step);
  }

  @Override
  public void record(Step step, CallList calls) {
    if (experts.rows(step) == 0) return;
    experts.open(step, calls);
    calls.meet();
    experts.multiply(step, calls);
    experts.close(step, calls);
  }
}
