package weft.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import weft.backend.BackendException;
import weft.backend.Confined;
import weft.backend.Executable;
import weft.backend.MemberExecutable;
import weft.backend.OutputRow;
import weft.backend.Service;
import weft.backend.Step;
import weft.ir.Op;
import weft.lir.Program;

/**
 * A program on all members of a mesh. They run it in turn up to a collective, send each other what
 * they have there, and go on: those that only queue what they are told work at the same time. Owns
 * the members' programs.
 */
final class MeshExecutable implements Executable {
  private final Program program;
  private final List<MemberExecutable> members;
  private final int[] collectives;
  private int meetings;
  private final Confined use = new Confined("the program");

  MeshExecutable(Program program, List<MemberExecutable> members) {
    this.program = program;
    this.members = members;
    this.collectives =
        IntStream.range(0, program.steps().size()).filter(this::isCollective).toArray();
  }

  private boolean isCollective(int launch) {
    return program.steps().get(launch).op() instanceof Op.Collective;
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    use.during(
        () -> {
          var steps = new ArrayList<Step>();
          for (int i = 0; i < members.size(); i++) steps.add(of(step, i));
          feed(steps, 0, observer);
        });
  }

  /** The step as a member sees it: of each sequence its own part. */
  private static Step of(Step step, int member) {
    var parts = new ArrayList<Step.Part>();
    for (var part : step.parts()) {
      if (!(part.state() instanceof MeshState state)) {
        throw new BackendException(
            "a state of another kind of device (" + part.state().getClass().getSimpleName() + ")");
      }
      parts.add(
          new Step.Part(
              state.of(member), part.rows(), part.tentative(), part.blocks(), part.origin()));
    }
    return new Step(step.tokens(), step.positions(), step.wanted(), parts, step.inputs());
  }

  /** All members have room for the step before any of them launches anything. */
  private void feed(List<Step> steps, int member, Observer observer) {
    if (member < members.size()) {
      members.get(member).feed(steps.get(member), () -> feed(steps, member + 1, observer));
    } else {
      launch(steps, observer);
    }
  }

  private void launch(List<Step> steps, Observer observer) {
    int from = 0;
    for (int collective : collectives) {
      launch(steps, from, collective, observer);
      long start = System.nanoTime();
      each(i -> members.get(i).send(steps.get(i), meeting(collective, i)));
      each(i -> members.get(i).join(steps.get(i), meeting(collective, i)));
      meetings++;
      observer.ran(program.steps().get(collective), Service.MESH, System.nanoTime() - start);
      from = collective + 1;
    }
    launch(steps, from, program.steps().size(), observer);
  }

  private void each(IntConsumer task) {
    for (int i = 0; i < members.size(); i++) task.accept(i);
  }

  /** One member is observed, for the others do the same. */
  private void launch(List<Step> steps, int from, int to, Observer observer) {
    each(i -> members.get(i).launch(steps.get(i), from, to, i == 0 ? observer : Observer.NONE));
  }

  private MemberExecutable.Meeting meeting(int collective, int member) {
    return new MemberExecutable.Meeting(collective, meetings, member, members);
  }

  @Override
  public void rest() {
    use.during(() -> members.forEach(Executable::rest));
  }

  @Override
  public List<Service> services() {
    var services = new ArrayList<>(members.getFirst().services());
    for (int collective : collectives) services.set(collective, Service.MESH);
    return services;
  }

  /** Outputs are whole on every member. */
  @Override
  public OutputRow row(String output, int row) {
    return members.getFirst().row(output, row);
  }

  /** Waits for a step that runs. */
  @Override
  public void close() {
    if (use.close()) members.forEach(Executable::close);
  }
}
