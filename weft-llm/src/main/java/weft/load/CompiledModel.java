package weft.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.KvType;
import weft.backend.NoMemoryException;
import weft.backend.Planner;
import weft.backend.SequenceState;
import weft.backend.State;
import weft.backend.StatePool;
import weft.experts.Traffic;
import weft.format.Checkpoint;
import weft.generate.Album;
import weft.generate.Gallery;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Seen;
import weft.generate.Session;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.net.Net;

/**
 * A graph on a device, as the generator sees it; owns its executables, its guests and the device.
 */
final class CompiledModel implements Model {
  private final Checkpoint checkpoint;
  private final Device device;
  private final Plan plan;
  private final Beside beside;
  private final ProgramLoader loader;
  private final Executables executables;
  private final LayerProbe probe;
  private final Door door;
  private final boolean isGuest;
  private final boolean isRecurrent;
  private final List<CompiledModel> guests = new ArrayList<>(); // guarded by door
  private volatile Optional<Sighted> sighted = Optional.empty();
  private Optional<Trace> trace = Optional.empty();
  private Optional<Ahead> ahead = Optional.empty(); // guarded by door
  private int stepsAhead; // guarded by door
  private boolean isShortOfMemory; // guarded by door; whether that was said

  CompiledModel(Checkpoint checkpoint, Device device, Plan plan, ProgramLoader loader) {
    this(checkpoint, device, plan, loader, new Door("the model"), false);
  }

  private CompiledModel(
      Checkpoint checkpoint,
      Device device,
      Plan plan,
      ProgramLoader loader,
      Door door,
      boolean isGuest) {
    this.door = door;
    this.isGuest = isGuest;
    this.checkpoint = checkpoint;
    this.device = device;
    this.plan = plan;
    this.isRecurrent = plan.isRecurrent();
    this.beside = Beside.of(plan.graph());
    this.loader = loader;
    this.executables = new Executables(plan.specializations(), plan.limits(), loader::load);
    this.probe = new LayerProbe(device, plan, loader, executables);
  }

  /** Another graph over the same weights, on the same device, behind the same door: within it. */
  CompiledModel guest(Plan other) {
    guests.add(new CompiledModel(checkpoint, device, other, loader.over(other), door, true));
    guests.getLast().trace = trace.map(Trace::guesses);
    return guests.getLast();
  }

  /** Takes pictures of a gallery from now on; the tower is closed before the device is. */
  void see(Plan seeing, Gallery gallery, Runnable closeTower) {
    sighted = Optional.of(new Sighted(seeing, loader.over(seeing), gallery, closeTower));
  }

  @Override
  public boolean takes(Seen picture) {
    return sighted.filter(sight -> sight.takes(picture)).isPresent();
  }

  Plan plan() {
    return plan;
  }

  /** The memory that the states of all sessions share. */
  StatePool stateMemory() {
    return device.pool();
  }

  /** What experts in a budget have cost so far. */
  Optional<Traffic> experts() {
    return device.experts();
  }

  @Override
  public Memory memory() {
    return new Memory(device.pool().bytes(), device.pool().budget());
  }

  @Override
  public long bytesFor(int tokens) {
    return bytesFor(plan.kvType(), tokens);
  }

  /** The same with keys and values kept in some way. */
  long bytesFor(KvType kvType, int tokens) {
    int rows = plan.limits().get(Phase.PREFILL).tokens();
    int drafted = plan.limits().get(Phase.DECODE).tokens();
    return SequenceState.bytesFor(plan.slots(), kvType, tokens, rows, drafted);
  }

  @Override
  public boolean rewindsAnywhere() {
    return plan.rewindsAnywhere();
  }

  /** What a device with memory of its own would take of it; nothing is loaded for this. */
  Optional<Planner.Demand> demand() {
    return alone(loader::demand);
  }

  /** What its checkpoint takes on disk. */
  long fileBytes() {
    return checkpoint.fileBytes();
  }

  Optional<Planner> planner() {
    return device.planner();
  }

  /** Which executable a step of logits runs on. */
  Executables.Key programOf(Bounds step) {
    return executables.keyOf(executables.phaseOf(step), step, Plan.LOGITS);
  }

  int compilations() {
    return loader.compilations();
  }

  /** Measures every launch from now on. */
  Trace trace() {
    var started = new Trace();
    trace = Optional.of(started);
    guests.forEach(guest -> guest.trace = Optional.of(started.guesses()));
    return started;
  }

  /** Runs a step of another graph behind this model's door, measured where this model is. */
  void look(Plan other, Executable executable, weft.backend.Step step) {
    if (trace.isEmpty()) {
      executable.run(step, Executable.Observer.NONE);
      return;
    }
    trace
        .get()
        .looks()
        .step(
            Phase.PREFILL,
            step.rows(),
            launch -> Work.of(launch, step, other.stored(), other.kvType()),
            observer -> executable.run(step, observer));
  }

