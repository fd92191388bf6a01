package weft.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.cpu.asm.CpuFeatures;
import weft.cpu.asm.Host;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.portable.VectorApi;

/** The CPU: as many workers as asked for, with emitted kernels where they run, else vector ones. */
public final class CpuBackend implements Backend {
  /** The instruction set's name for the vector kernels that run on any JVM platform. */
  private static final String PORTABLE = "portable";

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public List<String> instructionSets() {
    var levels = Arrays.stream(Isa.values()).map(Isa::spelling);
    return Stream.concat(levels, Stream.of(PORTABLE)).toList();
  }

  @Override
  public Device open(Options options) {
    options.requireOnlyDevice(name());
    var library = Refusal.declared(() -> library(options.isa()));
    if (library.isEmpty() && !VectorApi.isPresent()) {
      throw new BackendException(
          "the portable kernels need the JDK's vector module: start java with "
              + VectorApi.FLAG
              + ", or use --backend reference");
    }
    return Refusal.declared(() -> new CpuDevice(options, library));
  }

  /**
   * The kernels of the level asked for, or of the best; none where the portable ones must serve.
   */
  private Optional<KernelLibrary> library(String isa) {
    return switch (isa) {
      case PORTABLE -> Optional.empty();
      case Options.AUTO ->
          switch (Host.probe()) {
            case Host.Emits(_, var best) -> Optional.of(KernelLibrary.open(best));
            // The device's name, which every report shows, says that the portable kernels serve.
            case Host.Refuses _ -> Optional.empty();
          };
      default -> Optional.of(KernelLibrary.open(CpuFeatures.detect().require(level(isa))));
    };
  }

  private Isa level(String name) {
    return Isa.named(name)
        .orElseThrow(
            () ->
                new BackendException(
                    "no instruction set is called "
                        + name
                        + "; there are "
                        + String.join(", ", instructionSets())
                        + ", "
                        + Options.AUTO));
  }
}
