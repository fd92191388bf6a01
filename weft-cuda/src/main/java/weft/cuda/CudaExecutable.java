package weft.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Confined;
import weft.backend.Executable;
import weft.backend.HostMemory;
import weft.backend.KvLayout;
import weft.backend.MemberExecutable;
import weft.backend.NoMemoryException;
import weft.backend.OutputRow;
import weft.backend.Service;
import weft.backend.StatePool;
import weft.backend.StateSteps;
import weft.backend.Step;
import weft.cuda.driver.Driver;
import weft.cuda.driver.OutOfDeviceMemoryException;
import weft.ir.Op;
import weft.lir.Operand;
import weft.lir.Program;
import weft.lir.Region;

/**
 * A program on the device, bound to its memory and {@link #ready} once that is filled. A run tells
 * the device of a step and returns; whoever reads an output waits for it. Steps of a shape that
 * comes again are told as one graph. Owns its buffers.
 */
final class CudaExecutable implements MemberExecutable {
  /** Steps of more rows take longer than it takes to tell them launch by launch. */
  private static final int GRAPH_ROWS = 64;

  /** Shapes that are known; one more takes the place of that which was not told for longest. */
  private static final int GRAPHS = 64;

  private static final Binding.Bound NOTHING = new Binding.Bound(List.of(), List.of(), List.of());

  private final Program program;
  private final CudaWeights weights;
  private final Kernels kernels;
  private final Driver driver;
  private final CudaStorage storage;
  private final StateSteps steps;
  private final Memory buffers;
  private final Memory scratch;
  private final StepArea area;
  private final Binding binding;
  private final Outputs outputs;
  private final boolean hasGraphs;
  private final Deque<Owned> opened = new ArrayDeque<>();
  private final List<Binding.Bound> bound = new ArrayList<>();
  private final List<Call> last = new ArrayList<>();
  private final Meetings meetings;

  /** Of pieces that were told before; one that was told once has none yet. */
  private final Map<Piece, Optional<Driver.Graph>> graphs = new LinkedHashMap<>(16, 0.75f, true);

  private final Confined use = new Confined("the program");
  private final List<Table> tables = new ArrayList<>();
  private boolean isUnderWay;

  /** Behind its last step, where another program's was told behind that. */
  private Optional<Driver.Mark> end = Optional.empty();

  private boolean isEndMarked;

  /** Behind the tokens of a step that follows. */
  private Optional<Driver.Mark> told = Optional.empty();

  /** Launches of a step of some shape: all of them, or those between two collectives. */
  private record Piece(Shape shape, int from, int to) {
    /** Written out as {@link Shape}'s is. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Piece(var s, int f, int t) && f == from && t == to && s.equals(shape);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * from + to) + shape.hashCode();
    }
  }

  /** A table of rows that tokens are looked up in. */
  private record Table(String list, long rows) {}

  CudaExecutable(
      Program program,
      CudaWeights weights,
      Driver driver,
      Kernels kernels,
      CudaStorage storage,
      StatePool pool,
      Backend.Options options) {
    this.program = program;
    this.hasGraphs = !options.isAwaitingLaunches();
    this.driver = driver;
    this.storage = storage;
    this.steps = new StateSteps(program, pool);
    this.weights = weights;
    this.kernels = kernels;
    try {
      var fixed = HostMemory.beforeSteps(program, weights.host());
      opened(fixed::close);
      weights.keepExperts(program, fixed);
      this.buffers = opened(new Memory(driver));
      this.scratch = opened(new Memory(driver));
      buffers.allocate(program.bytes(Region.Lifetime.STEP));
      this.area =
          opened(
              new StepArea(driver, storage, program.bounds(), sections(program), program.slots()));
      this.binding =
          new Binding(
              driver, kernels, weights, fixed, program, buffers, scratch, area, options.kvType());
      this.outputs = opened(new Outputs(driver, program, binding));
      this.meetings = opened(new Meetings(driver, program, binding));
      for (var launch : program.steps()) {
        // Collectives are told between launches.
        boolean isTogether = launch.op() instanceof Op.Collective;
        bound.add(isTogether ? NOTHING : binding.bind(launch));
        if (launch.op() instanceof Op.Embed(var table, var ids)) {
          var list = (Operand.Input) launch.operand(ids);
          tables.add(new Table(list.name(), table.type().dim(0).fixed()));
        }
      }
      last.addAll(outputs.calls());
      binding.allocate();
    } catch (RuntimeException | Error e) {
      abandon();
      throw e;
    }
  }

