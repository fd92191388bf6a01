package weft.bench;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import weft.backend.KvType;
import weft.bench.matrix.Case;
import weft.bench.matrix.Slice;

/**
 * What the command line of {@link Matrix} asks for.
 *
 * @param kv how keys and values are stored; empty for each way in turn, by chance
 * @param deadline on the clock of {@link System#nanoTime}
 * @param folder for checkpoints, each of which is deleted when it was played
 */
record MatrixOptions(
    List<String> shapes,
    List<String> types,
    SortedSet<Integer> teams,
    SortedSet<Integer> lengths,
    SortedSet<Integer> batches,
    String isa,
    Optional<KvType> kv,
    long deadline,
    long seed,
    Path folder) {
  private static final int MOST_TEAM = 16;

  static final String HELP =
      """
      Usage: weft-bench/matrix [OPTIONS]
      Plays slices of real models to teams of every size and compares them with one thread, in any
      order, until all is played or the time is over. A finding is printed with the options that
      repeat it. Exit status: 0 all agreed, 1 something did not, 2 wrong usage.
            --shapes A,B    Shapes as `weft synth` knows them (default: a slice of each kind of
                            layer with real widths; and tiny ones, with prompts of every length).
            --types A,B     How matrices are stored (default: every encoding, and mixtures).
            --threads 1-16  Sizes of teams: numbers and ranges (default: 1-16).
            --lengths 1,16  Rows of a prompt or a batch (default: around every power of two, and
                            what the code itself names as thresholds).
            --batches 1,8   Sequences at a time (default: 1,2,3,4,7,8,9,16,17,33).
            --isa NAME      As for weft (default: auto).
            --kv TYPE       How keys and values are stored: f32, f16 or q8_0 (default: by chance).
            --minutes N     Stop after so long (default: when all is played, which takes many hours).
            --seed N        Of weights, texts and order (default: the day).
            --work FOLDER   For checkpoints; up to 10 GB, less by --types (default: target/matrix).
        -h, --help          Show this help.
      """;

  static MatrixOptions of(String... arguments) {
    var options = new Parsing(arguments);
    var chosen =
        new MatrixOptions(
            options.names("--shapes", Stream.concat(Slice.SHAPES.stream(), Slice.NARROW.stream())),
            options.names("--types", Slice.types().stream()),
            options.numbers("--threads", range(1, MOST_TEAM)),
            options.numbers("--lengths", Case.LENGTHS),
            options.numbers("--batches", Case.BATCHES),
            options.text("--isa").orElse("auto"),
            options.text("--kv").map(MatrixOptions::kvType),
            options
                .text("--minutes")
                .map(text -> System.nanoTime() + TimeUnit.MINUTES.toNanos(number(text)))
                .orElse(Long.MAX_VALUE),
            options.text("--seed").map(MatrixOptions::seed).orElse(LocalDate.now().toEpochDay()),
            Path.of(options.text("--work").orElse("weft-bench/target/matrix")));
    options.requireAllTaken();
    for (var shape : chosen.shapes) {
      for (var type : chosen.types) {
        if (Slice.named(shape, type).isEmpty()) {
          throw new IllegalArgumentException("there is no " + shape + " of type " + type);
        }
      }
    }
    return chosen;
  }

  private static KvType kvType(String name) {
    return Arrays.stream(KvType.values())
        .filter(type -> type.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no --kv is called " + name));
  }

  private static int number(String text) {
    if (!text.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException("'" + text + "' is no number from 1 to 999999");
    }
    return Integer.parseInt(text);
  }

  private static long seed(String text) {
    if (!text.matches("-?[0-9]{1,18}")) {
      throw new IllegalArgumentException("'" + text + "' is no --seed: a number is wanted");
    }
    return Long.parseLong(text);
  }

  private static SortedSet<Integer> range(int from, int to) {
    var numbers = new TreeSet<Integer>();
    for (int i = from; i <= to; i++) numbers.add(i);
    return numbers;
  }

  /** What makes the same trials in the same order. */
  String repeating() {
    return String.format(
        Locale.ROOT, "--seed %d repeats this; teams of up to %d threads", seed, teams.last());
  }

  /** Arguments of the form {@code --name value} or {@code --name=value}, the last of which wins. */
  private static final class Parsing {
    private final Map<String, String> values = new TreeMap<>();

    Parsing(String... arguments) {
      for (int i = 0; i < arguments.length; i++) {
        var parts = arguments[i].split("=", 2);
        if (parts.length == 1 && i + 1 == arguments.length) {
          throw new IllegalArgumentException(parts[0] + " wants a value");
        }
        values.put(parts[0], parts.length == 2 ? parts[1] : arguments[++i]);
      }
    }

    Optional<String> text(String name) {
      return Optional.ofNullable(values.remove(name));
    }

    List<String> names(String name, Stream<String> usual) {
      return text(name).map(text -> List.of(text.split(","))).orElseGet(usual::toList);
    }

    SortedSet<Integer> numbers(String name, SortedSet<Integer> usual) {
      return text(name).map(Parsing::numbers).orElse(usual);
    }

    private static SortedSet<Integer> numbers(String text) {
      var numbers = new TreeSet<Integer>();
      for (var part : text.split(",")) {
        var ends = part.split("-", 2);
        numbers.addAll(range(number(ends[0]), number(ends[ends.length - 1])));
      }
      if (numbers.isEmpty()) throw new IllegalArgumentException("'" + text + "' is empty");
      return numbers;
    }

    void requireAllTaken() {
      if (!values.isEmpty()) {
        throw new IllegalArgumentException("no option is called " + values.keySet());
      }
    }
  }
}
