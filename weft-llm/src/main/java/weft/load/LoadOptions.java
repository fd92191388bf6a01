package weft.load;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import weft.backend.Backend;
import weft.experts.ExpertMemory;
import weft.format.Config;
import weft.format.Loading;
import weft.generate.Capacity;
import weft.quant.Encoding;
import weft.quant.Encodings;

/**
 * What a caller may choose when loading: the device, the profile, where compiled programs are kept,
 * how long a text may become, what memory texts may take, how the tensors are had and how many
 * experts of them, how many replies are made at once, and who hears warnings and progress. A value,
 * made by {@link #standard} and the {@code with} methods; safe for all threads.
 */
public final class LoadOptions {
  /** Longer than any text that a model was made for. */
  public static final int LONGEST_CONTEXT = 1 << 24;

  /** The number of no device that there is. */
  public static final int LAST_DEVICE = 255;

  /** More devices than machines have. */
  public static final int MOST_DEVICES = 16;

  private static final LoadOptions STANDARD = new LoadOptions(new Choices());

  private final Choices chosen;

  private LoadOptions(Choices chosen) {
    this.chosen = chosen;
  }

  /** The options while one of them is changed; nobody sees them but a copy. */
  private static final class Choices {
    private Optional<String> backend = Optional.empty();
    private boolean isAwaitingLaunches;
    private List<Integer> devices = List.of(0);
    private String isa = Backend.Options.AUTO;
    private OptionalInt threads = OptionalInt.empty();
    private Profile profile = Profile.standard();
    private Optional<Path> programCache = Optional.empty();
    private OptionalInt contextLength = OptionalInt.empty();
    private OptionalLong stateMemory = OptionalLong.empty();
    private Optional<Loading> loading = Optional.empty();
    private Config config = new Config.Embedded();
    private Optional<Encoding> dequantized = Optional.empty();
    private boolean isWarmed;
    private boolean isLooking;
    private Optional<ExpertMemory> experts = Optional.empty();
    private Capacity capacity = Capacity.standard();
    private Drafts drafts = Drafts.NONE;
    private Optional<Path> draftModel = Optional.empty();
    private Optional<Path> tower = Optional.empty();
    private Consumer<String> warnings = Warnings::log;
    private Consumer<String> progress = progress -> {};

    private Choices copy() {
      var copy = new Choices();
      copy.backend = backend;
      copy.isAwaitingLaunches = isAwaitingLaunches;
      copy.devices = devices;
      copy.isa = isa;
      copy.threads = threads;
      copy.profile = profile;
      copy.programCache = programCache;
      copy.contextLength = contextLength;
      copy.stateMemory = stateMemory;
      copy.loading = loading;
      copy.config = config;
      copy.dequantized = dequantized;
      copy.isWarmed = isWarmed;
      copy.isLooking = isLooking;
      copy.experts = experts;
      copy.capacity = capacity;
      copy.drafts = drafts;
      copy.draftModel = draftModel;
      copy.tower = tower;
      copy.warnings = warnings;
      copy.progress = progress;
      return copy;
    }
  }

  private LoadOptions with(Consumer<Choices> change) {
    var copy = chosen.copy();
    change.accept(copy);
    return new LoadOptions(copy);
  }

  /**
   * The machine's best device (a GPU where a backend has one to offer, else the CPU with the cores
   * it wants), the context that the model was made for, mapped weights; warnings go to the system
   * logger {@code weft}, progress to nobody.
   */
  public static LoadOptions standard() {
    return STANDARD;
  }

  /** The kind of device, by its backend's name: one of {@link Backends#names}. */
  public LoadOptions withBackend(String name) {
    Objects.requireNonNull(name, "name");
    return with(choices -> choices.backend = Optional.of(name));
  }

  /** A device that is told of launches waits after each, so that a fault names its own. */
  public LoadOptions awaitingLaunches() {
    return with(choices -> choices.isAwaitingLaunches = true);
  }

  /** Which of the backend's devices, counted from 0, where it has several. */
  public LoadOptions withDevice(int ordinal) {
    return withDevices(List.of(ordinal));
  }

