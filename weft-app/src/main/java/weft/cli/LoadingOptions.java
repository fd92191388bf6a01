package weft.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import weft.backend.Backend;
import weft.experts.ExpertMemory;
import weft.format.Config;
import weft.format.Loading;
import weft.load.Backends;
import weft.load.LoadOptions;

/** How models are loaded: the device, how they are compiled, how their weights are had. */
final class LoadingOptions {
  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description =
          "cpu, cuda or reference (default: cuda where there is such a GPU, else cpu; what is chosen"
              + " of threads, experts or instructions is the CPU's).")
  private @Nullable String backend;

  @Option(
      names = "--devices",
      paramLabel = "N[,N...]",
      split = ",",
      description =
          "Devices of the backend, counted from 0; several run the model together, each its share of"
              + " heads and rows, and one that is named twice is two of them (default: 0).")
  private List<Integer> devices = List.of();

  @Option(
      names = "--sync-launches",
      description =
          "Wait after each launch on a GPU, so that a fault names its kernel (slow; for finding"
              + " faults).")
  private boolean isAwaitingLaunches;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Worker threads (default: the profile's, else every core, or one where that is quicker).")
  private @Nullable Integer threads;

  @Option(
      names = "--isa",
      paramLabel = "NAME",
      description =
          "Instruction set of the kernels: avx2, avx512, vnni, amx or portable (default: the best one).")
  private @Nullable String isa;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description = "Settings for compiling and running (default: weft.toml beside the weights).")
  private @Nullable Path profile;

  @Option(
      names = "--context",
      paramLabel = "N",
      description = "Longest text in tokens (default: what the model was made for).")
  private @Nullable Integer context;

  @Option(
      names = "--aot-cache",
      paramLabel = "DIR",
      description =
          "Keep compiled programs, and what a GPU's driver made of them, in this folder and start"
              + " from them next time.")
  private @Nullable Path programCache;

  @Option(
      names = "--load",
      paramLabel = "WAY",
      description =
          "How the weights are had: map, copy to memory of its own, or lock in memory (default: the"
              + " profile's, else map).")
  private @Nullable String loading;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Read the configuration from this JSON: in the place of config.json, or as keys that go"
              + " over a GGUF's own (default: what is with the weights).")
  private @Nullable Path config;

  @Option(
      names = "--dequantize",
      paramLabel = "TYPE",
      description =
          "Expand the weights to f32 or bf16 when loading, to see what a quantization does"
              + " (default: they stay packed).")
  private @Nullable String dequantized;

  @Option(
      names = "--warm",
      description = "Read all weights and run each program once before anything else.")
  private boolean isWarmed;

  @Option(
      names = "--expert-memory",
      paramLabel = "SIZE",
      description =
          "Memory for experts of a mixture, such as 4G, or experts a layer, such as 64/layer: others"
              + " are read from the file when they are wanted (default: all are mapped).")
  private @Nullable String experts;

  @Option(
      names = "--mmproj",
      paramLabel = "FILE",
      description =
          "The model's vision tower, a GGUF file (default: the one in the model's folder, or the"
              + " mmproj*.gguf beside its file that fits it).")
  private @Nullable Path tower;

  LoadingOptions() {}

  /** What was chosen, for a model at a path. */
  LoadOptions options(Path path) {
    var options = LoadOptions.standard();
    if (backend != null) options = options.withBackend(backend);
    if (!devices.isEmpty()) options = options.withDevices(devices);
    if (isAwaitingLaunches) options = options.awaitingLaunches();
    options = options.withProfile(ProfileFile.forModel(path, Optional.ofNullable(profile)));
    if (threads != null) options = options.withThreads(threads);
    if (isa != null) options = options.withIsa(isa);
    if (context != null) options = options.withContextLength(context);
    if (programCache != null) options = options.withProgramCache(programCache);
    if (loading != null) options = options.withLoading(Loading.named(loading));
    if (config != null) options = options.withConfig(new Config.File(config));
    if (dequantized != null) options = options.withDequantized(dequantized);
    if (isWarmed) options = options.warmed();
    if (tower != null) options = options.withTower(tower);
    if (experts != null) {
      options = options.withExperts(ExpertMemory.of(Sizes.experts("--expert-memory", experts)));
    }
    return options;
  }

  /** Wrong usage is said before a model is looked for. */
  void requireRight() {
    if (threads != null) Ranges.require("--threads", threads, 1, Backend.Options.mostThreads());
    Ranges.require("--devices", devices, 0, LoadOptions.LAST_DEVICE);
    if (devices.size() > LoadOptions.MOST_DEVICES) {
      throw new UsageException(
          "--devices takes at most %d, got %d".formatted(LoadOptions.MOST_DEVICES, devices.size()));
    }
    if (context != null) Ranges.require("--context", context, 1, LoadOptions.LONGEST_CONTEXT);
    if (backend != null) {
      Ranges.requireOneOf("--backend", "backend", backend, Backends.names());
    }
    if (isa != null)
      Ranges.requireOneOf("--isa", "instruction set", isa, Backends.instructionSets());
    if (loading != null) {
      Ranges.requireOneOf("--load", "way to load", loading, Loading.names());
    }
    if (dequantized != null) {
      Ranges.requireOneOf("--dequantize", "type", dequantized, LoadOptions.dequantizations());
    }
    if (config != null && config.toString().isEmpty()) {
      throw new UsageException("--config takes a file, got ''");
    }
    if (experts != null) Sizes.experts("--expert-memory", experts);
    if (programCache != null && !isFolderOrFree(programCache)) {
      throw new UsageException("--aot-cache takes a folder, and '" + programCache + "' is none");
    }
  }

  private static boolean isFolderOrFree(Path path) {
    return !path.toString().isEmpty() && (Files.isDirectory(path) || !Files.exists(path));
  }
}
