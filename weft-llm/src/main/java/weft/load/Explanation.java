package weft.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import weft.backend.Service;
import weft.compile.Divide;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.lir.Program;
import weft.lir.ProgramText;
import weft.lir.Region;

/**
 * How a phase's steps are compiled, as texts and numbers.
 *
 * @param context how many tokens a sequence may have, whatever the bounds of a step
 * @param stages the graph as the model says it, what a member of a mesh has of it where there is
 *     one, then after each pass
 * @param launches what runs at load, then what runs each step
 * @param buffers how many buffers there are
 * @param stepBytes what the buffers of a step take together, sharing places
 * @param unsharedBytes what they would take if each had its own
 * @param programBytes what was computed at load and stays
 * @param program all of it, as text
 */
public record Explanation(
    Phase phase,
    String target,
    Bounds bounds,
    int context,
    List<Stage> stages,
    List<Step> launches,
    int buffers,
    long stepBytes,
    long unsharedBytes,
    long programBytes,
    String program,
    Duration compiling) {
  /** The graph after a pass; a pass that runs again has a number behind its name. */
  public record Stage(String pass, int operations, String graph, boolean isChanged) {}

  /** One launch, the kernel that serves it, and why that one. */
  public record Step(
      boolean isSetup, String operation, String kind, String kernel, String reason, String text) {}

  public Explanation {
    stages = List.copyOf(stages);
    launches = List.copyOf(launches);
  }

  static Explanation of(
      Phase phase,
      Graph model,
      Graph graph,
      Pipeline pipeline,
      Bounds bounds,
      int context,
      String target,
      List<Service> services,
      Set<String> forced) {
    var stages = new ArrayList<Stage>();
    stages.add(stage("model", model, true));
    if (pipeline.target().members() > 1) stages.add(stage(Divide.NAME, graph, true));
    var seen = new HashMap<String, Integer>();
    pipeline.optimize(
        graph,
        (pass, after) -> {
          int times = seen.merge(pass.name(), 1, Integer::sum);
          var name = times == 1 ? pass.name() : pass.name() + "-" + times;
          boolean isChanged = !after.toString().equals(stages.getLast().graph);
          stages.add(stage(name, after, isChanged));
        });
    long start = System.nanoTime();
    var program = pipeline.compile(graph, bounds);
    var compiling = Duration.ofNanos(System.nanoTime() - start);
    return new Explanation(
        phase,
        target,
        bounds,
        context,
        stages,
        steps(program, services, forced),
        program.regions().size(),
        program.bytes(Region.Lifetime.STEP),
        unshared(program),
        program.bytes(Region.Lifetime.PROGRAM),
        program.toString(),
        compiling);
  }

  private static Stage stage(String name, Graph graph, boolean isChanged) {
    return new Stage(name, graph.values().size(), graph.toString(), isChanged);
  }

  private static List<Step> steps(Program program, List<Service> services, Set<String> forced) {
    var steps = new ArrayList<Step>();
    for (var launch : program.setup()) {
      steps.add(step(launch, true, Service.REFERENCE, "runs once, at load"));
    }
    boolean emits = services.stream().anyMatch(s -> s.kind() == Service.Kind.EMITTED);
    for (int i = 0; i < services.size(); i++) {
      var launch = program.steps().get(i);
      var why = reason(launch, services.get(i).kind(), forced, emits);
      steps.add(step(launch, false, services.get(i), why));
    }
    return steps;
  }

  private static Step step(Launch launch, boolean isSetup, Service service, String reason) {
    return new Step(
        isSetup,
        LaunchText.label(launch),
        service.kind().name().toLowerCase(Locale.ROOT),
        service.kernel(),
        reason,
        ProgramText.line(launch));
  }

  /** {@code emits} is whether the device runs emitted code at all. */
  private static String reason(
      Launch launch, Service.Kind kind, Set<String> forced, boolean emits) {
    return switch (kind) {
      case COLLECTIVE -> "members of the mesh send their rows to each other";
      case EMITTED -> "machine code for these encodings and sizes";
      case PORTABLE ->
          emits ? "no emitted kernel takes it" : "the device's kernels are portable: in Java";
      case REFERENCE ->
          forced.contains(launch.op().mnemonic())
              ? "the profile forces it"
              : "no kernel takes these operands";
    };
  }

  /** What the buffers of a step would take if each had a place of its own. */
  private static long unshared(Program program) {
    return program.regions().stream()
        .filter(region -> region.lifetime() == Region.Lifetime.STEP)
        .mapToLong(Region::bytes)
        .sum();
  }
}
