package weft.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.KvType;
import weft.backend.PreparedWeights;
import weft.backend.Service;
import weft.backend.State;
import weft.backend.StatePool;
import weft.backend.Weights;
import weft.compile.CompileException;
import weft.compile.Pipeline;
import weft.format.Checkpoint;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Session;
import weft.ir.Graph;
import weft.ir.IrException;
import weft.ir.Slot;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.lir.Program;
import weft.lir.ProgramException;
import weft.lir.Signature;
import weft.net.ModelException;

/** A graph on a device, as the generator sees it; owns its executables and the device. */
final class CompiledModel implements Model {
  /**
   * The graph with its pipelines, what is needed to load it, and the largest steps. Steps beyond
   * the limits are run in several.
   */
  record Plan(
      Graph graph,
      List<Slot> slots,
      Weights weights,
      Map<Phase, Pipeline> pipelines,
      Map<Phase, Specialization> specializations,
      Map<Phase, Bounds> limits,
      int vocabulary,
      int context,
      KvType kvType,
      Set<String> forcedToReference) {
    Plan {
      // One list for all sessions: a step is then known by it.
      slots = List.copyOf(slots);
    }
  }

  /**
   * A recurrent state stops only between passes, and the end of a prompt is what the next one most
   * often changes: so many tokens go in by themselves.
   */
  private static final int TAIL = 32;

  private final Checkpoint checkpoint;
  private final Device device;
  private final Plan plan;
  private final PreparedWeights weights;
  private final ProgramCache programs;
  private final Executables executables;
  private final LayerProbe probe;
  private final Consumer<String> progress;
  private final Consumer<String> warnings;
  private final Set<Service.Kind> warned = EnumSet.noneOf(Service.Kind.class);
  private final Map<Phase, String> keys = new EnumMap<>(Phase.class);
  private final Door door = new Door("the model");
  private Optional<Trace> trace = Optional.empty();

  CompiledModel(
      Checkpoint checkpoint,
      Device device,
      Plan plan,
      ProgramCache programs,
      LayerProbe probe,
      Consumer<String> progress,
      Consumer<String> warnings) {
    this.checkpoint = checkpoint;
    this.device = device;
    this.progress = progress;
    this.warnings = warnings;
    this.plan = plan;
    this.weights = device.prepare(plan.weights);
    this.programs = programs;
    this.probe = probe;
    this.executables = new Executables(plan.specializations, plan.limits, this::compile);
  }

  /** Printing a whole graph takes a while. */
  private String key(Phase phase) {
    return keys.computeIfAbsent(
        phase, p -> ProgramKey.of(plan.pipelines.get(p), plan.graph, plan.weights.stored()));
  }

  private Executable compile(Phase phase, Bounds bounds) {
    progress.accept(
        "compiling %s for up to %d tokens"
            .formatted(phase.name().toLowerCase(Locale.ROOT), bounds.tokens()));
    var executable = device.load(programOf(phase, bounds), weights);
    warnOfSlower(executable);
    progress.accept("running " + phase.name().toLowerCase(Locale.ROOT));
    return executable;
  }

  /** A graph that was built and cannot be compiled has numbers that only the checkpoint gave. */
  private Program programOf(Phase phase, Bounds bounds) {
    try {
      return program(phase, bounds);
    } catch (IrException | ProgramException | CompileException e) {
      throw new ModelException(
          "the checkpoint's numbers do not make a program: " + e.getMessage(), e);
    }
  }

  /** A device that leaves single launches to slower kernels is slow, and its user should know. */
  private void warnOfSlower(Executable executable) {
    var services = executable.services();
    var served = new ArrayList<SlowerKernels.Served>();
    for (int i = 0; i < services.size(); i++) {
      var launch = executable.program().steps().get(i);
      if (!plan.forcedToReference.contains(launch.op().mnemonic())) {
        served.add(new SlowerKernels.Served(LaunchText.label(launch), services.get(i).kind()));
      }
    }
    SlowerKernels.sentences(served)
        .forEach(
            (kind, sentence) -> {
              if (warned.add(kind)) warnings.accept(sentence);
            });
  }

  /** The program that steps of these bounds run. */
  Program program(Phase phase, Bounds bounds) {
    return programs.get(
        () -> key(phase) + "\n" + bounds,
        () -> Signature.of(plan.graph, bounds, device.target().alignment()),
        () -> plan.pipelines.get(phase).compile(plan.graph, bounds));
  }

  Plan plan() {
    return plan;
  }

  /** The memory that the states of all sessions share. */
  StatePool stateMemory() {
    return device.pool();
  }

  int compilations() {
    return programs.compilations();
  }

  /** Measures every launch from now on. */
  Trace trace() {
    var started = new Trace();
    trace = Optional.of(started);
    return started;
  }

