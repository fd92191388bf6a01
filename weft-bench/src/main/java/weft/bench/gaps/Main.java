package weft.bench.gaps;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
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
 * known. Beside the worst gap it says what the same machine did to plain steps, as many of them
 * just before and after. Run by {@code weft-bench/gaps}, on a machine that does nothing else.
 */
public final class Main {
  private static final String HELP =
      """
      Usage: weft-bench/gaps [OPTIONS] MODEL.gguf
      Times the gaps between tokens, quiet and while a long prompt arrives, and first tokens on a hit.
            --prompt=N    Tokens of the prompt that arrives (default: 4000).
            --writers=A,B Replies that are written meanwhile (default: 1,4,8).
            --quiet=N     Gaps to time before it arrives, and again behind it (default: 100); the mean of both medians is the quiet one.
            --prefix=N    Tokens of the beginning that is known, 0 for none (default: 2000).
            --worst=N     Show so many of the longest passes, what else happened, and all sizes (default: 0).
        -h, --help        Show this help.
      """;

  /** As long as the server takes for it. */
  private static final Duration REHEARSAL = Duration.ofSeconds(3);

  private final LanguageModel model;
  private final WatchedModel watched;
  private final Random random = new Random(1);
  private final int quiet;
  private final int worst;

  private Main(LanguageModel model, int quiet, int worst) {
    this.model = model;
    this.watched = new WatchedModel(model.model());
    this.quiet = quiet;
    this.worst = worst;
  }

  public static void main(String[] arguments) {
    var all = List.of(arguments);
    if (all.isEmpty() || all.contains("--help") || all.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    var writers = option(all, "writers", "1,4,8").split(",");
    int prompt = Integer.parseInt(option(all, "prompt", "4000"));
    int quiet = Integer.parseInt(option(all, "quiet", "100"));
    int prefix = Integer.parseInt(option(all, "prefix", "2000"));
    int worst = Integer.parseInt(option(all, "worst", "0"));
    try (var model = LanguageModel.load(Path.of(all.getLast()), LoadOptions.standard())) {
      var gaps = new Main(model, quiet, worst);
      System.out.println(
          "| writing | quiet before, ms | after | worst | median | worst | median / quiet | worst / quiet | prompt read in s | alone |");
      System.out.println("|---|---|---|---|---|---|---|---|---|---|");
      for (var count : writers) {
        System.out.println(gaps.arrival(Integer.parseInt(count), prompt));
      }
      if (prefix > 0) System.out.println(gaps.hit(prefix));
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

  private String arrival(int writers, int prompt) {
    try (var engine = Engine.start(watched, Capacity.standard())) {
      engine.rehearse(REHEARSAL);
      double alone = secondsToFirst(engine, text(prompt));
      var followed = new ArrayList<Followed>();
      for (int i = 0; i < writers; i++) followed.add(follow(engine));
      followed.forEach(reply -> reply.awaitTokens(4));
      long begun = System.nanoTime();
      awaitQuiet(followed.getFirst());
      long arrived = System.nanoTime();
      double beside = secondsToFirst(engine, text(prompt));
      long read = System.nanoTime();
      awaitQuiet(followed.getFirst());
      long ended = System.nanoTime();
      followed.forEach(reply -> reply.ticket.cancel());
      double[] before = gaps(followed, begun, arrived);
      double[] during = gaps(followed, arrived, read);
      double[] after = gaps(followed, read, ended);
      // Texts grow meanwhile, and quiet gaps with them: those on both sides count.
      double usual = (median(before) + median(after)) / 2;
      var passes = watched.passes(arrived, read);
      showWorst(passes, usual);
      if (worst > 0) showSizes(passes, usual);
      return String.format(
          Locale.ROOT,
          "| %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.1f | %.1f |",
          writers,
          median(before),
          median(after),
          Math.max(before[before.length - 1], after[after.length - 1]),
          median(during),
          during[during.length - 1],
          median(during) / usual,
          during[during.length - 1] / usual,
          beside,
          alone);
    }
  }

  private void awaitQuiet(Followed reply) {
    reply.awaitTokens(reply.times.size() + quiet);
  }

  private void showWorst(List<WatchedModel.Pass> passes, double usual) {
    var byTime = Comparator.comparingDouble(WatchedModel.Pass::millis).reversed();
    for (var pass : passes.stream().sorted(byTime).limit(worst).toList()) {
      int place = passes.indexOf(pass);
      var alike =
          passes.stream()
              .filter(other -> other.rows() == pass.rows())
              .mapToDouble(WatchedModel.Pass::millis)
              .sorted()
              .toArray();
      System.err.printf(
          Locale.ROOT,
          "  pass %d of %d: %.1f ms (%.2f), %d rows, whose median is %.1f of %d; collecting %d,"
              + " compiling %d, faults %d, cpu %.0f, others %.0f%n",
          place,
          passes.size(),
          pass.millis(),
          pass.millis() / usual,
          pass.rows(),
          median(alike),
          alike.length,
          pass.vitals().collecting(),
          pass.vitals().compiling(),
          pass.vitals().faults(),
          pass.vitals().cpu(),
          pass.vitals().others());
    }
  }

  /** How large passes were, and what those of each size took: what the median is made of. */
  private static void showSizes(List<WatchedModel.Pass> passes, double usual) {
    var bySize = new TreeMap<Integer, List<Double>>();
    for (var pass : passes) {
      bySize.computeIfAbsent(pass.rows(), _ -> new ArrayList<>()).add(pass.millis());
    }
    bySize.forEach(
        (rows, millis) -> {
          double each = median(millis.stream().mapToDouble(time -> time).sorted().toArray());
          System.err.printf(
              Locale.ROOT,
              "  %4d passes of %3d rows: %6.1f ms (%.2f)%n",
              millis.size(),
              rows,
              each,
              each / usual);
        });
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
    try (var engine = Engine.start(watched, Capacity.standard())) {
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
