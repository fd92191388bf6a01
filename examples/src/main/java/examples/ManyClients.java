package examples;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import weft.generate.Piece;
import weft.generate.Sampling;
import weft.load.LanguageModel;

/**
 * Streams to many clients at once, a virtual thread each: {@code examples/run ManyClients 8}. The
 * model makes their replies together, in shared forward passes.
 */
public final class ManyClients {
  private ManyClients() {}

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    int clients = args.length > 0 ? Integer.parseInt(args[0]) : 8;
    try (var model = LanguageModel.builtIn();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<String>> tasks =
          IntStream.range(0, clients)
              .<Callable<String>>mapToObj(i -> () -> story(model, i))
              .toList();
      for (var told : threads.invokeAll(tasks)) System.out.println(told.get());
    }
  }

  /** What one client does with its pieces, as they come. */
  private static String story(LanguageModel model, int client) {
    var request =
        model.request("Once upon a time").withMaxTokens(30).withSampling(Sampling.seeded(client));
    try (var pieces = model.stream(request)) {
      return "client " + client + pieces.map(Piece::text).collect(Collectors.joining());
    }
  }
}
