package weft.bench.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Clients that misbehave in every way there is, beside some that do not.
 *
 * @param patience the longest that a misdeed takes
 */
record Siege(int abusers, int guests, Duration length, Duration patience, long seed) {
  /** A path of a machine, or the trace of an exception: nothing that a client should see. */
  private static final Pattern LEAK = leak();

  private static final Duration PAUSE = Duration.ofMillis(200);

  /**
   * What came of it.
   *
   * @param misdeeds how often each was done
   * @param findings what the server did wrong, each once
   */
  record Outcome(
      Map<String, Long> misdeeds,
      Map<Integer, Long> statuses,
      int answered,
      int refused,
      List<String> findings) {}

  /** The places of this machine that a server knows, as the process beside it does. */
  private static Pattern leak() {
    var places =
        Stream.of("user.dir", "user.home", "java.home", "java.io.tmpdir")
            .map(System::getProperty)
            .filter(place -> place.length() > 1)
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    return Pattern.compile(places + "|Exception|\\bat (weft|java|io)\\.");
  }

  /** Runs it against a server of this machine. */
  Outcome run(int port) throws InterruptedException {
    var address = URI.create("http://127.0.0.1:" + port);
    try {
      return new Field(port, Guest.at(address)).run();
    } catch (Guest.Disappointment e) {
      return new Outcome(Map.of(), Map.of(), 0, 0, List.of("before it began: " + e.getMessage()));
    }
  }

  /** What all clients of one run share. */
  private final class Field {
    private final int port;
    private final Guest guest;
    private final long end = System.nanoTime() + length.toNanos();
    private final Map<String, LongAdder> misdeeds = new ConcurrentHashMap<>();
    private final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> findings = new ConcurrentLinkedQueue<>();

    private Field(int port, Guest guest) {
      this.port = port;
      this.guest = guest;
    }

    private Outcome run() throws InterruptedException {
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < abusers; i++) {
          var random = new Random(seed + i);
          threads.execute(() -> abuse(random));
        }
        for (int i = 0; i < guests; i++) {
          var random = new Random(-seed - i);
          threads.execute(() -> visit(random));
        }
      }
      return new Outcome(
          sums(misdeeds),
          sums(statuses),
          answered.get(),
          refused.get(),
          findings.stream().distinct().sorted().toList());
    }

    private static <K> Map<K, Long> sums(Map<K, LongAdder> counts) {
      var sums = new java.util.TreeMap<K, Long>();
      counts.forEach((key, count) -> sums.put(key, count.sum()));
      return sums;
    }

    private void abuse(Random random) {
      while (System.nanoTime() < end) {
        var mischief = Mischief.ALL.get(random.nextInt(Mischief.ALL.size()));
        misdeeds.computeIfAbsent(mischief.name(), _ -> new LongAdder()).increment();
        try (var wire = new Wire(port, patience(random))) {
          try {
            mischief.deed().commit(wire, random);
          } catch (IOException e) {
            // The server hung up, as it may.
          }
          judge(mischief, wire);
        } catch (IOException e) {
          // No connection was to be had; the guests tell whether that is for good.
        }
      }
    }

    /** Most are in a hurry to do the next; some wait for as long as they can. */
    private Duration patience(Random random) {
      return random.nextInt(8) == 0 ? patience : patience.dividedBy(16);
    }

    private void judge(Mischief mischief, Wire wire) {
      wire.status()
          .ifPresent(
              status -> {
                statuses.computeIfAbsent(status, _ -> new LongAdder()).increment();
                if (status == 500 || status == 502 || status == 504) {
                  found("a client that " + mischief.name() + " is answered " + status, wire);
                }
              });
      if (LEAK.matcher(wire.heard()).find()) {
        found("a client that " + mischief.name() + " learns about the server", wire);
      }
    }

    private void found(String what, Wire wire) {
      var heard = wire.heard();
      findings.add(
          what + ": " + heard.substring(0, Math.min(300, heard.length())).replaceAll("\\s+", " "));
    }

    private void visit(Random random) {
      try (var client = HttpClient.newHttpClient()) {
        while (System.nanoTime() < end) {
          try {
            if (guest.ask(client, random)) {
              answered.incrementAndGet();
            } else {
              refused.incrementAndGet();
              Thread.sleep(PAUSE);
            }
          } catch (Guest.Disappointment e) {
            findings.add("a guest was disappointed: " + e.getMessage());
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
