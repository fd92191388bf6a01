package weft.cli;

import java.util.Locale;
import java.util.OptionalLong;
import tools.jackson.databind.node.ObjectNode;
import weft.load.Check;
import weft.load.Explanation;
import weft.load.Phase;

/** What a model needs to run here, as tables and as JSON. */
final class CheckText {
  private final Check check;

  CheckText(Check check) {
    this.check = check;
  }

  void print(Output out) {
    var decode = check.phases().get(Phase.DECODE);
    var fit = check.memory();
    out.printf("%s on %s, context %d%n", check.family(), decode.target(), fit.context());
    for (var phase : Phase.values()) {
      var explanation = check.phases().get(phase);
      out.printf("%n%s, steps of up to %d tokens%n", name(phase), explanation.bounds().tokens());
      ExplainCommand.kinds(explanation).print(out);
    }
    out.println();
    var memory = new Table("memory", "needed", "").right(1);
    memory.row("weights", Units.bytes(fit.weights()), way());
    memory.row("programs", Units.bytes(fit.programs()), "buffers of the largest steps");
    memory.row(
        "a text of " + fit.context() + " tokens",
        Units.bytes(fit.text()),
        "taken as texts grow, for each of them");
    memory.row("together", Units.bytes(fit.total()), "");
    memory.row("available", size(fit.memory().available()), "");
    memory.row("on " + fit.holder(), size(fit.memory().total()), "");
    memory.print(out);
    out.println();
    out.println(
        fit.fitting() >= fit.context()
            ? "all of it fits"
            : "texts of up to " + fit.fitting() + " tokens fit");
  }

  private String way() {
    if (!check.memory().isHere()) return "copied to the device";
    return switch (check.loading()) {
      case MAP -> "mapped: what is not used need not be there";
      case COPY -> "copied";
      case LOCK -> "mapped, and kept there";
    };
  }

  private static String size(OptionalLong bytes) {
    return bytes.isPresent() ? Units.bytes(bytes.getAsLong()) : "not said";
  }

  private static String name(Phase phase) {
    return phase.name().toLowerCase(Locale.ROOT);
  }

  ObjectNode json() {
    var document = Json.object();
    document.put("family", check.family());
    document.put("target", check.phases().get(Phase.DECODE).target());
    document.put("context", check.memory().context());
    var phases = document.putObject("phases");
    for (var phase : Phase.values()) {
      phases.set(name(phase), ExplainCommand.document(check.phases().get(phase)));
    }
    var services = document.putObject("services");
    check.phases().values().stream()
        .flatMap(each -> each.launches().stream())
        .filter(launch -> !launch.isSetup())
        .map(Explanation.Step::kind)
        .forEach(kind -> services.put(kind, services.path(kind).asInt(0) + 1));
    var memory = document.putObject("memory");
    var fit = check.memory();
    memory.put("holder", fit.holder());
    memory.put("weights_bytes", fit.weights());
    memory.put("programs_bytes", fit.programs());
    memory.put("text_bytes", fit.text());
    memory.put("needed_bytes", fit.total());
    fit.memory().available().ifPresent(bytes -> memory.put("available_bytes", bytes));
    fit.memory().total().ifPresent(bytes -> memory.put("total_bytes", bytes));
    memory.put("fitting_tokens", fit.fitting());
    var remedies = memory.putArray("remedies");
    fit.remedies().forEach(remedies::add);
    return document;
  }
}
