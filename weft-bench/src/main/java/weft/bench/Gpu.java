package weft.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The table of speeds on a GPU: each figure beside what it must be, one process after the other.
 */
final class Gpu {
  private static final String BEGIN = "<!-- made by weft-bench/gpu -->";
  private static final String END = "<!-- end of what gpu made -->";

  /**
   * Peers on one H200 on another day: llama.cpp CUDA without flash attention, torch with graphs,
   * which is run again where it is there.
   */
  private record Peers(String llama, String torch) {
    static final Peers NONE = new Peers("", "");
  }

  /**
   * A figure.
   *
   * @param options of {@code weft bench}
   * @param test its name there
   * @param must what was asked for, in tokens/s; below 1, as a share of one stream's
   * @param asTorch what torch-peer.py is asked for the same
   */
  private record Figure(
      String name,
      String model,
      List<String> options,
      String test,
      double must,
      Peers peers,
      List<String> asTorch) {}

  /** What a figure may be a share of. */
  private static final String ONE_STREAM = "Llama-1B BF16, one stream";

  private static final String LLAMA = "llama-3.2-1b:BF16";
  private static final String QWEN = "qwen3-8b:BF16";

  private static Figure reply(String name, String model, int batch, double must, Peers peers) {
    var options = List.of("--prompt=0", "--gen=256", "--greedy", "--batch=" + batch);
    var asTorch = List.of(shape(model), "reply", String.valueOf(batch));
    return new Figure(name, model, options, "tg256", must, peers, asTorch);
  }

  private static Figure prompt(String name, String model, int tokens, double must, Peers peers) {
    var options = List.of("--prompt=" + tokens, "--gen=0");
    var asTorch = List.of(shape(model), "prompt", String.valueOf(tokens));
    return new Figure(name, model, options, "pp" + tokens, must, peers, asTorch);
  }

  private static final List<Figure> FIGURES =
      List.of(
          reply(ONE_STREAM, LLAMA, 1, 1100, new Peers("642 (F16)", "632")),
          reply("Llama-1B Q8_0", "llama-3.2-1b:Q8_0", 1, 1300, new Peers("675", "")),
          reply("Llama-1B Q4_K_M", "llama-3.2-1b:Q4_K_M", 1, 1500, new Peers("718", "")),
          new Figure(
              "Llama-1B BF16, 4,096 tokens deep",
              LLAMA,
              List.of("--prompt=0", "--gen=256", "--greedy", "--depth=4096"),
              "tg256",
              0.85,
              Peers.NONE,
              List.of()),
          reply("Llama-1B BF16, 16 streams", LLAMA, 16, 0, Peers.NONE),
          reply("Llama-1B BF16, 64 streams", LLAMA, 64, 20_538, new Peers("", "13,692")),
          prompt("Llama-1B BF16, prompt of 512", LLAMA, 512, 0, Peers.NONE),
          prompt(
              "Llama-1B BF16, prompt of 4,096",
              LLAMA,
              4096,
              108_830,
              new Peers("36,989", "181,384")),
          prompt("Llama-1B Q4_K_M, prompt of 4,096", "llama-3.2-1b:Q4_K_M", 4096, 0, Peers.NONE),
          reply("Qwen3-8B BF16, one stream", QWEN, 1, 200, new Peers("", "160")),
          reply("Qwen3-8B BF16, 64 streams", QWEN, 64, 4946, new Peers("", "3,297")),
          prompt("Qwen3-8B BF16, prompt of 4,096", QWEN, 4096, 18_384, new Peers("", "30,640")));

  private static String shape(String model) {
    return model.split(":")[0];
  }

  private Gpu() {}

  /**
   * @param arguments the folder for checkpoints, the table's file or {@code -}, the folder for
   *     compiled kernels, torch-peer.py, what to leave out by {@code --without=TEXT} and how often
   *     all take turns by {@code --turns=N}, then the command that is Weft
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var rest = new ArrayList<>(Arrays.asList(arguments));
    var models = Files.createDirectories(Path.of(rest.removeFirst()));
    var file = rest.removeFirst();
    var kernels = rest.removeFirst();
    var torch = new Torch(rest.removeFirst());
    var without = new ArrayList<String>();
    int turns = 1;
    while (rest.getFirst().startsWith("--without=") || rest.getFirst().startsWith("--turns=")) {
      var option = rest.removeFirst().split("=", 2);
      if (option[0].equals("--turns")) turns = Integer.parseInt(option[1]);
      else without.add(option[1]);
    }
    var figures =
        FIGURES.stream()
            .filter(f -> without.stream().noneMatch(text -> f.name().contains(text)))
            .toList();
    synthesize(rest, models, figures);
    var lines = new ArrayList<String>();
    lines.add(
        "%s, %s; random weights, tokens/s; %s; llama.cpp of another day."
            .formatted(LocalDate.now(), device(), torch.said(turns)));
    lines.add("");
    lines.add("| | Weft | must | llama.cpp | torch |");
    lines.add("|---|---:|---:|---:|---:|");
    lines.forEach(System.out::println);
    double oneStream = Double.NaN;
    for (var figure : figures) {
      var rates = new ArrayList<OptionalDouble>();
      var ofTorch = new ArrayList<OptionalDouble>();
      boolean hasPeer = torch.isThere() && !figure.peers().torch().isEmpty();
      for (int turn = 0; turn < turns; turn++) {
        rates.add(measured(rest, models, figure));
        if (hasPeer) ofTorch.add(torch.measured(figure.asTorch()));
      }
      var rate = median(rates);
      if (figure.name().equals(ONE_STREAM)) oneStream = rate.orElse(Double.NaN);
      var peer = hasPeer ? said(median(ofTorch)) : figure.peers().torch();
      var line = line(figure, rate, oneStream, peer);
      System.out.println(line);
      lines.add(line);
    }
    if (figures.stream().anyMatch(f -> f.model().equals(LLAMA))) {
      var line = firstToken(rest, models, kernels);
      System.out.println(line);
      lines.add(line);
    }
    if (!file.equals("-")) write(Path.of(file), lines);
  }

  private static Path path(Path models, String model) {
    return models.resolve(model.replace(':', '-') + ".gguf");
  }

  /** All checkpoints at once, for the disk and the cores of such a machine have time for it. */
  private static void synthesize(List<String> weft, Path models, List<Figure> figures)
      throws IOException, InterruptedException {
    var running = new ArrayList<Process>();
    for (var model : figures.stream().map(Figure::model).distinct().toList()) {
      if (Files.exists(path(models, model))) continue;
      var parts = model.split(":");
      var command = new ArrayList<>(weft);
      command.addAll(
          List.of(
              "synth",
              "--shape=" + parts[0],
              "--type=" + parts[1],
              path(models, model).toString()));
      running.add(new ProcessBuilder(command).inheritIO().start());
    }
    for (var process : running) {
      if (process.waitFor() != 0) throw new IOException("a checkpoint could not be made");
    }
  }

