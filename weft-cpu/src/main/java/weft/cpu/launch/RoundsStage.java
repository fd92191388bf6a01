package weft.cpu.launch;

import java.util.List;
import java.util.function.Supplier;
import weft.backend.Step;
import weft.cpu.kernel.walk.WalkPlan;
import weft.cpu.team.Team;
import weft.cpu.team.Worker;

/** One launch in rounds: a native call for its opening, each round and its closing. Owns them. */
final class RoundsStage implements Stage {
  private final int first;
  private final RoundsLaunch kernel;
  private final WalkPlan opening;
  private final WalkPlan round;
  private final WalkPlan closing;

  /** Written by the first worker before the others meet it. */
  private boolean isLast;

  RoundsStage(int first, RoundsLaunch kernel, Supplier<WalkPlan> plans) {
    this.first = first;
    this.kernel = kernel;
    this.opening = plans.get();
    this.round = plans.get();
    this.closing = plans.get();
  }

  private List<WalkPlan> plans() {
    return List.of(opening, round, closing);
  }

  @Override
  public int first() {
    return first;
  }

  @Override
  public int launches() {
    return 1;
  }

  @Override
  public void begin(Step step, Team team, Change change) {
    if (change != Change.ROWS) return;
    for (var plan : plans()) {
      plan.gather(team.meeting(), team.count());
      plan.calls(0).clear();
    }
    kernel.record(step, opening.calls(0), round.calls(0), closing.calls(0));
    for (var plan : plans()) plan.place(0);
  }

  @Override
  public void run(Step step, Team team, Worker worker) {
    Native.walk(opening, team, worker);
    boolean wasLast = false;
    for (int i = 0; !wasLast; i++) {
      if (worker.index() == 0) isLast = kernel.prepare(step, i);
      team.meet();
      // Nobody prepares another round before all have walked this one.
      wasLast = isLast;
      Native.walk(round, team, worker);
    }
    Native.walk(closing, team, worker);
    if (worker.index() == 0) kernel.done();
  }

  @Override
  public double share(int launch) {
    return 1;
  }

  @Override
  public void close() {
    plans().forEach(WalkPlan::close);
  }
}
