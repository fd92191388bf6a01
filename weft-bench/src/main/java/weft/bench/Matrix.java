package weft.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import weft.backend.KvType;
import weft.bench.matrix.Case;
import weft.bench.matrix.Script;
import weft.bench.matrix.Setting;
import weft.bench.matrix.Slice;
import weft.bench.matrix.Visit;
import weft.cpu.asm.Host;
import weft.cpu.asm.Isa;

/**
 * Every team size, prompt length, batch size and encoding on slices of real models: all must give
 * what one thread gives. It needs nothing but Weft's jars: {@code java -cp ... weft.bench.Matrix}.
 */
public final class Matrix {
  /** The rows of one visit: enough to make loading cheap beside it, few enough to see all soon. */
  private static final int VISIT_ROWS = 2000;

  /** The logits of one thread that a visit keeps, 256 MiB of them. */
  private static final long VISIT_LOGITS = 64 << 20;

  /** Nothing takes this long on any machine. */
  private static final int HANG_SECONDS = 300;

  /** The most tokens that prompts of every length have: two passes and one more. */
  private static final int EVERY_LENGTH = 1025;

  /** What is left to play of a slice. */
  private record Work(Slice slice, List<Case> left, int trials, boolean[] isVisited) {}

  private final MatrixOptions options;
  private final Random random;
  private final MatrixLog log;

  private Matrix(MatrixOptions options) {
    this.options = options;
    this.random = new Random(options.seed());
    this.log = new MatrixLog(options.folder().resolve("playing"), HANG_SECONDS);
  }

  public static void main(String[] arguments) {
    if (List.of(arguments).contains("--help") || List.of(arguments).contains("-h")) {
      System.out.print(MatrixOptions.HELP);
      return;
    }
    MatrixOptions options;
    try {
      options = MatrixOptions.of(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("matrix: " + e.getMessage() + "; see --help");
      System.exit(2);
      return;
    }
    System.exit(new Matrix(options).run() ? 0 : 1);
  }

  /** Whether everything agreed. */
  private boolean run() {
    System.err.println("matrix: " + options.repeating());
    create(options.folder());
    var works = works();
    Collections.shuffle(works, random);
    Map<String, Integer> planned = new TreeMap<>();
    for (var work : works) planned.merge(work.slice.shape().name(), work.trials, Integer::sum);
    while (!works.isEmpty() && !isOver()) {
      for (var work : works) if (!isOver()) visit(work);
      works.removeIf(work -> work.left.isEmpty());
    }
    log.end();
    System.out.print(log.summary(planned));
    return log.findings() == 0;
  }

  private boolean isOver() {
    return System.nanoTime() > options.deadline();
  }

  private List<Work> works() {
    var works = new ArrayList<Work>();
    for (var shape : options.shapes()) {
      for (var type : options.types()) {
        var slice = Slice.named(shape, type).orElseThrow();
        if (Slice.NARROW.contains(shape)) {
          works.add(work(slice, Case.everyLength(EVERY_LENGTH, options.teams())));
        } else {
          works.add(work(slice.withFewTokens(), cases(slice)));
          works.add(work(slice, ofVocabulary()));
        }
      }
    }
    // Who asks for long prompts alone asks for none of the vocabulary's.
    works.removeIf(work -> work.left.isEmpty());
    return works;
  }

  private Work work(Slice slice, List<Case> cases) {
    var shuffled = new ArrayList<>(cases);
    Collections.shuffle(shuffled, random);
    // One thread plays each, and once beside the reference.
    int trials = 1 + cases.stream().mapToInt(c -> c.teams().size()).sum();
    for (var each : cases) if (!each.teams().contains(1)) trials++;
    return new Work(slice, shuffled, trials, new boolean[1]);
  }

  private List<Case> cases(Slice slice) {
    var cases =
        new ArrayList<>(Case.product(options.lengths(), options.batches(), options.teams()));
    // Whoever asks for lengths gets those alone.
    if (options.lengths().equals(Case.LENGTHS)) {
      level()
          .ifPresent(
              isa ->
                  cases.addAll(
                      Case.thresholds(slice.withFewTokens(), isa, options.teams(), EVERY_LENGTH)));
    }
    return cases;
  }

  /** The vocabulary is met by wanted rows alone, so short prompts will do. */
  private List<Case> ofVocabulary() {
    var cases = new ArrayList<Case>();
    for (int batch : options.batches()) {
      for (int length : options.lengths().headSet(Math.min(18, options.lengths().last() + 1))) {
        cases.add(new Case(Script.batch(length, batch), options.teams()));
      }
    }
    return cases;
  }

  /** The level of emitted code; empty where the portable kernels serve. */
  private Optional<Isa> level() {
    return options.isa().equals("auto") && Host.probe() instanceof Host.Emits(_, var best)
        ? Optional.of(best)
        : Isa.named(options.isa());
  }

  private void visit(Work work) {
    long start = System.nanoTime();
    int before = log.trials();
    var kv = options.kv().orElseGet(() -> KvType.values()[random.nextInt(KvType.values().length)]);
    var setting = new Setting(options.isa(), kv, options.seed());
    var file = work.slice.write(options.folder(), options.seed());
    try {
      var visit = new Visit(work.slice, setting, file, log, this::isOver);
      // A vocabulary of its real size tells nothing new there, and takes the reference minutes.
      boolean isSmall = work.slice.equals(work.slice.withFewTokens());
      if (isSmall && !work.isVisited[0]) visit.compareWithReference(Script.prompt(2));
      work.isVisited[0] = true;
      visit.play(next(work));
    } finally {
      delete(file);
    }
    System.err.printf(
        Locale.ROOT,
        "matrix: %s of %d tokens, %s: %d trials in %.0f s; %d so far, %d findings%n",
        work.slice.name(),
        work.slice.shape().vocabulary(),
        kv.name().toLowerCase(Locale.ROOT),
        log.trials() - before,
        (System.nanoTime() - start) / 1e9,
        log.trials(),
        log.findings());
  }

  /** Takes the cases of a visit off a work's list. */
  private static List<Case> next(Work work) {
    var cases = new ArrayList<Case>();
    int rows = 0;
    long logits = 0;
    do {
      var next = work.left.removeLast();
      cases.add(next);
      rows += next.script().rows();
      logits += (long) next.script().wanted() * work.slice.shape().vocabulary();
    } while (!work.left.isEmpty() && rows < VISIT_ROWS && logits < VISIT_LOGITS);
    return cases;
  }

  private static void create(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
