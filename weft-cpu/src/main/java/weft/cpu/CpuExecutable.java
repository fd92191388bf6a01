package weft.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import weft.backend.Executable;
import weft.backend.HostMemory;
import weft.backend.HostSteps;
import weft.backend.KvType;
import weft.backend.ReferenceKernels;
import weft.backend.Service;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.kernel.KernelLibrary;
import weft.lir.Launch;
import weft.lir.Program;

/**
 * A program bound to kernels; every worker walks the whole list and meets the others after each.
 */
final class CpuExecutable implements Executable {
  private final Program program;
  private final HostMemory memory;
  private final Workers workers;
  private final List<BoundKernel> kernels = new ArrayList<>();
  private final RopeTables ropes = new RopeTables();
  private final SharedScratch scratch = new SharedScratch();

  CpuExecutable(
      Program program,
      Weights weights,
      Workers workers,
      Optional<KernelLibrary> library,
      KvType kvType,
      Predicate<Launch> vectorized) {
    this.program = program;
    this.memory = new HostMemory(program, weights);
    this.workers = workers;
    ReferenceKernels.setup(program, memory);
    var binding = new Kernels(memory, ropes, library, scratch, kvType, workers.count());
    for (var launch : program.steps()) {
      kernels.add(vectorized.test(launch) ? binding.bind(launch) : binding.reference(launch));
    }
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    HostSteps.begin(program, step);
    ropes.begin(step);
    for (var kernel : kernels) kernel.begin(step);
    workers.run(worker -> walk(step, worker, observer));
    HostSteps.end(step);
  }

  private void walk(Step step, Worker worker, Observer observer) {
    boolean isObserved = worker.index() == 0 && observer != Observer.NONE;
    for (int i = 0; i < kernels.size(); i++) {
      var kernel = kernels.get(i);
      long start = isObserved ? System.nanoTime() : 0;
      for (int phase = 0; phase < kernel.phases(); phase++) {
        kernel.run(step, phase, worker);
        workers.meet();
      }
      if (isObserved)
        observer.ran(program.steps().get(i), kernel.service(), System.nanoTime() - start);
    }
  }

  @Override
  public List<Service> services() {
    return kernels.stream().map(BoundKernel::service).toList();
  }

  @Override
  public void read(String output, int row, float[] to) {
    memory.readRow(HostSteps.output(program, output), row, to);
  }

  @Override
  public void close() {
    memory.close();
    scratch.close();
  }
}