  /** Sends the weights while the driver compiles the kernels. */
  CudaExecutable ready() {
    try {
      binding.clearCounters();
      Both.of(kernels::compile, weights::send);
      return this;
    } catch (RuntimeException | Error e) {
      abandon();
      throw e;
    }
  }

  private void abandon() {
    weights.forgetMissing();
    free();
  }

  /** Closed with this, or at once where this does not come to be. */
  private <T extends Owned> T opened(T owned) {
    opened.addFirst(owned);
    return owned;
  }

  private static int sections(Program program) {
    return program.steps().stream()
        .flatMap(launch -> launch.operands().stream())
        .filter(o -> o instanceof Operand.Input input && input.name().equals("positions"))
        .mapToInt(o -> o.type().rowElements())
        .max()
        .orElse(1);
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    for (var launch : program.steps()) {
      if (launch.op() instanceof Op.Collective op) throw MemberExecutable.needsMesh(op);
    }
    feed(step, () -> launch(step, 0, bound.size(), observer));
  }

  @Override
  public boolean leads(String output) {
    return pieces() == 1 && outputs.choices(output).isPresent();
  }

  @Override
  public void follow(Step step, Executable last, String output) {
    var other = (CudaExecutable) last;
    try {
      feed(step, () -> launch(step, other, output));
    } catch (OutOfDeviceMemoryException e) {
      throw new NoMemoryException(e.getMessage(), e);
    }
  }

  private void launch(Step step, CudaExecutable leader, String output) {
    leader.markEnd();
    begin(step);
    var leaders = leader.outputs.choices(output).orElseThrow();
    leaders.lead(area.tokens(), step.rows(), vocabulary());
    // Kernels read a step's lists before they wait for each other.
    told = marked(told);
    tell(new Piece(shape(step), 0, bound.size()), Observer.NONE);
  }

  /** Whoever reads its rows waits for what was told up to here, not for what comes behind. */
  private void markEnd() {
    end = marked(end);
    isEndMarked = true;
  }

  private Optional<Driver.Mark> marked(Optional<Driver.Mark> mark) {
    if (mark.isEmpty()) return Optional.of(driver.mark());
    driver.mark(mark.get());
    return mark;
  }

  /** How many tokens there are rows for, wherever they are looked up. */
  private int vocabulary() {
    long least = Integer.MAX_VALUE;
    for (var table : tables) if (table.list.equals("tokens")) least = Math.min(least, table.rows);
    return (int) least;
  }

  @Override
  public void feed(Step step, Runnable launches) {
    use.during(
        () -> {
          requireTokens(step);
          steps.feed(step, launches);
        });
  }

  @Override
  public void launch(Step step, int from, int to, Observer observer) {
    if (from == 0) begin(step);
    tell(shape(step), from, to, observer);
  }

  /** Piece by piece, up to what waits for the calls before it. */
  private void tell(Shape shape, int from, int to, Observer observer) {
    int first = from;
    for (int i = from; i < to; i++) {
      if (!bound.get(i).isWaitedFor()) continue;
      tell(new Piece(shape, first, i + 1), observer);
      long start = System.nanoTime();
      for (var call : bound.get(i).behind()) call.tell(shape);
      if (observer != Observer.NONE) {
        driver.synchronize();
        observer.ran(program.steps().get(i), service(i), System.nanoTime() - start);
      }
      first = i + 1;
    }
    tell(new Piece(shape, first, to), observer);
  }

  /** How many pieces a step has. */
  private int pieces() {
    return meetings.pieces() + (int) bound.stream().filter(Binding.Bound::isWaitedFor).count();
  }

  /** Whether a piece is the step's last; what waits behind its last launch comes in between. */
  private boolean isLast(Piece piece) {
    boolean isWaitedFor = piece.to > piece.from && bound.get(piece.to - 1).isWaitedFor();
    return piece.to == bound.size() && !isWaitedFor;
  }

  Meetings meetings() {
    return meetings;
  }

  @Override
  public void send(Step step, Meeting meeting) {
    meetings.send(meeting, shape(step));
  }

  @Override
  public void join(Step step, Meeting meeting) {
    meetings.join(meeting, shape(step));
  }