  /**
   * Which of the backend's devices run the model together, each its share of heads and rows, as the
   * members of a mesh; one that is named twice is two of them.
   */
  public LoadOptions withDevices(List<Integer> ordinals) {
    if (ordinals.isEmpty() || ordinals.size() > MOST_DEVICES) {
      throw new LoadException(
          "a model runs on 1 to %d devices, but %d are named"
              .formatted(MOST_DEVICES, ordinals.size()));
    }
    // Refused here, where they are given.
    ordinals.forEach(Backend.Options.standard()::withOrdinal);
    return with(choices -> choices.devices = List.copyOf(ordinals));
  }

  /** The instruction set of the kernels: one of {@link Backends#instructionSets}. */
  public LoadOptions withIsa(String name) {
    Objects.requireNonNull(name, "name");
    return with(choices -> choices.isa = name);
  }

  /** How many threads do a step together. */
  public LoadOptions withThreads(int count) {
    Backend.Options.requireThreads(count);
    return with(choices -> choices.threads = OptionalInt.of(count));
  }

  /** How the model is compiled. */
  public LoadOptions withProfile(Profile profile) {
    Objects.requireNonNull(profile, "profile");
    return with(choices -> choices.profile = profile);
  }

  /** Keeps compiled programs in a folder and starts from them next time. */
  public LoadOptions withProgramCache(Path folder) {
    if (folder.toString().isEmpty()) {
      throw new LoadException("the folder for compiled programs has no name");
    }
    return with(choices -> choices.programCache = Optional.of(folder));
  }

  /** The longest text in tokens, prompt and reply together. */
  public LoadOptions withContextLength(int tokens) {
    if (tokens < 1) throw new LoadException("a context holds at least 1 token, got " + tokens);
    if (tokens > LONGEST_CONTEXT) {
      throw new LoadException(
          "a context holds at most " + LONGEST_CONTEXT + " tokens, got " + tokens);
    }
    return with(choices -> choices.contextLength = OptionalInt.of(tokens));
  }

  /**
   * The most bytes that the keys and values of all texts take together. A reply that needs more
   * waits until others have ended; one that could not be made alone is refused, and one that grows
   * to that length ends there.
   */
  public LoadOptions withStateMemory(long bytes) {
    if (bytes < 1) throw new LoadException("texts take at least 1 byte of memory, got " + bytes);
    return with(choices -> choices.stateMemory = OptionalLong.of(bytes));
  }

  /** How the tensors are had; where nothing is said, the profile's way, else mapped. */
  public LoadOptions withLoading(Loading way) {
    Objects.requireNonNull(way, "way");
    return with(choices -> choices.loading = Optional.of(way));
  }

  /** Where the configuration is read, where not with the weights. */
  public LoadOptions withConfig(Config config) {
    Objects.requireNonNull(config, "config");
    return with(choices -> choices.config = config);
  }

  /**
   * Decodes the weights to one of {@link #dequantizations} when loading, in memory of its own: for
   * those who look for what a quantization or its kernels do.
   */
  public LoadOptions withDequantized(String encoding) {
    var name = encoding.toUpperCase(Locale.ROOT);
    if (!dequantizations().contains(name.toLowerCase(Locale.ROOT))) {
      throw new LoadException(
          "weights are dequantized to one of " + dequantizations() + ", got " + encoding);
    }
    return with(choices -> choices.dequantized = Encodings.byName(name));
  }

  /** What {@link #withDequantized} takes. */
  public static List<String> dequantizations() {
    return List.of("f32", "bf16");
  }

  /** The same without what would read weights: for those who only look. */
  LoadOptions looking() {
    return with(
        choices -> {
          choices.loading = Optional.of(Loading.MAP);
          choices.isWarmed = false;
          choices.isLooking = true;
        });
  }

  /** Reads all weights and runs every program once before the model is there. */
  public LoadOptions warmed() {
    return with(choices -> choices.isWarmed = true);
  }

  /**
   * How many experts of a mixture are kept in memory; the others are read from the file when a step
   * wants them. Where nothing is said all of them are used where they are mapped.
   */
  public LoadOptions withExperts(ExpertMemory memory) {
    Objects.requireNonNull(memory, "memory");
    return with(choices -> choices.experts = Optional.of(memory));
  }

