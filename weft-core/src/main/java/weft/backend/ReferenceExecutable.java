package weft.backend;

import java.util.Collections;
import java.util.List;
import weft.lir.Launch;
import weft.lir.Program;

/** Runs a program launch by launch with {@link ReferenceKernels}; owns its buffers. */
final class ReferenceExecutable implements Executable {
  private final Program program;
  private final HostMemory memory;

  ReferenceExecutable(Program program, Weights weights) {
    this.program = program;
    this.memory = new HostMemory(program, weights, MemorySource.ARENA);
    ReferenceKernels.setup(program, memory);
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    HostSteps.begin(program, step);
    for (Launch launch : program.steps()) {
      long start = System.nanoTime();
      ReferenceKernels.run(launch, memory, step);
      observer.ran(launch, Service.REFERENCE, System.nanoTime() - start);
    }
    HostSteps.end(step);
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
