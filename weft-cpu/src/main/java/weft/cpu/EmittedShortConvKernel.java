package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import weft.backend.Step;
import weft.cpu.kernel.CallList;
import weft.cpu.kernel.Kernel;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.ShortConvArguments;

/** A causal depthwise convolution by emitted code. */
final class EmittedShortConvKernel implements EmittedKernel {
  private final ShortConvKernel portable;
  private final Kernel kernel;
  private final MemorySegment weights;

  private EmittedShortConvKernel(ShortConvKernel portable, Kernel kernel, MemorySegment weights) {
    this.portable = portable;
    this.kernel = kernel;
    this.weights = weights;
  }

  /** The emitted form of a convolution, where its taps fit. */
  static Optional<BoundKernel> of(
      KernelLibrary library, ShortConvKernel portable, SharedScratch scratch) {
    return library
        .shortConv(portable.slot().taps())
        .map(k -> new EmittedShortConvKernel(portable, k, scratch.constant(portable.byTap())));
  }

  @Override
  public void record(Step step, CallList calls) {
    var x = portable.x();
    var result = portable.result();
    var arguments =
        new ShortConvArguments(
            x.memory().asSlice(x.at(0, 0)),
            x.rowBytes(),
            weights,
            portable.slot().channels(),
            RecurrentParts.table(portable.slot(), step, calls),
            result.memory().asSlice(result.at(0, 0)),
            result.rowBytes());
    var block = calls.arguments(ShortConvArguments.BYTES);
    arguments.write(block);
    calls.call(kernel, block, arguments.units(step.parts().size()));
  }

  @Override
  public Change follows() {
    return Change.SEQUENCES;
  }

  @Override
  public String name() {
    return kernel.name();
  }
}
