package weft.cpu.launch;

import java.util.List;
import weft.backend.Step;
import weft.cpu.team.Team;

/**
 * The stages of a program, and what their calls were written for: a step that is alike finds them
 * as they are. Several scripts may share launches and scratch. Owns the stages.
 */
public final class Script implements AutoCloseable {
  private final List<BoundLaunch> kernels;
  private final List<Stage> stages;
  private final SharedScratch scratch;
  private StepShape written = StepShape.NONE;

  public Script(List<BoundLaunch> kernels, List<Stage> stages, SharedScratch scratch) {
    this.kernels = List.copyOf(kernels);
    this.stages = List.copyOf(stages);
    this.scratch = scratch;
  }

  public List<Stage> stages() {
    return stages;
  }

  /** Those of some launches. A collective is Java's, and so a stage of its own. */
  public List<Stage> stages(int from, int to) {
    return stages.stream().filter(s -> s.first() >= from && s.first() < to).toList();
  }

  /** Makes it ready for a step. */
  public void begin(Step step, Team team) {
    // A step that is refused half way, for want of memory say, leaves lists and places of its own.
    var last = written;
    written = StepShape.NONE;
    var shape = StepShape.of(step, scratch.moves(), team.count());
    var change = shape.after(last);
    if (change == Change.ROWS) {
      for (var kernel : kernels) kernel.begin(step);
      shape = StepShape.of(step, scratch.moves(), team.count());
    }
    for (var stage : stages) stage.begin(step, team, change);
    written = shape;
  }

  @Override
  public void close() {
    stages.forEach(Stage::close);
  }
}