  /** {@code forced} are the ops that the profile leaves to the reference. */
  Explanation explain(Phase phase, Set<String> forced) {
    var pipeline = plan.pipelines.get(phase);
    var limits = plan.limits.get(phase);
    var services = alone(() -> executables.forStep(phase, limits).services());
    return Explanation.of(
        phase,
        plan.graph,
        pipeline,
        limits,
        plan.context,
        device.target().name(),
        services,
        forced);
  }

  @Override
  public Session open() {
    return inside(() -> new StateSession(this, device.state(plan.slots)));
  }

  @Override
  public Claim claim() {
    door.enter();
    return door::leave;
  }

  /** Does something that reads the weights. */
  private <T> T alone(Supplier<T> work) {
    return inside(() -> checkpoint.reading(work));
  }

  /** Does something in the claim of the calling thread, or in one for as long as it takes. */
  private <T> T inside(Supplier<T> work) {
    if (door.isMine()) {
      door.requireOpen();
      return work.get();
    }
    try (var _ = claim()) {
      return work.get();
    }
  }

  @Override
  public List<Logits[]> forward(List<Step> batch) {
    return alone(() -> advance(batch));
  }

  private List<Logits[]> advance(List<Step> batch) {
    requireOwn(batch);
    var pieces = new ArrayList<Piece>();
    var results = new ArrayList<Logits[]>();
    for (var step : batch) {
      results.add(new Logits[step.wanted()]);
      pieces.addAll(pieces(step, results.getLast()));
    }
    while (!pieces.isEmpty()) {
      var run = nextRun(pieces);
      run(run, pieces.isEmpty());
      if (!pieces.isEmpty()) checkpoint.requireUnchanged();
    }
    return results;
  }

  /** Before anything is fed: a batch of the model's own sessions, each once, and none too long. */
  private void requireOwn(List<Step> batch) {
    var seen = new HashSet<Session>();
    for (var step : batch) {
      if (!(step.session() instanceof StateSession own) || own.model != this) {
        throw new LoadException(
            "a session of another model; each model runs those that its own open() gave");
      }
      if (!seen.add(step.session())) {
        throw new LoadException("one session is in a batch twice; feed its tokens as one step");
      }
      if (step.tokens().length > plan.context - own.position()) {
        throw new LoadException(
            "a session at position %d is fed %d tokens, but the context holds %d"
                .formatted(own.position(), step.tokens().length, plan.context));
      }
    }
  }

  /** Part of a step that fits a program: tokens to feed, and where the wanted rows go. */
  private record Piece(
      StateSession session, int[] tokens, int wanted, int drafted, Logits[] into, int at) {}

  private List<Piece> pieces(Step step, Logits[] into) {
    var limits = executables.limits(bounds(step.tokens().length, step.wanted()));
    var session = (StateSession) step.session();
    int n = step.tokens().length;
    int firstWanted = n - step.wanted();
    var pieces = new ArrayList<Piece>();
    int done = 0;
    for (int from = 0; from < n; ) {
      int to = Math.min(n, from + limits.tokens());
      if (to == n && to - from >= 2 * TAIL && isRecurrent()) to -= TAIL;
      to = Math.min(to, Math.max(firstWanted, from) + limits.wanted());
      int wanted = Math.max(0, to - Math.max(firstWanted, from));
      int drafted = Math.max(0, to - Math.max(n - step.drafted(), from));
      var tokens = Arrays.copyOfRange(step.tokens(), from, to);
      pieces.add(new Piece(session, tokens, wanted, drafted, into, done));
      done += wanted;
      from = to;
    }
    return pieces;
  }

  private static Bounds bounds(int tokens, int wanted) {
    return new Bounds(tokens, Math.max(1, wanted));
  }

  private boolean isRecurrent() {
    return plan.slots.stream().anyMatch(slot -> !(slot instanceof Slot.KeyValue));
  }

  /** Takes pieces for one run off the list: one a session, within the limits. */
  private List<Piece> nextRun(List<Piece> pieces) {
    var run = new ArrayList<Piece>();
    var sessions = new HashSet<StateSession>();
    int tokens = 0;
    int wanted = 0;
    for (var all = pieces.iterator(); all.hasNext(); ) {
      var piece = all.next();
      int runTokens = tokens + piece.tokens.length;
      int runWanted = wanted + piece.wanted;
      var bounds = bounds(runTokens, runWanted);
      boolean fits = executables.limits(bounds).covers(bounds);
      // A session's pieces run in order, so a later one waits for the next run.
      if (!sessions.add(piece.session) || !run.isEmpty() && !fits) continue;
      run.add(piece);
      all.remove();
      tokens = runTokens;
      wanted = runWanted;
    }
    return run;
  }

