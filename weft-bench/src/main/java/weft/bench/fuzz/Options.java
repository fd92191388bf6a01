package weft.bench.fuzz;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the command line asks for. */
record Options(
    double minutes,
    List<String> targets,
    int threads,
    long seed,
    Path work,
    Path corpus,
    Optional<Path> reproduce,
    Optional<Integer> worker,
    long until) {
  static final String USAGE =
      """
      weft-bench/fuzz [--minutes N] [--targets A,B] [--threads N] [--seed S] [--corpus DIR] [--work DIR]
      weft-bench/fuzz --reproduce FILE [--targets A]
      weft-bench/fuzz --list

        --minutes N       how long to run, 1 unless told; fractions are fine
        --targets A,B     only these; --list names them. A name with a dot is a class of your own
        --threads N       workers, each a process with one thread; as many as cores unless told
        --seed S          draws the same again, as far as workers do not exchange inputs
        --corpus DIR      inputs that reached something new, target/fuzz/corpus unless told; it grows
        --work DIR        findings and everything else, target/fuzz unless told
        --reproduce FILE  runs one input and says what happens
        --list            the targets

      Exits with 1 when there are findings: each is a file in WORK/findings with its story beside it.
      """;

  /** Reads arguments; one that is not known is an {@link IllegalArgumentException}. */
  static Options of(List<String> arguments) {
    double minutes = 1;
    List<String> targets = List.of();
    int threads = Runtime.getRuntime().availableProcessors();
    long seed = System.nanoTime();
    Path work = Path.of("target", "fuzz");
    Optional<Path> corpus = Optional.empty();
    Optional<Path> reproduce = Optional.empty();
    Optional<Integer> worker = Optional.empty();
    long until = Long.MAX_VALUE;
    for (var rest = arguments.iterator(); rest.hasNext(); ) {
      var option = rest.next();
      int equals = option.indexOf('=');
      var name = equals < 0 ? option : option.substring(0, equals);
      if (equals < 0 && !rest.hasNext()) throw wrong(option + " has no value, or is not known");
      var value = equals < 0 ? rest.next() : option.substring(equals + 1);
      switch (name) {
        case "--minutes" -> minutes = Double.parseDouble(value);
        case "--targets" -> targets = List.of(value.split(","));
        case "--threads" -> threads = Integer.parseInt(value);
        case "--seed" -> seed = Long.parseLong(value);
        case "--work" -> work = Path.of(value);
        case "--corpus" -> corpus = Optional.of(Path.of(value));
        case "--reproduce" -> reproduce = Optional.of(Path.of(value));
        case "--worker" -> worker = Optional.of(Integer.parseInt(value));
        case "--until" -> until = Long.parseLong(value);
        default -> throw wrong(name + " is not an option");
      }
    }
    if (!(minutes > 0) || threads < 1) {
      throw wrong("--minutes and --threads must be positive");
    }
    return new Options(
        minutes,
        targets,
        threads,
        seed,
        work,
        corpus.orElse(work.resolve("corpus")),
        reproduce,
        worker,
        until);
  }

  private static IllegalArgumentException wrong(String message) {
    return new IllegalArgumentException(message);
  }

  Path findings() {
    return work.resolve("findings");
  }

  Path slot(int number) {
    return work.resolve("worker-" + number + ".slot");
  }
}
