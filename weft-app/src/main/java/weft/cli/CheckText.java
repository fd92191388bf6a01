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
    out.printf("%s on %s, context %d%n", check.family(), decode.target(), check.context());
    for (var phase : Phase.values()) {
      var explanation = check.phases().get(phase);
      out.printf("%n%s, steps of up to %d tokens%n", name(phase), explanation.bounds().tokens());
      ExplainCommand.kinds(explanation).print(out);
    }
    out.println();
    var memory = new Table("memory", "needed", "").right(1);
    memory.row("weights", Units.bytes(check.weights()), way());
    memory.row("programs", Units.bytes(check.programs()), "buffers of the largest steps");
    memory.row(
        "a text of " + check.context() + " tokens",
        Units.bytes(check.text()),
        "taken as texts grow, for each of them");
    memory.row("together", Units.bytes(check.total()), "");
    memory.row("available", size(check.machine().available()), "");
    memory.row("on this machine", size(check.machine().total()), "");
    memory.print(out);
    out.println();
    out.println(
        check.fitting() >= check.context()
            ? "all of it fits"
            : "texts of up to " + check.fitting() + " tokens fit");
  }

  private String way() {
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
    document.put("context", check.context());
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
    memory.put("weights_bytes", check.weights());
    memory.put("programs_bytes", check.programs());
    memory.put("text_bytes", check.text());
    memory.put("needed_bytes", check.total());
    check.machine().available().ifPresent(bytes -> memory.put("available_bytes", bytes));
    check.machine().total().ifPresent(bytes -> memory.put("total_bytes", bytes));
    memory.put("fitting_tokens", check.fitting());
    return document;
  }
}
