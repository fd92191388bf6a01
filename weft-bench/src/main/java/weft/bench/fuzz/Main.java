package weft.bench.fuzz;

import java.io.IOException;
import java.util.List;

/** The command: runs workers and watches them, or is one of them. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) throws IOException, InterruptedException {
    if (arguments.contains("--help")) {
      System.out.print(Options.USAGE);
      return 0;
    }
    if (arguments.contains("--list")) {
      Targets.all().forEach(target -> System.out.println(target.name()));
      return 0;
    }
    Options options;
    List<Target> targets;
    try {
      options = Options.of(arguments);
      targets = Targets.named(options);
    } catch (IllegalArgumentException e) {
      System.err.println("fuzz: " + e.getMessage() + "; --help says more");
      return 2;
    }
    if (options.reproduce().isPresent()) {
      return Reproduction.run(targets.getFirst(), options.reproduce().get());
    }
    if (options.worker().isPresent()) {
      work(options, targets);
      return 0;
    }
    return new Campaign(options, targets, System.out).run() ? 0 : 1;
  }

  private static void work(Options options, List<Target> targets) throws IOException {
    int number = options.worker().orElseThrow();
    try (var slot = new Slot(options.slot(number))) {
      new Worker(
              targets,
              options.corpus(),
              slot,
              new Findings(options.findings()),
              options.seed(),
              options.until())
          .run();
    }
  }
}
