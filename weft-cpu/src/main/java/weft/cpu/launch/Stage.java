package weft.cpu.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import weft.backend.BackendException;
import weft.backend.Step;
import weft.cpu.asm.Fault;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.walk.WalkPlan;
import weft.cpu.team.Abandoned;
import weft.cpu.team.Team;
import weft.cpu.team.Worker;

/** A part of a program that workers run without coming back to the list of launches. */
public sealed interface Stage extends AutoCloseable
    permits Stage.InJava, Stage.Native, RoundsStage {
  /** The program's launch that this stage begins with. */
  int first();

  int launches();

  /**
   * Makes the stage ready for a step.
   *
   * @param change in what it differs from the last
   */
  void begin(Step step, Team team, Change change);

  /** One worker's part; the team has met when it returns. */
  void run(Step step, Team team, Worker worker);

  /** Which part of the stage's time a launch of it took in the last run. */
  double share(int launch);

  @Override
  void close();

  /** Cuts a program where emitted launches and Java's follow each other. */
  static List<Stage> of(List<BoundLaunch> kernels, Optional<KernelLibrary> library, int workers) {
    var stages = new ArrayList<Stage>();
    for (int i = 0; i < kernels.size(); ) {
      int first = i;
      switch (kernels.get(i)) {
        case JavaLaunch kernel -> stages.add(new InJava(i++, kernel));
        case RoundsLaunch kernel -> {
          var plans = library.orElseThrow();
          stages.add(new RoundsStage(i++, kernel, () -> plans.plan(1, workers)));
        }
        case EmittedLaunch _ -> {
          var run = new ArrayList<EmittedLaunch>();
          while (i < kernels.size() && kernels.get(i) instanceof EmittedLaunch e) {
            run.add(e);
            i++;
          }
          var plan = library.orElseThrow().plan(run.size(), workers);
          stages.add(Native.of(first, run, plan));
        }
      }
    }
    return List.copyOf(stages);
  }

  /** One launch by Java. */
  record InJava(int first, JavaLaunch kernel) implements Stage {
    @Override
    public int launches() {
      return 1;
    }

    @Override
    public void begin(Step step, Team team, Change change) {}

    @Override
    public void run(Step step, Team team, Worker worker) {
      for (int phase = 0; phase < kernel.phases(); phase++) {
        kernel.run(step, phase, worker);
        team.meet();
      }
    }

    @Override
    public double share(int launch) {
      return 1;
    }

    @Override
    public void close() {}
  }

  /**
   * Emitted launches one behind the other, in one native call; owns their plan.
   *
   * @param renewed which of the launches a change of tokens alone concerns. There are few, and a
   *     step has left the rest in no cache: looking at all of them took 100 microseconds a token
   */
  record Native(int first, List<EmittedLaunch> kernels, int[] renewed, WalkPlan plan)
      implements Stage {
    static Native of(int first, List<EmittedLaunch> kernels, WalkPlan plan) {
      int[] renewed =
          IntStream.range(0, kernels.size())
              .filter(i -> kernels.get(i).follows() == Change.TOKENS)
              .toArray();
      return new Native(first, List.copyOf(kernels), renewed, plan);
    }

    @Override
    public int launches() {
      return kernels.size();
    }

    @Override
    public void begin(Step step, Team team, Change change) {
      if (change == Change.TOKENS) {
        renew(step);
        return;
      }
      if (change == Change.ROWS) plan.gather(team.meeting(), team.count());
      for (int i = 0; i < kernels.size(); i++) {
        if (kernels.get(i).follows().compareTo(change) < 0) continue;
        plan.calls(i).clear();
        kernels.get(i).record(step, plan.calls(i));
        plan.place(i);
      }
    }

    private void renew(Step step) {
      for (int i : renewed) {
        kernels.get(i).renew(step, plan.calls(i));
        plan.place(i);
      }
    }

    @Override
    public void run(Step step, Team team, Worker worker) {
      walk(plan, team, worker);
    }

    /** One worker's part of a plan; throws what ended it before its time. */
    static void walk(WalkPlan plan, Team team, Worker worker) {
      plan.walk(worker.index(), worker.nativeScratch(plan.scratchBytes()));
      var meeting = team.meeting();
      meeting.fault(worker.index()).ifPresent(Native::refuse);
      if (meeting.isCalledOff()) throw new Abandoned();
    }

    private static void refuse(Fault fault) {
      var address = Long.toHexString(fault.address());
      throw new BackendException(
          switch (fault.kind()) {
            case GONE ->
                "a mapped file lost the page at 0x"
                    + address
                    + " while a step read it: the file was cut short or its disk failed;"
                    + " load the model again, or use --load copy";
            case STRANGE ->
                "emitted code met the address 0x"
                    + address
                    + ", which is not its own, and the step was given up: that is a fault of Weft's;"
                    + " please report it, and use --isa portable meanwhile";
          });
    }

    @Override
    public double share(int launch) {
      return plan.share(launch);
    }

    @Override
    public void close() {
      plan.close();
    }
  }
}