  /** Kernels go where tokens say without asking again. */
  private void requireTokens(Step step) {
    for (var table : tables) {
      int[] ids =
          switch (table.list) {
            case "tokens" -> step.tokens();
            case "positions" -> step.positions();
            default -> step.wanted();
          };
      for (int id : ids) {
        if (id < 0 || id >= table.rows) {
          throw new BackendException("token " + id + " is outside the vocabulary of " + table.rows);
        }
      }
    }
  }

  private void begin(Step step) {
    // What the last step was told by must have been read before it is written over. Of the parts
    // of a prompt the next is told while the last still runs; a mesh waits for all of it, for its
    // members know of each other within a step.
    if (isUnderWay && (meetings.pieces() > 1 || !area.awaitRead())) driver.synchronize();
    isUnderWay = true;
    isEndMarked = false;
    outputs.begin(step.wanted().length);
    storage.send();
    area.write(step);
    fill(step);
  }

  private void tell(Piece piece, Observer observer) {
    if (observer != Observer.NONE) observed(piece, observer);
    else if (hasGraphs && piece.shape.rows() <= GRAPH_ROWS) tellAgain(piece);
    else launch(piece);
  }

  /** Launch by launch the first time, from the second on as a graph. */
  private void tellAgain(Piece piece) {
    var known = graphs.get(piece);
    if (known == null) {
      launch(piece);
      forgetOldest();
      graphs.put(piece, Optional.empty());
    } else if (known.isEmpty()) {
      var graph = driver.capture(() -> launch(piece));
      graphs.put(piece, Optional.of(graph));
      driver.launch(graph);
    } else {
      driver.launch(known.get());
    }
  }

  private void forgetOldest() {
    if (graphs.size() < GRAPHS * pieces()) return;
    var oldest = graphs.remove(graphs.keySet().iterator().next());
    if (oldest.isEmpty()) return;
    driver.synchronize();
    oldest.get().close();
  }

  private static Shape shape(Step step) {
    int longest = 1;
    for (var part : step.parts()) {
      longest = Math.max(longest, part.state().position() + part.rows());
    }
    int pages = Math.ceilDiv(longest, KvLayout.POSITIONS);
    int rounded = Integer.highestOneBit(2 * pages - 1);
    return new Shape(step.rows(), step.wanted().length, step.parts().size(), rounded);
  }

  private void fill(Step step) {
    program
        .inputs()
        .forEach(
            (name, view) -> {
              try (var arena = Arena.ofConfined()) {
                var given = step.inputs().get(name).values();
                driver.upload(
                    arena.allocateFrom(ValueLayout.JAVA_FLOAT, given),
                    binding.located(view).address());
              }
            });
  }

  private void launch(Piece piece) {
    for (var launch : bound.subList(piece.from, piece.to)) {
      for (var call : launch.calls()) call.tell(piece.shape);
    }
    if (isLast(piece)) for (var call : last) call.tell(piece.shape);
  }

  private void observed(Piece piece, Observer observer) {
    driver.synchronize();
    for (int i = piece.from; i < piece.to; i++) {
      long start = System.nanoTime();
      for (var call : bound.get(i).calls()) call.tell(piece.shape);
      driver.synchronize();
      observer.ran(program.steps().get(i), service(i), System.nanoTime() - start);
    }
    if (isLast(piece)) for (var call : last) call.tell(piece.shape);
    driver.synchronize();
  }

  private Service service(int index) {
    return new Service(Service.Kind.EMITTED, String.join(", ", new TreeSet<>(kinds(index))));
  }

  /** Names without the numbers that tell kernels of a kind apart. */
  private List<String> kinds(int index) {
    return bound.get(index).kernels().stream().map(n -> n.replaceAll("_[0-9a-f]{8}$", "")).toList();
  }

  @Override
  public List<Service> services() {
    var services = new ArrayList<Service>();
    for (int i = 0; i < bound.size(); i++) services.add(service(i));
    return services;
  }

  @Override
  public OutputRow row(String output, int row) {
    if (isUnderWay && isEndMarked) driver.await(end.orElseThrow());
    else if (isUnderWay) driver.synchronize();
    isUnderWay = false;
    return outputs.row(output, row);
  }

  private void free() {
    opened.forEach(Owned::close);
  }

  /** Waits for a step that runs. */
  @Override
  public void close() {
    if (!use.close()) return;
    CudaDevice.settle(driver);
    for (var graph : graphs.values()) graph.ifPresent(Driver.Graph::close);
    end.ifPresent(Driver.Mark::close);
    told.ifPresent(Driver.Mark::close);
    free();
  }
}
