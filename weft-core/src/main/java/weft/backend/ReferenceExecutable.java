package weft.backend;

import java.util.Collections;
import java.util.List;
import weft.lir.Launch;
import weft.lir.Program;

/** Runs a program launch by launch with {@link ReferenceKernels}; owns its buffers. */
final class ReferenceExecutable implements MemberExecutable {
  private final Program program;
  private final HostMemory memory;
  private final StateSteps steps;
  private final HostMailbox mailbox = new HostMailbox();
  private final Confined use = new Confined("the program");

  ReferenceExecutable(Program program, HostWeights weights, HostStates states) {
    this.program = program;
    this.steps = new StateSteps(program, states.pool());
    this.memory = new HostMemory(program, weights, MemorySource.ARENA);
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    feed(step, () -> launch(step, 0, program.steps().size(), observer));
  }

  @Override
  public void feed(Step step, Runnable launches) {
    use.during(() -> steps.feed(step, launches));
  }

  @Override
  public void launch(Step step, int from, int to, Observer observer) {
    if (from == 0) memory.fill(step);
    for (Launch launch : program.steps().subList(from, to)) {
      long start = System.nanoTime();
      ReferenceKernels.run(launch, memory, step);
      observer.ran(launch, Service.REFERENCE, System.nanoTime() - start);
    }
  }

  @Override
  public void send(Step step, Meeting meeting) {
    var rows = HostMailbox.read(program.steps().get(meeting.launch()), memory, step);
    meeting.peers(peer -> ((ReferenceExecutable) peer).mailbox.put(meeting.as(), rows));
  }

  @Override
  public void join(Step step, Meeting meeting) {
    mailbox.join(program.steps().get(meeting.launch()), memory, step, meeting.as());
  }

  @Override
  public List<Service> services() {
    return Collections.nCopies(program.steps().size(), Service.REFERENCE);
  }

  @Override
  public OutputRow row(String output, int row) {
    return memory.row(StateSteps.output(program, output), row);
  }

  /** Waits for a step that runs. */
  @Override
  public void close() {
    if (!use.close()) return;
    memory.close();
  }
}
