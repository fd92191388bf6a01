package weft.bench.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lays siege to a server of its own and tells whether it kept its promises: what guests met, and
 * what the process holds before and after. Run by {@code weft-bench/abuse} from its source.
 */
public final class Abuse {
  private static final String HELP =
      """
      Usage: weft-bench/abuse [OPTIONS] [MODEL]
      Clients that misbehave in every way there is, beside some that do not, against weft serve.
      Ends with 1 where a guest met an error but 429, a misdeed met a 500, or memory and threads did
      not come back.
            --clients=N   Those that misbehave (default: 64).
            --guests=N    Those that do not (default: 4).
            --seconds=N   For how long (default: 120).
            --seed=N      What they do (default: 1).
        -h, --help        Show this help.
      """;

  /** Longer than the server waits for a client by itself. */
  private static final Duration RECOVERY = Duration.ofSeconds(120);

  /** Until a server has let go of what it met while it warmed up. */
  private static final Duration SETTLING = Duration.ofSeconds(75);

  private static final Duration LONGEST_MISDEED = Duration.ofSeconds(40);

  private record Wanted(String model, int clients, int guests, int seconds, long seed) {
    static Wanted of(List<String> arguments) {
      var wanted = new Wanted("", 64, 4, 120, 1);
      for (var word : arguments) wanted = wanted.with(word);
      return wanted;
    }

    private Wanted with(String word) {
      if (!word.startsWith("-")) return new Wanted(word, clients, guests, seconds, seed);
      if (!word.matches("--[a-z]+=[0-9]{1,6}")) throw new IllegalArgumentException(word);
      int value = Integer.parseInt(word.substring(word.indexOf('=') + 1));
      return switch (word.substring(0, word.indexOf('='))) {
        case "--clients" -> new Wanted(model, value, guests, seconds, seed);
        case "--guests" -> new Wanted(model, clients, value, seconds, seed);
        case "--seconds" -> new Wanted(model, clients, guests, value, seed);
        case "--seed" -> new Wanted(model, clients, guests, seconds, value);
        default -> throw new IllegalArgumentException(word);
      };
    }
  }

  private Abuse() {}

  public static void main(String[] arguments) throws InterruptedException {
    var rest = new ArrayList<>(Arrays.asList(arguments));
    var root = Path.of(rest.removeFirst());
    var work = Path.of(rest.removeFirst());
    if (rest.contains("--help") || rest.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    try {
      System.exit(besiege(root, work, Wanted.of(rest)) ? 0 : 1);
    } catch (IllegalArgumentException e) {
      System.err.println(
          "abuse: '%s' is no option; see weft-bench/abuse --help".formatted(e.getMessage()));
      System.exit(2);
    } catch (IOException e) {
      System.err.println("abuse: " + e.getMessage());
      System.exit(1);
    }
  }

  private static boolean besiege(Path root, Path work, Wanted wanted)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(root + "/weft", "serve", "--port=PORT"));
    if (!wanted.model.isEmpty()) command.add(wanted.model);
    try (var server = Server.start("weft", command, work.resolve("weft.log"))) {
      // What the first requests load and compile is held for good.
      say("a short siege first, and until the server has let go of it; about two minutes");
      siege(wanted, Duration.ofSeconds(Math.min(10, wanted.seconds))).run(server.port());
      var before = recovered(server, work, new Vitals(0, 0, 0, 0, 0, 0), SETTLING);
      System.out.println("before: " + before);
      say("the siege itself, %d s and what is then still open".formatted(wanted.seconds));
      var outcome = siege(wanted, Duration.ofSeconds(wanted.seconds)).run(server.port());
      tell(outcome);
      say("until everything is back, %d s at most".formatted(RECOVERY.toSeconds()));
      var after = recovered(server, work, before, RECOVERY);
      System.out.println("after:  " + after);
      if (!after.isBackAt(before))
        System.out.println("FINDING: memory, threads or replies did not come back");
      return outcome.findings().isEmpty() && outcome.answered() > 0 && after.isBackAt(before);
    }
  }

  /** Minutes pass in silence otherwise. Not among the results, which scripts read. */
  private static void say(String what) {
    System.err.println("abuse: " + what);
  }

  private static Siege siege(Wanted wanted, Duration length) {
    return new Siege(wanted.clients, wanted.guests, length, LONGEST_MISDEED, wanted.seed);
  }

  private static Vitals recovered(Server server, Path work, Vitals before, Duration limit)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      var now = Vitals.of(server.process(), server.address(), work);
      if (now.isBackAt(before) || System.nanoTime() > end) return now;
      Thread.sleep(2000);
    }
  }

  private static void tell(Siege.Outcome outcome) {
    outcome.misdeeds().forEach((name, count) -> System.out.printf("%6d  %s%n", count, name));
    System.out.println("answers to them by status: " + outcome.statuses());
    System.out.printf(
        "guests: %d answered, %d told to wait%n", outcome.answered(), outcome.refused());
    outcome.findings().forEach(finding -> System.out.println("FINDING: " + finding));
  }
}