  private void run(List<Piece> run, boolean isLast) {
    int tokens = run.stream().mapToInt(p -> p.tokens.length).sum();
    int wanted = run.stream().mapToInt(p -> p.wanted).sum();
    var ids = new int[tokens];
    var positions = new int[tokens];
    var wantedRows = new int[wanted];
    var parts = new ArrayList<weft.backend.Step.Part>();
    int at = 0;
    int row = 0;
    for (var piece : run) {
      var state = piece.session.state();
      int n = piece.tokens.length;
      for (int i = 0; i < n; i++) {
        ids[at + i] = piece.tokens[i];
        positions[at + i] = state.position() + i;
      }
      for (int i = n - piece.wanted; i < n; i++) wantedRows[row++] = at + i;
      parts.add(new weft.backend.Step.Part(state, n, piece.drafted));
      at += n;
    }
    var step = new weft.backend.Step(ids, positions, wantedRows, parts);
    var phase = executables.phaseOf(step.bounds());
    var executable = executables.forStep(phase, step.bounds());
    Consumer<Executable.Observer> task = observer -> executable.run(step, observer);
    if (trace.isPresent()) {
      var before = snapshots(run);
      trace.get().step(phase, tokens, launch -> work(launch, step), task);
      trace.get().snapshots(phase, snapshots(run).since(before));
    } else {
      task.accept(Executable.Observer.NONE);
    }
    row = 0;
    for (var piece : run) {
      for (int i = 0; i < piece.wanted; i++) {
        var logits = new DeviceLogits(executable.row("logits", row++));
        // The next run of this forward pass may write where these lie.
        piece.into[piece.at + i] = isLast ? logits : Logits.of(logits.toArray());
      }
    }
  }

  private Work work(Launch launch, weft.backend.Step step) {
    return Work.of(launch, step, plan.weights, plan.kvType);
  }

  /** What a step of one token for each of some sequences has to do. */
  Work decodeWork(List<? extends Session> sessions) {
    var parts = new ArrayList<weft.backend.Step.Part>();
    for (var session : sessions) {
      parts.add(new weft.backend.Step.Part(((StateSession) session).state(), 1));
    }
    int n = parts.size();
    var rows = IntStream.range(0, n).toArray();
    var step = new weft.backend.Step(new int[n], new int[n], rows, parts);
    var program = alone(() -> executables.forStep(Phase.DECODE, step.bounds())).program();
    return program.steps().stream().map(launch -> work(launch, step)).reduce(Work.NONE, Work::and);
  }

  private static State.Snapshots snapshots(List<Piece> run) {
    return run.stream()
        .map(piece -> piece.session.state().snapshots())
        .reduce(State.Snapshots.NONE, State.Snapshots::and);
  }

  @Override
  public int vocabularySize() {
    return plan.vocabulary;
  }

  @Override
  public int contextLength() {
    return plan.context;
  }

  @Override
  public Optional<String> diagnose(int[] tokens) {
    var bad = layers(tokens).stream().filter(LayerReport::isBad).findFirst();
    return Optional.of(
        bad.map(LayerReport::toString)
            .orElse("the projection to the vocabulary, for every layer before it is sound"));
  }

  /** Every row of every layer's output on this text. */
  void hidden(int[] tokens, LayerProbe.Sink sink) {
    alone(
        () -> {
          probe.hidden(device, weights, tokens, sink);
          return Optional.empty();
        });
  }

  List<LayerReport> layers(int[] tokens) {
    return alone(() -> probe.layers(device, weights, tokens));
  }

  /** Ends the use that a thread makes of the model at its next forward pass, and waits for that. */
  @Override
  public void close() {
    if (!door.shut()) return;
    executables.close();
    weights.close();
    device.close();
  }

  /** A state may outlive the model, and nobody uses its memory then. */
  private void giveBack(State state) {
    door.behind(state::close);
  }

  /** A session is a state of the device; its snapshots are forks of it. */
  private static final class StateSession implements Session {
    private record Fork(CompiledModel model, State state) implements Snapshot {
      @Override
      public int position() {
        return state.position();
      }

      @Override
      public void close() {
        model.giveBack(state);
      }
    }

    private final CompiledModel model;
    private State state;

    StateSession(CompiledModel model, State state) {
      this.model = model;
      this.state = state;
    }

    State state() {
      return state;
    }

    @Override
    public int position() {
      return state.position();
    }

    @Override
    public void rewind(int position) {
      model.inside(
          () -> {
            state.rewind(position);
            return state;
          });
    }

    @Override
    public Snapshot snapshot() {
      return model.inside(() -> new Fork(model, state.fork(state.position())));
    }

    @Override
    public void restore(Snapshot snapshot) {
      if (!(snapshot instanceof Fork(var of, var kept)) || of != model) {
        throw new LoadException("this snapshot is of another kind of session");
      }
      model.inside(
          () -> {
            var again = kept.fork(kept.position());
            state.close();
            state = again;
            return state;
          });
    }

    @Override
    public void close() {
      model.giveBack(state);
    }
  }
}
