package weft.cpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import weft.backend.Confined;
import weft.backend.HostMailbox;
import weft.backend.HostMemory;
import weft.backend.HostStates;
import weft.backend.MemberExecutable;
import weft.backend.MemorySource;
import weft.backend.OutputRow;
import weft.backend.Service;
import weft.backend.StateSteps;
import weft.backend.Step;
import weft.cpu.emitted.PeakedLaunch;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.RopeTables;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.Script;
import weft.cpu.launch.SharedScratch;
import weft.cpu.launch.Stage;
import weft.cpu.portable.VectorApi;
import weft.cpu.team.Team;
import weft.cpu.team.TeamChoice;
import weft.cpu.team.Teams;
import weft.cpu.team.Worker;
import weft.ir.Op;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;

/**
 * A program bound to kernels. Runs of emitted launches are one native call for each worker; where a
 * launch is Java's, all workers come back for it and meet behind it.
 */
final class CpuExecutable implements MemberExecutable {
  /** Below this, looking at all elements is as quick. */
  private static final int FEWEST_WITH_PEAKS = 1024;

  /**
   * Steps of up to so many rows have calls of their own: a reply with drafts feeds another number
   * of rows at every step, and seldom more.
   */
  private static final int MOST_APART = 16;

  private final Program program;
  private final HostMemory memory;
  private final StateSteps steps;
  private final Confined device;
  private final Confined use = new Confined("the program");
  private final Teams teams;
  private final List<BoundLaunch> kernels = new ArrayList<>();
  private final Map<String, PeakedLaunch> peaked = new HashMap<>();
  private final Optional<KernelLibrary> library;
  private final Map<Integer, Script> scripts = new HashMap<>();

  /** By the rows of a step, where who does it is measured. */
  private final Map<Integer, TeamChoice> choices = new HashMap<>();

  private final long weightBytes;
  private final HostMailbox mailbox = new HostMailbox();
  private final RopeTables ropes;
  private final SharedScratch scratch;

  CpuExecutable(
      Program program,
      CpuWeights weights,
      MemorySource source,
      Confined device,
      Teams teams,
      Optional<KernelLibrary> library,
      HostStates states,
      Predicate<Launch> vectorized) {
    this.program = program;
    this.steps = new StateSteps(program, states.pool());
    this.memory = new HostMemory(program, weights.host(), source);
    this.device = device;
    this.teams = teams;
    this.library = library;
    this.ropes = new RopeTables(program.bounds().tokens());
    this.scratch = new SharedScratch(source);
    try {
      int mostRows = program.bounds().tokens();
      var paging = new Paging(weights.experts(program, memory), new Routers(program));
      var binding =
          new Binding(
              memory, ropes, library, scratch, paging, states.kvType(), teams.most(), mostRows);
      for (var launch : program.steps()) {
        kernels.add(vectorized.test(launch) ? bound(binding, launch) : binding.reference(launch));
      }
      library.ifPresent(this::addPeaks);
      this.weightBytes = weightBytes();
    } catch (RuntimeException | Error e) {
      closeMemory();
      throw e;
    }
  }

  /** Without the vector module, what has no emitted form is the reference's; reports say so. */
  private static BoundLaunch bound(Binding binding, Launch launch) {
    var kernel = binding.bind(launch);
    boolean runs = !(kernel instanceof JavaLaunch) || VectorApi.isPresent();
    return runs ? kernel : binding.reference(launch);
  }

  /** Outputs that come in many elements are searched for the greatest: they get peaks. */
  private void addPeaks(KernelLibrary library) {
    for (var output : program.outputs().entrySet()) {
      var view = output.getValue();
      if (view.type().rowElements() < FEWEST_WITH_PEAKS || !view.hasContiguousRows()) continue;
      for (int i = 0; i < kernels.size(); i++) {
        if (program.steps().get(i).result().equals(view)
            && kernels.get(i) instanceof EmittedLaunch emitted) {
          var rows = new Rows2d(memory, view);
          int most = Math.max(program.bounds().tokens(), program.bounds().wanted());
          var kernel = new PeakedLaunch(emitted, rows, library.peaks(), most);
          kernels.set(i, kernel);
          peaked.put(output.getKey(), kernel);
        }
      }
    }
  }

