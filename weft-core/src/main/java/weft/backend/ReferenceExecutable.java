package weft.backend;

import java.util.Collections;
import java.util.List;
import weft.lir.Launch;
import weft.lir.Program;

/** Runs a program launch by launch with {@link ReferenceKernels}; owns its buffers. */
final class ReferenceExecutable implements Executable {
  private final Program program;
  private final HostMemory memory;
  private final StateSteps steps;
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
    use.during(() -> steps.feed(step, () -> launch(step, observer)));
  }

  private void launch(Step step, Observer observer) {
    memory.fill(step);
    for (Launch launch : program.steps()) {
      long start = System.nanoTime();
      ReferenceKernels.run(launch, memory, step);
      observer.ran(launch, Service.REFERENCE, System.nanoTime() - start);
    }
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
