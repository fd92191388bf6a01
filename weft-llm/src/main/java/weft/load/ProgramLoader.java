package weft.load;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.Planner;
import weft.backend.PreparedWeights;
import weft.backend.Service;
import weft.compile.CompileException;
import weft.ir.Graph;
import weft.ir.IrException;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.lir.ProgramException;
import weft.lir.Signature;
import weft.net.ModelException;

/**
 * Makes a plan's programs, or finds those of earlier runs, and loads them over the one set of
 * prepared weights, which it owns.
 */
final class ProgramLoader implements AutoCloseable {
  /** A phase's program for some of the graph's outputs. */
  private record Made(Phase phase, Set<String> outputs) {}

  private final Device device;
  private final Plan plan;
  private final PreparedWeights weights;
  private final ProgramCache programs;
  private final Consumer<String> progress;
  private final Consumer<String> warnings;
  private final Map<Made, String> keys = new HashMap<>();
  private final Map<Executables.Key, Program> planned = new HashMap<>();
  private Optional<Planner.Demand> demand = Optional.empty();
  private final Set<Service.Kind> warned = EnumSet.noneOf(Service.Kind.class);

  ProgramLoader(
      Device device,
      Plan plan,
      ProgramCache programs,
      Consumer<String> progress,
      Consumer<String> warnings) {
    this(device, plan, device.prepare(plan.weights()), programs, progress, warnings);
  }

  private ProgramLoader(
      Device device,
      Plan plan,
      PreparedWeights weights,
      ProgramCache programs,
      Consumer<String> progress,
      Consumer<String> warnings) {
    this.device = device;
    this.plan = plan;
    this.weights = weights;
    this.programs = programs;
    this.progress = progress;
    this.warnings = warnings;
  }

  /** The loader of another graph over the same weights, which stay this one's. */
  ProgramLoader over(Plan other) {
    return new ProgramLoader(device, other, weights, programs, progress, warnings);
  }

  /**
   * What the device would take of its own memory for the largest programs of all phases, in their
   * order; empty where it works in this process's. Nothing is loaded.
   */
  Optional<Planner.Demand> demand() {
    if (demand.isEmpty()) demand = device.planner().map(this::demand);
    return demand;
  }

  private Planner.Demand demand(Planner planner) {
    var programs = new ArrayList<Program>();
    for (var phase : Phase.values()) programs.add(planned(phase, plan.limits().get(phase)));
    return planner.demand(programs, weights);
  }

  /** Kept until it is loaded: making it takes a while. */
  private Program planned(Phase phase, Bounds bounds) {
    var key = new Executables.Key(phase, bounds, Plan.LOGITS);
    var known = planned.get(key);
    if (known != null) return known;
    var made = sound(phase, bounds, Plan.LOGITS);
    planned.put(key, made);
    return made;
  }

  /** A program that is ready to run. The caller closes it. */
  Executable load(Phase phase, Bounds bounds, Set<String> outputs) {
    var name = phase.name().toLowerCase(Locale.ROOT);
    progress.accept("compiling %s for up to %d tokens".formatted(name, bounds.tokens()));
    var planned = this.planned.remove(new Executables.Key(phase, bounds, outputs));
    var program = planned != null ? planned : sound(phase, bounds, outputs);
    var executable = device.load(program, weights);
    warnOfSlower(executable);
    progress.accept("running " + name);
    return executable;
  }

  /** A graph that was built and cannot be compiled has numbers that only the checkpoint gave. */
  private Program sound(Phase phase, Bounds bounds, Set<String> outputs) {
    try {
      return program(phase, bounds, outputs);
    } catch (IrException | ProgramException | CompileException e) {
      throw new ModelException(
          "the checkpoint's numbers do not make a program: " + e.getMessage(), e);
    }
  }

  /** The program of these bounds that computes these outputs. */
  Program program(Phase phase, Bounds bounds, Set<String> outputs) {
    var graph = plan.graph().keeping(outputs);
    var pipeline = plan.pipelines().get(phase);
    return programs.get(
        () -> key(new Made(phase, outputs), graph) + "\n" + bounds,
        () -> Signature.of(graph, bounds, device.target().alignment()),
        () -> pipeline.compile(graph, bounds));
  }

  /** Printing a whole graph takes a while. */
  private String key(Made made, Graph graph) {
    return keys.computeIfAbsent(
        made, m -> ProgramKey.of(plan.pipelines().get(m.phase), graph, plan.stored()));
  }

  /** How often a program had to be compiled. */
  int compilations() {
    return programs.compilations();
  }

  /** Says what a user should know, while the model runs. */
  void warn(String sentence) {
    warnings.accept(sentence);
  }

  /** A device that leaves single launches to slower kernels is slow, and its user should know. */
  private void warnOfSlower(Executable executable) {
    var services = executable.services();
    var served = new ArrayList<SlowerKernels.Served>();
    for (int i = 0; i < services.size(); i++) {
      var launch = executable.program().steps().get(i);
      if (!plan.forcedToReference().contains(launch.op().mnemonic())) {
        served.add(new SlowerKernels.Served(LaunchText.label(launch), services.get(i).kind()));
      }
    }
    SlowerKernels.sentences(served)
        .forEach(
            (kind, sentence) -> {
              if (warned.add(kind)) warnings.accept(sentence);
            });
  }

  @Override
  public void close() {
    weights.close();
  }
}
