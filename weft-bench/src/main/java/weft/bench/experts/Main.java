package weft.bench.experts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import weft.bench.experts.Run.Measured;
import weft.cli.synth.Mix;
import weft.cli.synth.Shapes;
import weft.cli.synth.Synthesis;

/**
 * A mixture of experts that has memory for some of them: mapped, with the pages of as many experts
 * as that, and in slots of a budget. Run by {@code weft-bench/experts}.
 */
public final class Main {
  private static final String BEGIN = "<!-- made by weft-bench/experts -->";
  private static final String END = "<!-- end of what experts made -->";

  private static final String HELP =
      """
      Usage: weft-bench/experts ROOT WORK [OPTIONS]
      Decodes with a slice of Qwen3-30B-A3B whose experts have memory for a share of them.
            --tokens=N        Tokens to time, behind a quarter as many that are not (default: 600).
            --repetitions=N   Runs of each, in turns; the medians count (default: 3).
            --shares=A,B      Per cent of the experts that fit (default: 100,50,25).
            --exponent=S      How skewed the tokens are, by Zipf's law (default: 1.3).
            --type=TYPE       How the weights are stored (default: Q4_K_M).
            --write           Put the table into docs/performance.md.
        -h, --help            Show this help.
      """;

  /** Logits are not what is measured, and a slice's share of them is out of proportion. */
  private static final int VOCABULARY = 8192;

  private Main() {}

  public static void main(String[] arguments) throws IOException {
    var all = List.of(arguments);
    if (all.size() < 2 || all.contains("--help") || all.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    var root = Path.of(all.get(0));
    int tokens = Integer.parseInt(option(all, "tokens", "600"));
    int repetitions = Integer.parseInt(option(all, "repetitions", "3"));
    var model = model(Path.of(all.get(1)), option(all, "type", "Q4_K_M"));
    double exponent = Double.parseDouble(option(all, "exponent", "1.3"));
    var run = new Run(model, tokens, tokens / 4, exponent);
    var report = new StringBuilder();
    report.append(
        "| experts in memory | mapped, tokens/s | in slots, tokens/s | ratio | hits | oracle | recency"
            + " | without guesses | read a token, MiB | waited a token, ms |\n");
    report.append("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (var share : option(all, "shares", "100,50,25").split(",")) {
      var row = row(run, Integer.parseInt(share), repetitions);
      report.append(row).append('\n');
      System.err.println(row);
    }
    System.out.print(report);
    if (all.contains("--write")) write(root.resolve("docs/performance.md"), report.toString());
  }

  private static String option(List<String> arguments, String name, String otherwise) {
    return arguments.stream()
        .filter(argument -> argument.startsWith("--" + name + "="))
        .map(argument -> argument.substring(name.length() + 3))
        .findFirst()
        .orElse(otherwise);
  }

  private static Path model(Path work, String type) {
    var shape = Shapes.named("qwen3-30b-a3b-slice").orElseThrow().withVocabulary(VOCABULARY);
    var file = work.resolve("experts-" + type + ".gguf");
    if (Files.exists(file)) return file;
    var mix = Mix.named(type).orElseThrow();
    new Synthesis(shape, mix, 1).withEmbeddings(1).write(file, _ -> {});
    return file;
  }

  private static String row(Run run, int percent, int repetitions) throws IOException {
    int slots = run.experts() * percent / 100;
    var mapped = new ArrayList<Measured>();
    var paged = new ArrayList<Measured>();
    for (int i = 0; i < repetitions; i++) {
      mapped.add(run.mapped(slots));
      paged.add(run.paged(slots));
    }
    var plain = Measured.median(mapped);
    var own = Measured.median(paged);
    var routing = run.routing();
    return String.format(
        Locale.ROOT,
        "| %d%% | %.1f | %.1f | %.2f | %.1f%% | %.1f%% | %.1f%% | %.1f%% | %.1f | %.2f |",
        percent,
        plain.tokensPerSecond(),
        own.tokensPerSecond(),
        own.tokensPerSecond() / plain.tokensPerSecond(),
        100 * own.hitRate(),
        100 * routing.oracle(slots, run.warmUp()),
        100 * routing.recency(slots, run.warmUp()),
        100 * routing.residency(slots, run.warmUp()),
        own.megabytesAToken(),
        own.stallMillisAToken());
  }

  /** Puts the table into the document, between the marks that are there for it. */
  private static void write(Path document, String report) throws IOException {
    var text = Files.readString(document);
    int from = text.indexOf(BEGIN) + BEGIN.length();
    int to = text.indexOf(END);
    Files.writeString(document, text.substring(0, from) + "\n" + report + text.substring(to));
  }
}
