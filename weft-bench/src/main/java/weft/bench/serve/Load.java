package weft.bench.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * What clients ask of a server: each sends its requests one after the other, all clients at once.
 *
 * @param clients who ask at the same time
 * @param prompt the tokens of each prompt
 * @param shared how many of them all prompts begin with
 * @param reply the tokens of each reply
 * @param requests of each client
 */
record Load(String name, int clients, int prompt, int shared, int reply, int requests) {
  /** Below the special tokens of every vocabulary that is measured, above the single bytes. */
  private static final int FIRST_TOKEN = 300;

  private static final int LAST_TOKEN = 20_000;

  /** What a server did under a load. */
  record Outcome(double seconds, List<Told> replies) {
    double tokensPerSecond() {
      return replies.stream().mapToInt(Told::tokens).sum() / seconds;
    }
  }

  /** All prompts of all clients; another seed gives others that no server has met. */
  private List<List<int[]>> prompts(long seed) {
    var random = new Random(seed);
    var beginning = random.ints(shared, FIRST_TOKEN, LAST_TOKEN).toArray();
    var all = new ArrayList<List<int[]>>();
    for (int client = 0; client < clients; client++) {
      all.add(
          IntStream.range(0, requests)
              .mapToObj(
                  _ -> {
                    var own = random.ints(prompt - shared, FIRST_TOKEN, LAST_TOKEN);
                    return IntStream.concat(IntStream.of(beginning), own).toArray();
                  })
              .toList());
    }
    return all;
  }

  Outcome run(Server server, long seed) throws InterruptedException {
    var tasks = new ArrayList<Callable<List<Told>>>();
    for (var own : prompts(seed)) {
      tasks.add(
          () -> {
            var told = new ArrayList<Told>();
            for (var each : own) told.add(server.ask(each, reply));
            return told;
          });
    }
    if (shared > 0) server.ask(prompts(seed).getFirst().getFirst(), 1);
    // A thread each that waits in its socket: what is between would take time from the server.
    try (var threads = Executors.newFixedThreadPool(clients)) {
      long begun = System.nanoTime();
      var replies = new ArrayList<Told>();
      for (var done : threads.invokeAll(tasks)) replies.addAll(done.get());
      return new Outcome((System.nanoTime() - begun) / 1e9, replies);
    } catch (ExecutionException e) {
      throw new IllegalStateException(server.name() + ": " + e.getCause().getMessage(), e);
    }
  }
}
