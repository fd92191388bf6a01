package weft.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;
import weft.backend.Backend.Options;
import weft.backend.BackendException;
import weft.backend.KvType;
import weft.format.FormatException;
import weft.format.Loading;
import weft.input.SmallInput;
import weft.load.LoadException;
import weft.load.Phase;
import weft.load.Profile;
import weft.load.Profile.Choices;
import weft.load.Specialization;

/** Reads a profile from TOML; a key it does not know is an error that lists those it knows. */
public final class ProfileFile {
  private static final String BESIDE_THE_WEIGHTS = "weft.toml";
  private static final int LONGEST = 1 << 20;
  private static final Map<String, Phase> PHASES =
      Map.of("prefill", Phase.PREFILL, "decode", Phase.DECODE);

  private final Path file;

  private ProfileFile(Path file) {
    this.file = file;
  }

  /** The profile that was named, else the one beside the weights, else the standard one. */
  static Profile forModel(Path model, Optional<Path> named) {
    if (named.isPresent()) return read(named.get());
    var folder = Files.isDirectory(model) ? model : model.toAbsolutePath().getParent();
    var beside = folder == null ? model : folder.resolve(BESIDE_THE_WEIGHTS);
    return folder != null && Files.exists(beside) ? read(beside) : Profile.standard();
  }

  static Profile read(Path file) {
    try {
      return parse(file, SmallInput.text(file, SmallInput.file(file, LONGEST)));
    } catch (IOException e) {
      throw new CliException("no profile: " + e.getMessage(), e);
    }
  }

  /** The profile that a text says; {@code file} is where it comes from, for messages. */
  public static Profile parse(Path file, String toml) {
    try {
      return new ProfileFile(file).profile(new TomlMapper().readTree(toml));
    } catch (JacksonException e) {
      throw new CliException(file + " is not TOML: " + e.getOriginalMessage(), e);
    } catch (LoadException | BackendException e) {
      throw new CliException(file + ": " + e.getMessage(), e);
    }
  }

  private Profile profile(JsonNode root) {
    requireKnown("", root, List.of("threads", "kv", "load", "prefill", "decode"));
    var profile = Profile.standard();
    if (root.has("threads")) {
      profile = profile.withThreads(count("threads", root.get("threads"), Options.mostThreads()));
    }
    if (root.has("kv")) {
      var kv = text("kv", root.get("kv"));
      profile = profile.withKvType(of("kv", () -> KvType.named(kv)));
    }
    if (root.has("load")) {
      var way = text("load", root.get("load"));
      profile = profile.withLoading(of("load", () -> Loading.named(way)));
    }
    for (var name : List.of("prefill", "decode")) {
      if (!root.has(name)) continue;
      var phase = PHASES.get(name);
      var standard = profile.phases().get(phase);
      var choices = of(name, () -> choices(name, root.get(name), standard));
      profile = profile.with(phase, choices);
    }
    return profile;
  }

  /** What a key makes; what is refused there is said with the key. */
  private <T> T of(String key, Supplier<T> made) {
    try {
      return made.get();
    } catch (LoadException | BackendException | FormatException e) {
      throw new CliException("%s: %s: %s".formatted(file, key, e.getMessage()), e);
    }
  }

  private Choices choices(String key, JsonNode table, Choices standard) {
    if (!table.isObject()) throw wrong(key, table, "a table: [" + key + "]");
    requireKnown(
        key + ".",
        table,
        List.of("specialization", "capacity", "smallest", "largest", "fusions", "dispatch"));
    return new Choices(
        specialization(key, table, standard.specialization()),
        withoutFusions(key + ".fusions", table.path("fusions")),
        forcedToReference(key + ".dispatch", table.path("dispatch")));
  }

  private Specialization specialization(String key, JsonNode table, Specialization standard) {
    var chosen =
        table.has("specialization")
            ? Specialization.named(text(key + ".specialization", table.get("specialization")))
            : standard;
    return switch (chosen) {
      case Specialization.Exact(int capacity) -> {
        requireAbsent(key, table, List.of("buckets"), "smallest", "largest");
        yield new Specialization.Exact(
            number(key, table, "capacity", capacity, Specialization.MOST_PROGRAMS));
      }
      case Specialization.Buckets(int min, int max, int capacity) -> {
        yield new Specialization.Buckets(
            number(key, table, "smallest", min, Specialization.Buckets.LARGEST_STEP),
            number(key, table, "largest", max, Specialization.Buckets.LARGEST_STEP),
            number(key, table, "capacity", capacity, Specialization.MOST_PROGRAMS));
      }
      case Specialization.Symbolic symbolic -> {
        requireAbsent(key, table, List.of("exact", "buckets"), "capacity");
        requireAbsent(key, table, List.of("buckets"), "smallest", "largest");
        yield symbolic;
      }
    };
  }

  /** A parameter of a specialization that was not chosen would do nothing, so it is an error. */
  private void requireAbsent(String table, JsonNode node, List<String> owners, String... keys) {
    for (var key : keys) {
      if (node.has(key)) {
        throw new CliException(
            "%s: %s.%s belongs to specialization = \"%s\", which is not chosen"
                .formatted(file, table, key, String.join("\" or \"", owners)));
      }
    }
  }

  private Set<String> withoutFusions(String key, JsonNode table) {
    var without = new HashSet<String>();
    for (var fusion : entries(key, table, "fusion names with true or false")) {
      if (!fusion.getValue().isBoolean()) {
        throw wrong(key + "." + fusion.getKey(), fusion.getValue(), "true or false");
      }
      if (!fusion.getValue().booleanValue()) without.add(fusion.getKey());
    }
    return without;
  }

  private Set<String> forcedToReference(String key, JsonNode table) {
    var forced = new HashSet<String>();
    for (var op : entries(key, table, "op names with \"native\" or \"reference\"")) {
      switch (text(key + "." + op.getKey(), op.getValue()).toLowerCase(Locale.ROOT)) {
        case "reference" -> forced.add(op.getKey());
        case "native" -> {}
        default ->
            throw wrong(key + "." + op.getKey(), op.getValue(), "\"native\" or \"reference\"");
      }
    }
    return forced;
  }

  private Set<Map.Entry<String, JsonNode>> entries(String key, JsonNode table, String expected) {
    if (table.isMissingNode()) return Set.of();
    if (!table.isObject()) throw wrong(key, table, "a table of " + expected);
    return table.properties();
  }

  private int number(String table, JsonNode node, String key, int otherwise, int most) {
    return node.has(key) ? count(table + "." + key, node.get(key), most) : otherwise;
  }

  private int count(String key, JsonNode value, int most) {
    if (value.isIntegralNumber() && value.canConvertToInt()) {
      int count = value.intValue();
      if (count >= 1 && count <= most) return count;
    }
    throw wrong(key, value, "a whole number of at least 1 and at most " + most);
  }

  private String text(String key, JsonNode value) {
    if (value.isString()) return value.stringValue();
    throw wrong(key, value, "a text in quotes");
  }

  private void requireKnown(String prefix, JsonNode table, List<String> known) {
    for (var key : table.propertyNames()) {
      if (!known.contains(key)) {
        throw new CliException(
            "%s: unknown key %s; known are %s".formatted(file, prefix + key, known));
      }
    }
  }

  private CliException wrong(String key, JsonNode met, String expected) {
    return new CliException("%s: %s is %s, expected %s".formatted(file, key, met, expected));
  }
}
