package weft.bench.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** What clients met, as a table. */
final class ServeReport {
  private static final String BEGIN = "<!-- made by weft-bench/serve -->";
  private static final String END = "<!-- end of what serve made -->";

  private ServeReport() {}

  /** What both servers did under a load, in all repetitions. */
  record Pair(List<Load.Outcome> weft, List<Load.Outcome> peer) {
    Pair() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  static String of(String checkpoint, int threads, Map<Load, Pair> met) {
    var text = new StringBuilder();
    text.append(
        """
        %s of %s, %d threads; milliseconds; Weft / llama-server.

        | prompts | clients | tokens/s | ratio | first token | 95th | gap | 95th |
        |---|--:|--:|--:|--:|--:|--:|--:|
        """
            .formatted(LocalDate.now(), Path.of(checkpoint).getFileName(), threads));
    met.forEach((load, pair) -> text.append(row(load, pair)));
    return text.toString();
  }

  private static String row(Load load, Pair pair) {
    ToDoubleFunction<List<Load.Outcome>> rate =
        of -> quantile(of.stream().mapToDouble(Load.Outcome::tokensPerSecond), 0.5);
    double weft = rate.applyAsDouble(pair.weft);
    double peer = rate.applyAsDouble(pair.peer);
    return String.format(
        Locale.ROOT,
        "| %s (%d%s + %d) | %d | %.1f / %.1f | %.2f | %s | %s | %s | %s |%n",
        load.name(),
        load.prompt(),
        load.shared() > 0 ? ", " + load.shared() + " shared" : "",
        load.reply(),
        load.clients(),
        weft,
        peer,
        weft / peer,
        both(pair, 0.5, Told::first),
        both(pair, 0.95, Told::first),
        gaps(pair, 0.5),
        gaps(pair, 0.95));
  }

  private static String both(Pair pair, double part, ToDoubleFunction<Told> of) {
    return milliseconds(
        quantile(replies(pair.weft).stream().mapToDouble(of), part),
        quantile(replies(pair.peer).stream().mapToDouble(of), part));
  }

  private static String gaps(Pair pair, double part) {
    return milliseconds(
        quantile(
            replies(pair.weft).stream().flatMap(t -> t.gaps().stream()).mapToDouble(d -> d), part),
        quantile(
            replies(pair.peer).stream().flatMap(t -> t.gaps().stream()).mapToDouble(d -> d), part));
  }

  private static List<Told> replies(List<Load.Outcome> outcomes) {
    return outcomes.stream().flatMap(outcome -> outcome.replies().stream()).toList();
  }

  private static String milliseconds(double weft, double peer) {
    return String.format(Locale.ROOT, "%.0f / %.0f", 1000 * weft, 1000 * peer);
  }

  /** NaN of nothing. */
  private static double quantile(DoubleStream values, double part) {
    var sorted = values.sorted().toArray();
    if (sorted.length == 0) return Double.NaN;
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  }

  /** Puts the table where the last one was. */
  static void write(Path file, String report) throws IOException {
    var text = Files.readString(file);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(file + " has no place for the table: " + BEGIN + " and " + END);
    }
    Files.writeString(
        file, text.substring(0, begin + BEGIN.length()) + "\n" + report + text.substring(end));
  }
}
