package weft.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;
import weft.load.Explanation;
import weft.load.Phase;

/** Shows how a model is compiled. */
@Command(
    name = "explain",
    description = {
      "Shows how a model is compiled: the passes, the kernel of each launch, the buffer plan.",
      "With --after, the graph after that pass; with --check, whether it can run here."
    })
final class ExplainCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions options;

  @Option(
      names = "--phase",
      paramLabel = "prefill|decode",
      description = "Which steps to compile (default: decode).")
  private Phase phase = Phase.DECODE;

  @Option(
      names = "--after",
      paramLabel = "PASS",
      description = "Print the graph after this pass; \"model\" is the graph before all passes.")
  private @Nullable String pass;

  @Option(names = "--launches", description = "List every launch, not each kind once.")
  private boolean isListingAll;

  @Option(names = "--program", description = "Print the whole program, buffers and all.")
  private boolean isWhole;

  @Option(
      names = "--check",
      description =
          "Before anything is loaded: which kernel serves each operation, and the memory needed"
              + " against the memory there; status 1 where it does not fit.")
  private boolean isChecking;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (isChecking) return check();
    try (var opened = options.open(console)) {
      var explanation = opened.language().explain(phase);
      opened.progress().done();
      if (pass != null) {
        console.out().println(graphAfter(explanation, pass));
      } else if (isJson) {
        Json.print(console, document(explanation));
      } else if (isWhole) {
        console.out().println(explanation.program());
      } else {
        print(explanation);
      }
    }
    return 0;
  }

  /** Whether a text of the context that was asked for has room, or any where none was. */
  private int check() {
    var check = options.check(console);
    var text = new CheckText(check);
    if (isJson) Json.print(console, text.json());
    else text.print(console.out());
    var missing = check.memory().missing();
    missing.ifPresent(console::say);
    return missing.isEmpty() ? 0 : 1;
  }

  private static String graphAfter(Explanation explanation, String pass) {
    return explanation.stages().stream()
        .filter(stage -> stage.pass().equals(pass))
        .findFirst()
        .map(Explanation.Stage::graph)
        .orElseThrow(
            () ->
                new UsageException(
                    "no pass is called "
                        + pass
                        + "; there are "
                        + explanation.stages().stream()
                            .map(Explanation.Stage::pass)
                            .collect(Collectors.joining(", "))));
  }

  private void print(Explanation explanation) {
    var out = console.out();
    var bounds = explanation.bounds();
    out.printf(
        "%s for %s: steps of up to %d tokens, %d rows of logits, %d positions%n",
        phaseName(explanation),
        explanation.target(),
        bounds.tokens(),
        bounds.wanted(),
        explanation.context());
    out.printf("compiled in %.1f ms%n%n", explanation.compiling().toNanos() / 1e6);
    var passes = new Table("pass", "values", "").right(1);
    for (var stage : explanation.stages()) {
      passes.row(stage.pass(), stage.operations(), stage.isChanged() ? "" : "no change");
    }
    passes.print(out);
    out.println();
    var launches = isListingAll ? all(explanation) : kinds(explanation);
    launches.print(out);
    out.println();
    out.printf(
        "%d buffers in %s at a step's peak (%s without sharing), %s computed at load%n",
        explanation.buffers(),
        Units.bytes(explanation.stepBytes()),
        Units.bytes(explanation.unsharedBytes()),
        Units.bytes(explanation.programBytes()));
  }

  private static Table all(Explanation explanation) {
    var table = new Table("", "operation", "kind", "kernel", "why").right(0);
    int number = 0;
    for (var step : explanation.launches()) {
      table.row(
          step.isSetup() ? "load" : ++number,
          step.operation(),
          step.kind(),
          step.kernel(),
          step.reason());
    }
    return table;
  }

  /** Layers are alike, so that a few kinds of launches make up the program. */
  static Table kinds(Explanation explanation) {
    var counts = new LinkedHashMap<List<String>, Integer>();
    for (var step : explanation.launches()) {
      var kind =
          List.of(
              step.isSetup() ? "load" : "step",
              step.operation(),
              step.kind(),
              step.kernel(),
              step.reason());
      counts.merge(kind, 1, Integer::sum);
    }
    var table = new Table("at", "launches", "operation", "kind", "kernel", "why").right(1);
    counts.forEach(
        (kind, count) ->
            table.row(kind.get(0), count, kind.get(1), kind.get(2), kind.get(3), kind.get(4)));
    return table;
  }

  private static String phaseName(Explanation explanation) {
    return explanation.phase().name().toLowerCase(Locale.ROOT);
  }

  static ObjectNode document(Explanation explanation) {
    var document = Json.object();
    document.put("phase", phaseName(explanation));
    document.put("target", explanation.target());
    var bounds = document.putObject("bounds");
    bounds.put("tokens", explanation.bounds().tokens());
    bounds.put("wanted", explanation.bounds().wanted());
    bounds.put("context", explanation.context());
    document.put("compile_ms", Json.milliseconds(explanation.compiling()));
    var passes = document.putArray("passes");
    for (var stage : explanation.stages()) {
      passes
          .addObject()
          .put("pass", stage.pass())
          .put("values", stage.operations())
          .put("changed", stage.isChanged());
    }
    var launches = document.putArray("launches");
    for (var step : explanation.launches()) {
      launches
          .addObject()
          .put("at", step.isSetup() ? "load" : "step")
          .put("operation", step.operation())
          .put("kind", step.kind())
          .put("kernel", step.kernel())
          .put("text", step.text());
    }
    var buffers = document.putObject("buffers");
    buffers.put("count", explanation.buffers());
    buffers.put("step_bytes", explanation.stepBytes());
    buffers.put("unshared_bytes", explanation.unsharedBytes());
    buffers.put("program_bytes", explanation.programBytes());
    return document;
  }
}
