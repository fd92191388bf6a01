package weft.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
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

  private final Supplier<Host> host;

  public CpuBackend() {
    this(Host::probe);
  }

  /** On a machine that says so of itself. */
  CpuBackend(Supplier<Host> host) {
    this.host = host;
  }

  /** The kernels to serve, none where portable ones must; and why they are not the best. */
  private record Kernels(Optional<KernelLibrary> library, List<String> remarks) {
    static Kernels of(Isa level) {
      return new Kernels(Optional.of(KernelLibrary.open(level)), List.of());
    }

    static Kernels portable(String... remarks) {
      return new Kernels(Optional.empty(), List.of(remarks));
    }
  }

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
    var kernels = Refusal.declared(() -> kernels(options.isa()));
    if (kernels.library.isEmpty() && !VectorApi.isPresent()) {
      throw new BackendException(
          String.join("", kernels.remarks.stream().map(remark -> remark + "; ").toList())
              + "the portable kernels need the JDK's vector module: start java with "
              + VectorApi.FLAG
              + ", or use --backend reference");
    }
    return Refusal.declared(() -> new CpuDevice(options, kernels.library, kernels.remarks));
  }

  /** The kernels of the level asked for, or of the best. */
  private Kernels kernels(String isa) {
    return switch (isa) {
      case PORTABLE -> Kernels.portable();
      case Options.AUTO ->
          switch (host.get()) {
            case Host.Emits(_, var best) -> Kernels.of(best);
            case Host.Refuses(var why) ->
                Kernels.portable(
                    "machine code of weft's own does not run here (%s), so portable kernels do"
                        .formatted(why));
          };
      default -> Kernels.of(CpuFeatures.detect().require(level(isa)));
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
