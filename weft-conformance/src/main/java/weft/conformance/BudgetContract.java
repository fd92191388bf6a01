package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import weft.backend.Backend;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.KvType;
import weft.backend.NoRoomException;
import weft.backend.PreparedWeights;
import weft.backend.State;
import weft.backend.Step;
import weft.compile.Pipeline;
import weft.conformance.Rig.Layout;
import weft.ir.Op;
import weft.ir.Slot;
import weft.lir.Bounds;

/**
 * What a device with a budget for states promises: it never holds more, and a step that would is
 * refused by a {@link NoRoomException} before anything of it ran.
 */
final class BudgetContract implements AutoCloseable {
  private static final Slot.KeyValue SLOT = new Slot.KeyValue("kv", 2, 32, 32, Slot.UNBOUNDED);
  private static final int LARGEST_STEP = 80;

  private final Device device;
  private final Executable executable;
  private final PreparedWeights weights;
  private final List<String> failures = new ArrayList<>();

  private BudgetContract(Device device) {
    this.device = device;
    var row = row();
    var pipeline = Pipeline.of(device.target(), row.stored(), Set.of());
    this.weights = device.prepare(row.tensors()::get);
    this.executable =
        device.load(pipeline.compile(row.graph(), new Bounds(LARGEST_STEP, 1)), weights);
  }

  static List<String> failures(Backend backend, Backend.Options options) {
    var floats = options.withKvType(KvType.F32);
    long page;
    try (var device = backend.open(floats);
        var contract = new BudgetContract(device);
        var state = contract.fresh()) {
      contract.feed(part(state, 1));
      page = device.pool().bytes();
    }
    try (var device = backend.open(floats.withMemoryBudget(3 * page));
        var contract = new BudgetContract(device)) {
      contract.refusesWhatDoesNotFit(page);
      contract.forksTakeNothing(page);
      return contract.failures;
    }
  }

  private static Row row() {
    var rig = new Rig();
    var q = rig.heads(2, 32, Layout.WHOLE);
    var attended = rig.add(new Op.Attend(SLOT, q, q, q, new Op.Scores(0.3f, 0)));
    rig.output("out", rig.add(new Op.Merge(attended)));
    return rig.row("budget", Script.SHORT);
  }

  private State fresh() {
    return device.state(executable.program().slots());
  }

  private static Step.Part part(State state, int rows) {
    return new Step.Part(state, rows);
  }

  private void feed(Step.Part... parts) {
    var tokens = new ArrayList<Integer>();
    var positions = new ArrayList<Integer>();
    for (var part : parts) {
      for (int i = 0; i < part.rows(); i++) {
        positions.add(part.state().position() + i);
        tokens.add((part.state().position() + i) * 7 % Rig.VOCABULARY);
      }
    }
    executable.run(
        new Step(ints(tokens), ints(positions), new int[] {0}, List.of(parts)),
        Executable.Observer.NONE);
  }

  private static int[] ints(List<Integer> numbers) {
    return numbers.stream().mapToInt(n -> n).toArray();
  }

  private void refusesWhatDoesNotFit(long page) {
    try (var first = fresh();
        var second = fresh()) {
      feed(part(first, 64), part(second, 10));
      require(device.pool().bytes() == 2 * page, "two pages take " + device.pool().bytes());
      refuses("a step of two that fit one by one", page, part(first, 1), part(second, 60));
      refuses("a step that alone is too large", page, part(second, 54), part(first, 26));
      require(first.position() == 64 && second.position() == 10, "a refused step was fed");
      feed(part(first, 1), part(second, 54));
      require(device.pool().free() == 0, "of three pages some are free when all are taken");
      first.rewind(64);
      require(device.pool().free() == page, "a rewind gives no page back");
      feed(part(second, 1));
    }
    require(device.pool().bytes() == 0, "closed states hold " + device.pool().bytes() + " bytes");
  }

  private void refuses(String what, long page, Step.Part... parts) {
    long before = device.pool().bytes();
    // Whatever fits of it is taken first: only the last page is left.
    try (var hog = fresh()) {
      feed(part(hog, 1));
      feed(parts);
      failures.add("budget: " + what + " is not refused");
    } catch (NoRoomException e) {
      require(e.needed() == page, what + " needs " + page + " bytes, said are " + e.needed());
    }
    require(device.pool().bytes() == before, what + " has left something behind");
  }

  private void forksTakeNothing(long page) {
    try (var state = fresh()) {
      feed(part(state, 70));
      try (var fork = state.fork(70);
          var other = state.fork(64)) {
        require(device.pool().bytes() == 2 * page, "forks take memory before they write");
        feed(part(fork, 1));
        require(device.pool().free() == 0, "the first write to a shared page copies no page");
        feed(part(state, 1));
        try {
          feed(part(other, 1));
          failures.add("budget: a fork's own page is not counted");
        } catch (NoRoomException e) {
          require(other.position() == 64, "a refused fork has moved");
        }
      }
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) failures.add("budget: " + otherwise);
  }

  @Override
  public void close() {
    executable.close();
    weights.close();
  }
}