  /** How many replies are made at once. */
  public LoadOptions withCapacity(Capacity capacity) {
    Objects.requireNonNull(capacity, "capacity");
    return with(choices -> choices.capacity = capacity);
  }

  /** Who guesses ahead for replies whose request does not say it. */
  public LoadOptions withDrafts(Drafts drafts) {
    Objects.requireNonNull(drafts, "drafts");
    return with(choices -> choices.drafts = drafts);
  }

  /** A smaller model of the same vocabulary that can guess ahead; loaded and closed with this. */
  public LoadOptions withDraftModel(Path path) {
    Objects.requireNonNull(path, "path");
    return with(choices -> choices.draftModel = Optional.of(path));
  }

  /**
   * The file of a vision tower ({@code mmproj}); where nothing is said, the one in a folder of
   * safetensors, or the one {@code mmproj*.gguf} beside a GGUF file that fits it.
   */
  public LoadOptions withTower(Path path) {
    Objects.requireNonNull(path, "path");
    return with(choices -> choices.tower = Optional.of(path));
  }

  /** Who hears what the user of a model should know, and what it is doing; from any thread. */
  public LoadOptions withListeners(Consumer<String> onWarning, Consumer<String> onProgress) {
    Objects.requireNonNull(onWarning, "onWarning");
    Objects.requireNonNull(onProgress, "onProgress");
    return with(
        choices -> {
          choices.warnings = onWarning;
          choices.progress = onProgress;
        });
  }

  public String backend() {
    return chosen.backend.orElseGet(this::preferred);
  }

  /** The machine's best; who chooses something of the CPU means the CPU. */
  private String preferred() {
    boolean meansCpu =
        !chosen.isa.equals(Backend.Options.AUTO)
            || chosen.threads.isPresent()
            || chosen.experts.isPresent();
    return meansCpu ? Backends.CPU : Backends.preferred();
  }

  /** Whether a device waits after each launch. */
  public boolean isAwaitingLaunches() {
    return chosen.isAwaitingLaunches;
  }

  public List<Integer> devices() {
    return chosen.devices;
  }

  public String isa() {
    return chosen.isa;
  }

  public OptionalInt threads() {
    return chosen.threads;
  }

  public Profile profile() {
    return chosen.profile;
  }

  public Optional<Path> programCache() {
    return chosen.programCache;
  }

  public OptionalLong stateMemory() {
    return chosen.stateMemory;
  }

  public OptionalInt contextLength() {
    return chosen.contextLength;
  }

  public Optional<Loading> loading() {
    return chosen.loading;
  }

  public Config config() {
    return chosen.config;
  }

  /** What weights are decoded to; empty where they stay packed. */
  public Optional<Encoding> dequantized() {
    return chosen.dequantized;
  }

  public boolean isWarmed() {
    return chosen.isWarmed;
  }

  /** Whether the model is only looked at, so that it need not fit. */
  boolean isLooking() {
    return chosen.isLooking;
  }

  public Optional<ExpertMemory> experts() {
    return chosen.experts;
  }

  public Capacity capacity() {
    return chosen.capacity;
  }

  /** Those for the draft model: what is said of a file is said of the model's own. */
  LoadOptions ofDraftModel() {
    return with(
        choices -> {
          choices.profile = Profile.standard();
          // Small, and quick on one.
          choices.devices = List.of(choices.devices.getFirst());
          choices.config = new Config.Embedded();
          choices.dequantized = Optional.empty();
          choices.drafts = Drafts.NONE;
          choices.draftModel = Optional.empty();
          choices.tower = Optional.empty();
        });
  }

  /** Those for the file of a vision tower. */
  LoadOptions ofTower() {
    return with(
        choices -> {
          choices.config = new Config.Embedded();
          choices.dequantized = Optional.empty();
          choices.experts = Optional.empty();
        });
  }

  /** The file of a vision tower; empty where it is to be found. */
  public Optional<Path> tower() {
    return chosen.tower;
  }

  public Drafts drafts() {
    return chosen.drafts;
  }

  public Optional<Path> draftModel() {
    return chosen.draftModel;
  }

  public Consumer<String> warnings() {
    return chosen.warnings;
  }

  public Consumer<String> progress() {
    return chosen.progress;
  }
}