  private static String device() throws InterruptedException {
    try {
      var query = "--query-gpu=name,driver_version";
      return PeerProcess.run(List.of("nvidia-smi", query, "--format=csv,noheader")).out().strip();
    } catch (IOException e) {
      return "a GPU that nvidia-smi does not tell";
    }
  }

  /** Tokens/s; none where something went wrong, which is said: one must not cost the others. */
  private static OptionalDouble measured(List<String> weft, Path models, Figure figure)
      throws InterruptedException {
    var command = new ArrayList<>(weft);
    command.addAll(List.of("bench", "--backend=cuda", "--json"));
    command.addAll(figure.options());
    command.add(path(models, figure.model()).toString());
    try {
      var out = PeerProcess.run(command).out();
      int at = out.indexOf("\"" + figure.test() + "\"");
      return rate(out.substring(Math.max(0, at)));
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return OptionalDouble.empty();
    }
  }

  private static OptionalDouble rate(String out) {
    var rate = PeerProcess.number(out, "tokens_per_second");
    if (rate.isEmpty()) System.err.println("no number: " + out.strip());
    return rate.map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }

  /** Of those that there are. */
  private static OptionalDouble median(List<OptionalDouble> rates) {
    var sorted = rates.stream().flatMapToDouble(OptionalDouble::stream).sorted().toArray();
    if (sorted.length == 0) return OptionalDouble.empty();
    int half = sorted.length / 2;
    boolean isOdd = sorted.length % 2 == 1;
    return OptionalDouble.of(isOdd ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
  }

  /** torch by weft-bench/torch-peer.py, where this machine's python3 has it. */
  private static final class Torch {
    private final String script;
    private final String version;

    Torch(String script) throws InterruptedException {
      this.script = script;
      String found = "";
      try {
        var asked = List.of("python3", "-c", "import torch; print(torch.__version__)");
        found = PeerProcess.run(asked).out().strip();
      } catch (IOException e) {
        // There is none, which the table says.
      }
      version = found;
    }

    boolean isThere() {
      return !version.isEmpty();
    }

    String said(int turns) {
      if (!isThere()) return "torch 2.11 of another day";
      return "torch %s in turns with Weft, medians of %d".formatted(version, turns);
    }

    OptionalDouble measured(List<String> asked) throws InterruptedException {
      var command = new ArrayList<>(List.of("python3", script));
      command.addAll(asked);
      try {
        return rate(PeerProcess.run(command).out());
      } catch (IOException e) {
        System.err.println(e.getMessage());
        return OptionalDouble.empty();
      }
    }
  }

  private static String said(OptionalDouble rate) {
    return rate.isEmpty() ? "failed" : whole(rate.getAsDouble());
  }

  private static String line(
      Figure figure, OptionalDouble measured, double oneStream, String torch) {
    double asked = figure.must() < 1 ? figure.must() * oneStream : figure.must();
    var must = asked > 0 ? whole(asked) : "";
    return "| %s | %s | %s | %s | %s |"
        .formatted(figure.name(), said(measured), must, figure.peers().llama(), torch);
  }

  private static String whole(double rate) {
    return String.format(Locale.ROOT, "%,.0f", rate);
  }

  /** The second of two runs, for which the first has left what a cache keeps. */
  private static String firstToken(List<String> weft, Path models, String kernels)
      throws InterruptedException {
    var command = new ArrayList<>(weft);
    command.addAll(
        List.of(
            "run",
            "--backend=cuda",
            "--aot-cache=" + kernels,
            "--max-tokens=1",
            "--tokens=1,2,3",
            path(models, LLAMA).toString()));
    try {
      PeerProcess.run(command);
      double seconds = PeerProcess.run(command).seconds();
      return String.format(
          Locale.ROOT,
          "| Llama-1B BF16, a token from the start, seconds | %.2f | 1.5 | | |",
          seconds);
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return "| Llama-1B BF16, a token from the start, seconds | failed | 1.5 | | |";
    }
  }

  private static void write(Path file, List<String> lines) throws IOException {
    var text = Files.readString(file);
    int from = text.indexOf(BEGIN);
    int to = text.indexOf(END);
    if (from < 0 || to < from) throw new IOException(file + " has no place for the table");
    var table = String.join("\n", lines);
    Files.writeString(
        file, text.substring(0, from) + BEGIN + "\n" + table + "\n" + text.substring(to));
  }
}
