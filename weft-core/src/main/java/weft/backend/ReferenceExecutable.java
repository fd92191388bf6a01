package weft.backend;

import java.util.Collections;
import java.util.List;
import weft.lir.Launch;
import weft.lir.Program;

/** Runs a program launch by launch with {@link ReferenceKernels}; owns its buffers. */
final class ReferenceExecutable implements Executable {
  private final Program program;
  private final HostMemory memory;
  private final HostSteps steps;

  ReferenceExecutable(Program program, Weights weights, HostStates states) {
    this.program = program;
    this.steps = new HostSteps(program, states);
    this.memory = new HostMemory(program, weights, MemorySource.ARENA);
    try {
      ReferenceKernels.setup(program, memory);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    steps.begin(step);
    for (Launch launch : program.steps()) {
      long start = System.nanoTime();
      ReferenceKernels.run(launch, memory, step);
      observer.ran(launch, Service.REFERENCE, System.nanoTime() - start);
    }
    steps.end(step);
  }

  @Override
  public List<Service> services() {
    return Collections.nCopies(program.steps().size(), Service.REFERENCE);
  }

  @Override
  public OutputRow row(String output, int row) {
    return memory.row(HostSteps.output(program, output), row);
  }

  @Override
  public void close() {
    memory.close();
  }
}
