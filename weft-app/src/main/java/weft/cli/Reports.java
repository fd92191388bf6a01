package weft.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import weft.experts.Traffic;
import weft.generate.EngineReport;
import weft.load.LayerReport;
import weft.load.Phase;
import weft.load.Trace;
import weft.load.Work;

/** Tables about a run: where its time went, and what left each layer. */
final class Reports {
  private Reports() {}

  static void trace(Trace trace, Output out) {
    phases("", trace, out);
    phases("guessing, ", trace.guesses(), out);
    phases("looking, ", trace.looks(), out);
  }

  private static void phases(String whose, Trace trace, Output out) {
    for (var phase : Phase.values()) {
      var summary = trace.summary(phase);
      if (summary.steps() > 0) phase(whose + phase.name().toLowerCase(Locale.ROOT), summary, out);
    }
  }

  /** What came of guesses, where there were any. */
  static void guesses(EngineReport report, Output out) {
    var drafted = report.guesses().drafted();
    var accepted = report.guesses().accepted();
    if (drafted.isEmpty()) return;
    out.printf(
        "%nguesses: %d of %d held, %.2f tokens a pass%n",
        report.acceptedTokens(), report.draftedTokens(), report.tokensPerPass());
    var table = new Table("depth", "drafted", "accepted", "share").right(0, 1, 2, 3);
    for (int i = 0; i < drafted.size(); i++) {
      double share = 100.0 * accepted.get(i) / drafted.get(i);
      table.row(i + 1, drafted.get(i), accepted.get(i), "%.0f%%".formatted(share));
    }
    table.print(out);
  }

  static void experts(Traffic traffic, Output out) {
    out.printf(
        "%nexperts: %d hits, %d late, %d misses (%.1f%% hits); %d guessed, %d promoted; %s read,"
            + " %.1f ms waited; %d slots of %s%n",
        traffic.hits(),
        traffic.late(),
        traffic.misses(),
        100 * traffic.hitRate(),
        traffic.guessed(),
        traffic.promotions(),
        Units.bytes(traffic.bytes()),
        traffic.stall().toNanos() / 1e6,
        traffic.slots(),
        Units.bytes(traffic.slotBytes()));
  }

  private static void phase(String name, Trace.Summary summary, Output out) {
    double total = summary.time().toNanos();
    out.printf(
        "%n%s: %d tokens in %d steps, %.1f ms, %.1f tokens/s%n",
        name, summary.tokens(), summary.steps(), total / 1e6, summary.tokens() / total * 1e9);
    var table =
        new Table(
                "operation", "kernel", "count", "time ms", "share", "average us", "GB/s", "GFLOP/s")
            .right(2, 3, 4, 5, 6, 7);
    var launches = Duration.ZERO;
    for (var row : summary.rows()) {
      launches = launches.plus(row.time());
      row(table, row, total);
    }
    var between = summary.time().minus(launches);
    row(table, new Trace.Row("between launches", "", summary.steps(), between, Work.NONE), total);
    table.print(out);
  }

  private static void row(Table table, Trace.Row row, double total) {
    double nanos = row.time().toNanos();
    table.row(
        row.operation(),
        row.kernel(),
        row.count(),
        "%.2f".formatted(nanos / 1e6),
        "%.1f%%".formatted(100 * nanos / total),
        "%.1f".formatted(nanos / 1e3 / row.count()),
        rate(row.work().bytes(), nanos),
        rate(row.work().operations(), nanos));
  }

  /** Per nanosecond, that is in billions a second; nothing where nothing was counted. */
  private static String rate(double amount, double nanos) {
    return amount == 0 || nanos == 0 ? "" : "%.1f".formatted(amount / nanos);
  }

  static void layers(List<LayerReport> layers, Output out) {
    var table = new Table("after", "min", "max", "mean", "not finite").right(1, 2, 3, 4);
    for (var layer : layers) {
      table.row(
          layer.layer(),
          "%.5g".formatted(layer.min()),
          "%.5g".formatted(layer.max()),
          "%.5g".formatted(layer.mean()),
          layer.notFinite() + " of " + layer.count());
    }
    table.print(out);
  }
}
