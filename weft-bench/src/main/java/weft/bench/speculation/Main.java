package weft.bench.speculation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import weft.generate.Capacity;
import weft.generate.DraftOptions;
import weft.generate.Drafter;
import weft.generate.Engine;
import weft.generate.PromptLookup;
import weft.generate.Request;
import weft.generate.Speculation;
import weft.generate.Usage;
import weft.load.Drafts;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/**
 * How much sooner replies are made by guessing ahead, by how many guesses come true and how many
 * there are, against plain decoding in turns. The weights may be random: what comes is a script,
 * guesses are the script's with errors, and all that the model and its drafter do is done. Run by
 * {@code weft-bench/speculation}, on a machine that does nothing else.
 */
public final class Main {
  private static final String BEGIN = "<!-- made by weft-bench/speculation -->\n";
  private static final String END = "<!-- end of what speculation made -->";
  private static final int PROMPT = 32;
  private static final int MOST = 8;

  private static final String HELP =
      """
      Usage: weft-bench/speculation [OPTIONS] [MODEL.gguf ...]
      Times replies with guesses of known luck against plain ones, in turns.
            --acceptance=A,B  Chances that a guess holds (default: 0.3,0.5,0.7,0.9,0).
            --depths=A,B      Tokens of a draft; as many as pay are a column of their own (default: 1,2,3,4,6,8).
            --tokens=N        Tokens of a reply (default: 64).
            --repetitions=N   Replies of each kind (default: 3).
            --threads=N       Threads (default: 2).
            --draft-vocab=N   Tokens that a head guesses, the first ones (default: 32768).
            --stories         Also the built-in model on its stories, with its own guesses.
            --write           Put the tables into docs/performance.md.
        -h, --help            Show this help.
      """;

  private final LanguageModel model;
  private final Engine engine;
  private final int[] script;
  private final Drafter priced;
  private final int tokens;
  private final int vocabulary;

  private Main(LanguageModel model, int tokens, int vocabulary) {
    this.model = model;
    this.vocabulary = vocabulary;
    this.tokens = tokens;
    // Even ids, so that their neighbours are wrong ones of the vocabulary.
    this.script =
        new Random(1)
            .ints(PROMPT + tokens + 2 * MOST, 0, model.model().vocabularySize() / 2)
            .map(half -> 2 * half)
            .toArray();
    this.priced = head().orElseGet(PromptLookup::new);
    this.engine =
        Engine.start(new ScriptedModel(model.model(), script), Capacity.standard().withParallel(1));
  }

  /** Guesses by the model's head, none of which it is too unsure of: those would cost less. */
  private Optional<Drafter> head() {
    return model.mtpDrafter(DraftOptions.standard().withLeastChance(0).withVocabulary(vocabulary));
  }

