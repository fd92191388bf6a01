package weft.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weft.load.LoadOptions;
import weft.load.Work;

/** Measures how fast a model reads prompts and writes replies. */
@Command(
    name = "bench",
    description = "Measures how fast a model reads prompts (pp) and writes replies (tg).")
final class BenchCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions options;

  @Option(
      names = "--prompt",
      paramLabel = "N",
      split = ",",
      description = "Prompt lengths to read, 0 for none (default: 512).")
  private List<Integer> prompts = List.of(512);

  @Option(
      names = "--gen",
      paramLabel = "N",
      split = ",",
      description = "Reply lengths to write, 0 for none (default: 64).")
  private List<Integer> replies = List.of(64);

  @Option(
      names = "--depth",
      paramLabel = "N",
      split = ",",
      description = "Tokens that are in the context before a test begins (default: 0).")
  private List<Integer> depths = List.of(0);

  @Option(
      names = "--batch",
      paramLabel = "N",
      split = ",",
      description = "Sequences that go through each pass together (default: 1).")
  private List<Integer> batches = List.of(1);

  @Option(
      names = "--greedy",
      description =
          "Replies go on with the token that comes, which a GPU may begin with before it is read;"
              + " else with random ones.")
  private boolean isGreedy;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description =
          "How often each test runs, all in turns, after one of each to warm up (default:"
              + " ${DEFAULT-VALUE}).")
  private int repetitions = 3;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    var tests = tests();
    try (var opened = options.open(console)) {
      var bench = bench(opened);
      tests.forEach(bench::requireFits);
      var results = bench.measure(tests, repetitions, opened.progress());
      opened.progress().done();
      print(results);
      options.reportTime(opened, console);
    }
    return 0;
  }

  private Bench bench(ModelOptions.Opened opened) {
    // Recomputing reads the weights for a whole text: a token's share of that says nothing.
    boolean isStepping = opened.model() == opened.language().model();
    return new Bench(
        opened.model(),
        sessions -> isStepping ? opened.language().decodeWork(sessions) : Work.NONE,
        Runtime.getRuntime().availableProcessors(),
        isGreedy ? Bench.Going.GREATEST : Bench.Going.RANDOM);
  }

  private List<Bench.Test> tests() {
    Ranges.require("--repetitions", repetitions, 1, Bench.MOST_REPETITIONS);
    Ranges.require("--prompt", prompts, 0, LoadOptions.LONGEST_CONTEXT);
    Ranges.require("--gen", replies, 0, LoadOptions.LONGEST_CONTEXT);
    Ranges.require("--depth", depths, 0, LoadOptions.LONGEST_CONTEXT);
    Ranges.require("--batch", batches, 1, Bench.MOST_SEQUENCES);
    var tests = new ArrayList<Bench.Test>();
    for (int depth : depths) {
      for (int batch : batches) {
        for (int tokens : prompts) add(tests, Bench.Kind.PROMPT, tokens, depth, batch);
        for (int tokens : replies) add(tests, Bench.Kind.REPLY, tokens, depth, batch);
      }
    }
    if (tests.isEmpty()) throw new UsageException("nothing to measure: give --prompt or --gen");
    return tests;
  }

  private static void add(
      List<Bench.Test> tests, Bench.Kind kind, int tokens, int depth, int batch) {
    if (tokens > 0) tests.add(new Bench.Test(kind, tokens, depth, batch));
  }

  private void print(List<Bench.Result> results) {
    if (isJson) {
      var document = Json.array();
      for (var result : results) {
        var row = document.addObject();
        row.put("test", result.test().name())
            .put("tokens_per_second", result.mean())
            .put("stdev", result.deviation())
            .put("depth", result.test().depth())
            .put("batch", result.test().batch())
            .put("repetitions", repetitions);
        if (result.hasLimit()) {
          row.put("bytes_per_second", Math.round(result.bytes()))
              .put("read_bandwidth", Math.round(result.limit()))
              .put("bandwidth_share", Math.round(1e4 * result.share()) / 1e4);
        }
      }
      Json.print(console, document);
      return;
    }
    var table =
        new Table("test", "depth", "batch", "tokens/s", "+-", "GB/s", "of memory's")
            .right(1, 2, 3, 4, 5, 6);
    for (var result : results) {
      table.row(
          result.test().name(),
          result.test().depth(),
          result.test().batch(),
          "%.2f".formatted(result.mean()),
          "%.2f".formatted(result.deviation()),
          result.hasLimit() ? "%.1f".formatted(result.bytes() / 1e9) : "",
          result.hasLimit()
              ? "%.0f%% of %.1f".formatted(100 * result.share(), result.limit() / 1e9)
              : "");
    }
    table.print(console.out());
  }
}