  /** {@code forced} are the ops that the profile leaves to the reference. */
  Explanation explain(Phase phase, Set<String> forced) {
    var pipeline = plan.pipelines().get(phase);
    var limits = plan.limits().get(phase);
    var services =
        demand()
            .map(demand -> demand.programs().get(phase.ordinal()).services())
            .orElseGet(
                () -> alone(() -> executables.forStep(phase, limits, Plan.LOGITS).services()));
    return Explanation.of(
        phase,
        plan.model().keeping(Plan.LOGITS),
        plan.graph().keeping(Plan.LOGITS),
        pipeline,
        limits,
        plan.context(),
        device.target().name(),
        services,
        forced);
  }

  @Override
  public Session open() {
    return inside(() -> StateSession.open(this, device, plan.slots()));
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
  <T> T inside(Supplier<T> work) {
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
    var told = takeAhead(batch);
    if (told.isPresent()) return told.get();
    requireOwn(batch);
    StateSession.requireRoom(batch, device.pool());
    var chunks = new Chunks(executables, isRecurrent);
    var results = new ArrayList<Logits[]>();
    for (var step : batch) {
      results.add(new Logits[step.wanted()]);
      chunks.add(step, results.getLast());
    }
    if (chunks.isEmpty()) return results;
    // Before the first run nothing is fed, so what the system has no memory for is refused, too.
    StateSession.refused(() -> run(chunks.next(), chunks.isEmpty(), batch));
    while (!chunks.isEmpty()) {
      checkpoint.requireUnchanged();
      run(chunks.next(), chunks.isEmpty(), batch);
    }
    if (batch.size() > 1) device.pool().lookAhead();
    return results;
  }

  /** What a batch gives that was told ahead; where another was, that is taken back. */
  private Optional<List<Logits[]>> takeAhead(List<Step> batch) {
    if (ahead.isEmpty()) return Optional.empty();
    var told = ahead.get();
    ahead = Optional.empty();
    if (!told.is(batch)) {
      told.takeBack();
      return Optional.empty();
    }
    stepsAhead++;
    told.catchUp();
    runAhead(batch, told.run(), told.executable());
    return Optional.of(told.rows(batch));
  }

  /** How many steps were told before somebody asked for them. */
  int stepsAhead() {
    return stepsAhead;
  }

  /** Whether a step can be taken back, so that one may be told before somebody asks for it. */
  boolean runsAhead() {
    return !isGuest && rewindsAnywhere() && device.target().members() == 1;
  }

  /** Tells the device of the step that comes next, if that is known, while this one still runs. */
  private void runAhead(List<Step> batch, List<Chunks.Chunk> run, Executable executable) {
    if (!runsAhead() || trace.isPresent() || !Ahead.isKnown(batch)) return;
    try {
      ahead = Ahead.tell(run, executable, executables, device.pool(), plan.context());
    } catch (NoMemoryException e) {
      // No reply ends for what only makes it quicker: the step is told when somebody asks for it.
      executables.leaveAlone(executable);
      if (!isShortOfMemory) {
        loader.warn("steps are not told before they are asked for: " + e.getMessage());
      }
      isShortOfMemory = true;
    }
  }

  /** Before anything is fed: a batch of the model's own sessions, each once, and none too long. */
  private void requireOwn(List<Step> batch) {
    var seen = new HashSet<Session>();
    for (var step : batch) {
      if (!(step.session() instanceof StateSession own) || !own.isOf(this)) {
        throw new LoadException(
            "a session of another model; each model runs those that its own open() gave");
      }
      if (!seen.add(step.session())) {
        throw new LoadException("one session is in a batch twice; feed its tokens as one step");
      }
      if (!step.tap().isNone() && !points().contains(step.tap().point())) {
        throw new LoadException(
            "the model has no point %s; there are %s".formatted(step.tap().point(), points()));
      }
      beside.require(step);
      requireSeen(step);
      if (step.tokens().length > plan.context() - own.position()) {
        throw new LoadException(
            "a session at position %d is fed %d tokens, but the context holds %d"
                .formatted(own.position(), step.tokens().length, plan.context()));
      }
    }
  }

  private void requireSeen(Step step) {
    for (int id : step.tokens()) {
      if (Album.isRow(id) && !takes(step.album().at(id))) {
        throw new LoadException("a step brings a picture that is not for this model");
      }
    }
  }

  private void run(List<Chunks.Chunk> run, boolean isLast, List<Step> batch) {
    boolean shows = sighted.isPresent() && run.stream().anyMatch(Chunks.Chunk::isPictured);
    var plain = beside.with(Chunks.step(run), run);
    var step = shows ? sighted.orElseThrow().with(plain, run) : plain;
    var programs = shows ? sighted.orElseThrow().executables() : executables;
    var phase = programs.phaseOf(step.bounds());
    var executable = programs.forStep(phase, step.bounds(), outputs(run));
    Consumer<Executable.Observer> task = observer -> executable.run(step, observer);
    if (trace.isPresent()) {
      var before = snapshots(run);
      // By what it is for: a short prompt is one, whichever program runs it.
      var kind = step.wanted().length == step.rows() ? Phase.DECODE : Phase.PREFILL;
      trace.get().step(kind, step.rows(), launch -> work(launch, step), task);
      trace.get().snapshots(kind, snapshots(run).since(before));
    } else {
      task.accept(Executable.Observer.NONE);
    }
    // Before the first row is read, which waits for this step.
    if (run.size() == batch.size() && !shows) runAhead(batch, run, executable);
    int row = 0;
    for (var chunk : run) {
      for (int i = 0; i < chunk.wanted(); i++) {
        var logits = new DeviceLogits(executable.row(Net.LOGITS, row++));
        // The next run of this forward pass may write where these lie.
        chunk.into()[chunk.at() + i] = isLast ? logits : Logits.of(logits.toArray());
      }
    }
    show(run, executable);
  }

  /** The logits, and the points that somebody looks at. */
  private static Set<String> outputs(List<Chunks.Chunk> run) {
    var points = new HashSet<String>();
    for (var chunk : run) if (!chunk.tap().isNone()) points.add(chunk.tap().point());
    if (points.isEmpty()) return Plan.LOGITS;
    points.addAll(Plan.LOGITS);
    return Set.copyOf(points);
  }

  /** Gives those who look at a point their own rows of it. */
  private static void show(List<Chunks.Chunk> run, Executable executable) {
    int row = 0;
    for (var chunk : run) {
      int rows = chunk.tokens().length;
      if (!chunk.tap().isNone()) {
        var point = chunk.tap().point();
        int width = executable.program().outputs().get(point).type().rowElements();
        for (int i = 0; i < rows; i++) {
          var values = new float[width];
          executable.read(point, row + i, values);
          chunk.tap().to().row(chunk.from() + i, values);
        }
      }
      row += rows;
    }
  }

  private Work work(Launch launch, weft.backend.Step step) {
    return Work.of(launch, step, plan.stored(), plan.kvType());
  }

  /** What a step of one token for each of some sequences has to do. */
  Work decodeWork(List<? extends Session> sessions) {
    var parts = new ArrayList<weft.backend.Step.Part>();
    for (var session : sessions) {
      var state = ((StateSession) session).state();
      parts.add(
          new weft.backend.Step.Part(state, 1, 0, List.of(), weft.backend.Step.Origin.WRITTEN));
    }
    int n = parts.size();
    var rows = IntStream.range(0, n).toArray();
    var step = new weft.backend.Step(new int[n], new int[n], rows, parts);
    var program =
        alone(() -> executables.forStep(Phase.DECODE, step.bounds(), Plan.LOGITS)).program();
    return program.steps().stream().map(launch -> work(launch, step)).reduce(Work.NONE, Work::and);
  }

  private static State.Snapshots snapshots(List<Chunks.Chunk> run) {
    return run.stream()
        .map(chunk -> chunk.session().state().snapshots())
        .reduce(State.Snapshots.NONE, State.Snapshots::and);
  }

  @Override
  public int vocabularySize() {
    return plan.vocabulary();
  }

  @Override
  public int contextLength() {
    return plan.context();
  }

  @Override
  public List<String> points() {
    return plan.points();
  }

  @Override
  public Optional<String> diagnose(int[] tokens) {
    var bad = layers(tokens).stream().filter(LayerReport::isBad).findFirst();
    return Optional.of(
        bad.map(LayerReport::toString)
            .orElse("the projection to the vocabulary, for every layer before it is sound"));
  }

  /** What a text has at a point of the model, a row for each token. */
  float[][] hidden(String point, int[] tokens, Runnable between) {
    return alone(() -> probe.hidden(point, tokens, between));
  }

  List<LayerReport> layers(int[] tokens) {
    return alone(() -> probe.layers(tokens));
  }

  /**
   * Ends the use that a thread makes of the model at its next forward pass, and waits for that; a
   * guest goes with its host alone.
   */
  @Override
  public void close() {
    if (isGuest || !door.shut()) return;
    guests.forEach(guest -> guest.executables.close());
    sighted.ifPresent(Sighted::close);
    executables.close();
    loader.close();
    device.close();
  }

  /** A state may outlive the model, and nobody uses its memory then. */
  void giveBack(State state) {
    door.behind(state::close);
  }
}
