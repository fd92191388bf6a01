package weft.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.Listener;
import weft.generate.Request;
import weft.generate.Ticket;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/**
 * What those who follow a reply notice of others: the time between its tokens while nothing else
 * happens and while a long prompt arrives, and the first token of a prompt whose beginning is
 * known. Run by {@code weft-bench/gaps}, on a machine that does nothing else.
 */
public final class Gaps {
  private static final String HELP =
      """
      Usage: weft-bench/gaps [OPTIONS] MODEL.gguf
      Times the gaps between tokens, quiet and while a long prompt arrives, and first tokens on a hit.
            --prompt=N    Tokens of the prompt that arrives (default: 4000).
            --writers=A,B Replies that are written meanwhile (default: 1,4,8).
            --quiet=N     Gaps to time before it arrives (default: 60).
            --prefix=N    Tokens of the beginning that is known (default: 2000).
        -h, --help        Show this help.
      """;

  private final LanguageModel model;
  private final Random random = new Random(1);

  private Gaps(LanguageModel model) {
    this.model = model;
  }

  public static void main(String[] arguments) {
    var all = List.of(arguments);
    if (all.isEmpty() || all.contains("--help") || all.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    var writers = option(all, "writers", "1,4,8").split(",");
    int prompt = Integer.parseInt(option(all, "prompt", "4000"));
    int quiet = Integer.parseInt(option(all, "quiet", "60"));
    int prefix = Integer.parseInt(option(all, "prefix", "2000"));
    try (var model = LanguageModel.load(Path.of(all.getLast()), LoadOptions.standard())) {
      var gaps = new Gaps(model);
      System.out.println(
          "| writing | quiet ms | median | worst | median / quiet | worst / quiet | prompt read in s | alone |");
      System.out.println("|---|---|---|---|---|---|---|---|");
      gaps.arrival(1, Math.min(prompt, 600), 10); // compiles what the rest runs on
      for (var count : writers) {
        System.out.println(gaps.arrival(Integer.parseInt(count), prompt, quiet));
      }
      System.out.println(gaps.hit(prefix));
    }
  }

  private static String option(List<String> arguments, String name, String otherwise) {
    return arguments.stream()
        .filter(argument -> argument.startsWith("--" + name + "="))
        .map(argument -> argument.substring(name.length() + 3))
        .findFirst()
        .orElse(otherwise);
  }

  private int[] text(int length) {
    return random.ints(length, 0, model.model().vocabularySize()).toArray();
  }

  /** When the pieces of a reply came, by its engine's thread. */
  private record Followed(Ticket ticket, ConcurrentLinkedQueue<Long> times) {
    /** The gaps that ended between two moments. */
    List<Double> gaps(long from, long to) {
      var gaps = new ArrayList<Double>();
      var all = times.stream().toList();
      for (int i = 1; i < all.size(); i++) {
        if (all.get(i) > from && all.get(i) <= to) gaps.add((all.get(i) - all.get(i - 1)) / 1e6);
      }
      return gaps;
    }

    void awaitTokens(int count) {
      ticket.pieces().limit(count).count();
    }
  }

  private Followed follow(Engine engine) {
    var times = new ConcurrentLinkedQueue<Long>();
    var listener = Listener.of(piece -> times.add(System.nanoTime()));
    return new Followed(engine.submit(Request.of(text(16)).withListener(listener)), times);
  }

  private double secondsToFirst(Engine engine, int[] prompt) {
    long begun = System.nanoTime();
    engine.generate(Request.of(prompt).withMaxTokens(1));
    return (System.nanoTime() - begun) / 1e9;
  }

  private String arrival(int writers, int prompt, int quiet) {
    try (var engine = Engine.start(model.model(), Capacity.standard())) {
      double alone = secondsToFirst(engine, text(prompt));
      var followed = new ArrayList<Followed>();
      for (int i = 0; i < writers; i++) followed.add(follow(engine));
      followed.forEach(reply -> reply.awaitTokens(4));
      long begun = System.nanoTime();
      int had = followed.getFirst().times.size();
      followed.getFirst().awaitTokens(had + quiet);
      long arrived = System.nanoTime();
      double beside = secondsToFirst(engine, text(prompt));
      long read = System.nanoTime();
      followed.forEach(reply -> reply.ticket.cancel());
      var before = gaps(followed, begun, arrived);
      var during = gaps(followed, arrived, read);
      double usual = median(before);
      return String.format(
          Locale.ROOT,
          "| %d | %.1f | %.1f | %.1f | %.2f | %.2f | %.1f | %.1f |",
          writers,
          usual,
          median(during),
          during[during.length - 1],
          median(during) / usual,
          during[during.length - 1] / usual,
          beside,
          alone);
    }
  }

  private static double[] gaps(List<Followed> followed, long from, long to) {
    return followed.stream()
        .flatMap(reply -> reply.gaps(from, to).stream())
        .mapToDouble(gap -> gap)
        .sorted()
        .toArray();
  }

  private static double median(double[] sorted) {
    return sorted[sorted.length / 2];
  }

  /** The first token of prompts that share a beginning: of the first, and of those after it. */
  private String hit(int prefix) {
    try (var engine = Engine.start(model.model(), Capacity.standard())) {
      int[] beginning = text(prefix);
      double miss = secondsToFirst(engine, with(beginning, text(8)));
      double[] hits = new double[5];
      for (int i = 0; i < hits.length; i++) {
        hits[i] = secondsToFirst(engine, with(beginning, text(8)));
      }
      Arrays.sort(hits);
      return String.format(
          Locale.ROOT,
          "first token of %d tokens: %.3f s, on a hit %.3f s: %.1f times sooner",
          prefix + 8,
          miss,
          median(hits),
          miss / median(hits));
    }
  }

  private static int[] with(int[] beginning, int[] end) {
    int[] all = Arrays.copyOf(beginning, beginning.length + end.length);
    System.arraycopy(end, 0, all, beginning.length, end.length);
    return all;
  }
}
