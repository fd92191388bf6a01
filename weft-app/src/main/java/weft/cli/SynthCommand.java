package weft.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weft.cli.synth.Mix;
import weft.cli.synth.Shape;
import weft.cli.synth.Shapes;
import weft.cli.synth.Synthesis;
import weft.cli.synth.TowerShape;
import weft.cli.synth.TowerSynthesis;

/** Writes a checkpoint with random weights. */
@Command(
    name = "synth",
    description =
        "Writes a checkpoint with random weights and the shape of a real one, for measurements.")
final class SynthCommand implements Callable<Integer> {
  /** Four times what the largest models have. */
  private static final int MOST_LAYERS = 512;

  private final Console console;

  @Option(
      names = "--shape",
      required = true,
      paramLabel = "NAME",
      description = "Whose shape, such as llama-3.2-1b; a wrong name lists all.")
  private String shapeName;

  @Option(
      names = "--type",
      required = true,
      paramLabel = "TYPE",
      description =
          "How matrices are stored, such as Q8_0, Q4_K_M, or Q4_K+Q8_0 for most and for those that"
              + " errors hurt most; a wrong name lists all.")
  private String typeName;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed gives the same bytes (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--layers",
      paramLabel = "N",
      description = "So many layers instead of the shape's own.")
  private @Nullable Integer layers;

  @Parameters(paramLabel = "OUT.gguf", description = "The file to write.")
  private Path out;

  SynthCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var tower = TowerShape.named(shapeName);
    return tower.isPresent() ? write(tower.get()) : write(shape());
  }

  private int write(TowerShape shape) throws IOException {
    var synthesis = new TowerSynthesis(layers().map(shape::withLayers).orElse(shape), mix(), seed);
    return write(synthesis.bytes(), synthesis::write);
  }

  private int write(Shape shape) throws IOException {
    var synthesis = new Synthesis(layers().map(shape::withLayers).orElse(shape), mix(), seed);
    return write(synthesis.bytes(), synthesis::write);
  }

  private int write(long total, BiConsumer<Path, LongConsumer> file) throws IOException {
    long start = System.nanoTime();
    requireRoom(total);
    try (var progress = new Progress(console)) {
      file.accept(
          out,
          done -> progress.accept("writing " + Units.bytes(done) + " of " + Units.bytes(total)));
    }
    console.say(
        String.format(
            Locale.ROOT,
            "wrote %s of tensors to %s in %.1f s",
            Units.bytes(total),
            out,
            (System.nanoTime() - start) / 1e9));
    return 0;
  }

  /** Said at once; that others fill the disk meanwhile is said by whoever writes. */
  private void requireRoom(long bytes) throws IOException {
    var folder = out.toAbsolutePath().getParent();
    if (folder == null) return; // the root is a folder, as writing it will say
    if (!Files.isDirectory(folder)) throw new UsageException(folder + " is not a folder");
    long free = Files.getFileStore(folder).getUsableSpace();
    if (bytes > free) {
      throw new CliException(
          "%s would take %s, and its disk has %s left"
              .formatted(out, Units.bytes(bytes), Units.bytes(free)));
    }
  }

  private Shape shape() {
    return Shapes.named(shapeName)
        .orElseThrow(
            () ->
                new UsageException(
                    "no shape is called %s; there are %s, and of vision towers %s"
                        .formatted(shapeName, Shapes.names(), TowerShape.names())));
  }

  private Optional<Integer> layers() {
    if (layers == null) return Optional.empty();
    Ranges.require("--layers", layers, 1, MOST_LAYERS);
    return Optional.of(layers);
  }

  private Mix mix() {
    return Mix.named(typeName.toUpperCase(Locale.ROOT))
        .orElseThrow(
            () ->
                new UsageException("no type is called " + typeName + "; there are " + Mix.names()));
  }
}
