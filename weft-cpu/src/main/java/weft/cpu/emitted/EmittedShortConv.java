package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import weft.backend.Step;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.recurrent.ShortConvArguments;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Change;
import weft.cpu.launch.Convolution;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.SharedScratch;

/** A causal depthwise convolution by emitted code. */
public final class EmittedShortConv implements EmittedLaunch {
  private final Convolution convolution;
  private final Kernel kernel;
  private final MemorySegment weights;

  private EmittedShortConv(Convolution convolution, Kernel kernel, MemorySegment weights) {
    this.convolution = convolution;
    this.kernel = kernel;
    this.weights = weights;
  }

  /** The emitted form of a convolution, where its taps fit. */
  public static Optional<BoundLaunch> of(
      KernelLibrary library, Convolution convolution, SharedScratch scratch) {
    return library
        .shortConv(convolution.slot().taps())
        .map(k -> new EmittedShortConv(convolution, k, scratch.constant(convolution.byTap())));
  }

  @Override
  public void record(Step step, CallList calls) {
    var x = convolution.x();
    var result = convolution.result();
    var arguments =
        new ShortConvArguments(
            x.memory().asSlice(x.at(0, 0)),
            x.rowBytes(),
            weights,
            convolution.slot().channels(),
            RecurrentParts.table(convolution.slot(), step, calls),
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