  private long weightBytes() {
    return program.steps().stream()
        .filter(launch -> !(launch.op() instanceof Op.Embed))
        .flatMap(launch -> launch.operands().stream())
        .filter(operand -> operand instanceof Operand.Weight)
        .map(operand -> memory.tensor((Operand.Weight) operand))
        .mapToLong(tensor -> tensor.rows() * tensor.rowBytes())
        .sum();
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    feed(step, () -> launch(step, 0, kernels.size(), observer));
  }

  @Override
  public void feed(Step step, Runnable launches) {
    Refusal.declared(
        () -> {
          device.during(() -> use.during(() -> steps.feed(step, launches)));
          return step;
        });
  }

  @Override
  public void launch(Step step, int from, int to, Observer observer) {
    long bytes = weightBytes * step.rows();
    if (!teams.areMeasured(bytes)) {
      launch(step, from, to, observer, teams.of(bytes));
      return;
    }
    var choice = choices.computeIfAbsent(step.rows(), _ -> new TeamChoice());
    long start = System.nanoTime();
    launch(step, from, to, observer, teams.of(choice));
    // The launches before a collective and behind it are done by the same team.
    if (to == kernels.size()) choice.took(System.nanoTime() - start);
  }

  private void launch(Step step, int from, int to, Observer observer, Team team) {
    var script = script(step);
    if (from == 0) begin(step, team, script);
    if (from == to) return;
    boolean isWhole = from == 0 && to == kernels.size();
    var some = isWhole ? script.stages() : script.stages(from, to);
    team.run(worker -> walk(step, some, team, worker, observer));
  }

  /** Small steps have a script for each number of rows, all others one. */
  private Script script(Step step) {
    return scripts.computeIfAbsent(
        Math.min(step.rows(), MOST_APART + 1),
        _ -> new Script(kernels, Stage.of(kernels, library, teams.most()), scratch));
  }

  private void begin(Step step, Team team, Script script) {
    memory.fill(step);
    ropes.begin(step);
    script.begin(step, team);
  }

  @Override
  public void send(Step step, Meeting meeting) {
    var rows = HostMailbox.read(program.steps().get(meeting.launch()), memory, step);
    meeting.peers(peer -> ((CpuExecutable) peer).mailbox.put(meeting.as(), rows));
  }

  @Override
  public void join(Step step, Meeting meeting) {
    mailbox.join(program.steps().get(meeting.launch()), memory, step, meeting.as());
  }

  private void walk(Step step, List<Stage> some, Team team, Worker worker, Observer observer) {
    boolean isObserved = worker.index() == 0 && observer != Observer.NONE;
    for (var stage : some) {
      long start = isObserved ? System.nanoTime() : 0;
      stage.run(step, team, worker);
      if (isObserved) report(step, stage, System.nanoTime() - start, observer);
    }
  }

  private void report(Step step, Stage stage, long nanos, Observer observer) {
    for (int i = stage.first(); i < stage.first() + stage.launches(); i++) {
      var launch = program.steps().get(i);
      long share = Math.round(nanos * stage.share(i - stage.first()));
      observer.ran(launch, kernels.get(i).service(step), share);
    }
  }

  @Override
  public List<Service> services() {
    return kernels.stream().map(BoundLaunch::service).toList();
  }

  @Override
  public OutputRow row(String output, int row) {
    var plain = memory.row(StateSteps.output(program, output), row);
    var kernel = peaked.get(output);
    return kernel == null ? plain : kernel.row(plain, row);
  }

  @Override
  public void rest() {
    use.during(
        () -> {
          memory.rest();
          scratch.rest();
        });
  }

  /** Waits for a step that runs. */
  @Override
  public void close() {
    if (!use.close()) return;
    scripts.values().forEach(Script::close);
    closeMemory();
  }

  private void closeMemory() {
    peaked.values().forEach(PeakedLaunch::close);
    memory.close();
    ropes.close();
    scratch.close();
  }
}