  public static void main(String[] arguments) throws IOException {
    var all = new ArrayList<>(List.of(arguments));
    if (all.contains("--help") || all.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    var luck = numbers(option(all, "acceptance", "0.3,0.5,0.7,0.9,0"));
    var depths = numbers(option(all, "depths", "1,2,3,4,6,8"));
    int tokens = Integer.parseInt(option(all, "tokens", "64"));
    int repetitions = Integer.parseInt(option(all, "repetitions", "3"));
    int threads = Integer.parseInt(option(all, "threads", "2"));
    int vocabulary = Integer.parseInt(option(all, "draft-vocab", "" + Drafts.USUAL_VOCABULARY));
    var report = new StringBuilder();
    line(
        report,
        "%s, %d threads; %d tokens a reply, medians of %d in turns with plain ones.",
        LocalDate.now(),
        threads,
        tokens,
        repetitions);
    for (var file : all.stream().filter(argument -> !argument.startsWith("--")).toList()) {
      var options = LoadOptions.standard().withThreads(threads);
      try (var model = LanguageModel.load(Path.of(file), options)) {
        new Main(model, tokens, vocabulary).table(file, luck, depths, repetitions, report);
      }
    }
    if (all.contains("--stories")) Stories.table(repetitions, report);
    if (all.contains("--write")) {
      write(Path.of(option(all, "root", "."), "docs", "performance.md"), report.toString());
    }
  }

  private static String option(List<String> arguments, String name, String otherwise) {
    return arguments.stream()
        .filter(argument -> argument.startsWith("--" + name + "="))
        .map(argument -> argument.substring(name.length() + 3))
        .findFirst()
        .orElse(otherwise);
  }

  private static double[] numbers(String list) {
    return Arrays.stream(list.split(",")).mapToDouble(Double::parseDouble).toArray();
  }

  static void line(StringBuilder out, String format, Object... arguments) {
    var text = String.format(Locale.ROOT, format, arguments);
    System.out.println(text);
    out.append(text).append('\n');
  }

  private void table(
      String file, double[] luck, double[] depths, int repetitions, StringBuilder out) {
    try (engine) {
      for (double depth : depths) reply(Speculation.of(erring(0.5, 0), (int) depth));
      line(out, "");
      line(
          out,
          "**%s**, guesses at the price of %s",
          Path.of(file).getFileName(),
          head().isPresent() ? "its head" : "a lookup");
      line(out, "");
      var depthNames = new StringBuilder();
      for (double depth : depths) depthNames.append(" %.0f |".formatted(depth));
      line(
          out, "| acceptance | plain, tokens/s |%s as many as pay | drafted, a pass |", depthNames);
      line(out, "|---|---:|%s---:|---:|", "---:|".repeat(depths.length));
      for (double chance : luck) line(out, "%s", row(chance, depths, repetitions));
    }
  }

  private Drafter erring(double chance, double seed) {
    return new Erring(priced, script, chance, seed);
  }

  /** A reply of each kind, one after the other, and again. */
  private String row(double chance, double[] depths, int repetitions) {
    // One drafter for all adaptive replies, as a server has.
    Drafter lasting = erring(chance, 0.5);
    reply(Speculation.adaptive(lasting, MOST));
    double[][] ratios = new double[depths.length + 1][repetitions];
    double[] plain = new double[repetitions];
    double drafted = 0;
    for (int turn = 0; turn < repetitions; turn++) {
      double before = speed(reply(Speculation.NONE));
      double[] speeds = new double[depths.length + 1];
      for (int i = 0; i < depths.length; i++) {
        speeds[i] =
            speed(
                reply(
                    Speculation.of(erring(chance, turn / (double) repetitions), (int) depths[i])));
      }
      Usage adaptive = reply(Speculation.adaptive(lasting, MOST));
      speeds[depths.length] = speed(adaptive);
      drafted += (double) adaptive.draftedTokens() / adaptive.forwards() / repetitions;
      plain[turn] = (before + speed(reply(Speculation.NONE))) / 2;
      for (int i = 0; i < speeds.length; i++) ratios[i][turn] = speeds[i] / plain[turn];
    }
    var row = new StringBuilder("| %.1f | %.1f |".formatted(chance, median(plain)));
    for (double[] each : ratios) row.append(" %.2f |".formatted(median(each)));
    return row.append(" %.1f |".formatted(drafted)).toString();
  }

  private Usage reply(Speculation speculation) {
    return engine
        .generate(
            Request.of(Arrays.copyOf(script, PROMPT))
                .withMaxTokens(tokens)
                .withSpeculation(speculation))
        .usage();
  }

  static double speed(Usage usage) {
    return usage.decodeTokens() * 1e9 / usage.decode().toNanos();
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Puts the tables into the document, between the marks that are there for them. */
  private static void write(Path document, String report) throws IOException {
    var text = Files.readString(document);
    int from = text.indexOf(BEGIN) + BEGIN.length();
    int to = text.indexOf(END);
    Files.writeString(document, text.substring(0, from) + report + text.substring(to));
  }
}
