package weft.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.KvType;
import weft.backend.PreparedWeights;
import weft.backend.State;
import weft.backend.Step;
import weft.compile.Pipeline;
import weft.conformance.Rig.Layout;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.quant.Encodings;

/** What a device's state promises of rewinding, marking and forking: the same rows as before. */
final class StateContract implements AutoCloseable {
  private static final int WINDOW = 8;
  private static final int LENGTH = 160;
  private static final int BEYOND = 60;
  private static final int LARGEST_STEP = 40;

  private final Device device;
  private final PreparedWeights weights;
  private final Executable executable;
  private final Exactness exactness;
  private final String name;
  private final float[][] straight;
  private final List<String> failures = new ArrayList<>();

  private StateContract(Device device, Row row, KvType type) {
    this.device = device;
    this.name = row.name();
    this.exactness = Exactness.of(type);
    var fusions = Set.copyOf(Pipeline.fusions());
    var pipeline = Pipeline.of(device.target(), row.stored(), fusions);
    var program = pipeline.compile(row.graph(), new Bounds(LARGEST_STEP, 1));
    this.weights = device.prepare(row.tensors()::get);
    this.executable = device.load(program, weights);
    try (var state = fresh()) {
      this.straight = feed(state, LENGTH + BEYOND);
    }
  }

  static List<String> failures(Device device, KvType type) {
    var failures = new ArrayList<String>();
    for (var row : List.of(attention(), recurrence())) {
      try (var contract = new StateContract(device, row, type)) {
        contract.check();
        failures.addAll(contract.failures);
      }
    }
    return failures;
  }

  private static Row attention() {
    var rig = new Rig();
    var all = new Slot.KeyValue("all", 2, 32, 32, Slot.UNBOUNDED);
    var last = new Slot.KeyValue("last", 1, 32, 64, WINDOW);
    var q = rig.heads(2, 32, Layout.WHOLE);
    var wide = rig.add(new Op.Slice(rig.heads(1, 67, Layout.WHOLE), 0, 64));
    var scores = new Op.Scores(0.3f, 0);
    var a = rig.add(new Op.Attend(all, q, q, q, scores));
    var key = rig.heads(1, 32, Layout.PART);
    var b = rig.add(new Op.Attend(last, q, key, wide, scores));
    rig.output("out", rig.add(new Op.Concat(List.of(merged(rig, a), merged(rig, b)))));
    return rig.row("state of attention", Script.SHORT);
  }

  private static Row recurrence() {
    var rig = new Rig();
    var conv =
        rig.add(
            new Op.ShortConv(
                new Slot.Conv("conv", 3, 24),
                rig.rows(24, Layout.WHOLE),
                rig.weight(Encodings.F32, 0, 0.5, 24, 4)));
    var keys = rig.add(new Op.L2Norm(rig.heads(2, 16, Layout.WHOLE), 1e-6f));
    var gates = rig.add(new Op.Map(Fn.SIGMOID, rig.rows(4, Layout.WHOLE)));
    var delta =
        rig.add(
            new Op.DeltaRule(
                new Slot.Delta("delta", 4, 16, 8),
                keys,
                keys,
                rig.heads(4, 8, Layout.WHOLE),
                gates,
                gates,
                Op.Grouping.BLOCKED));
    rig.output("out", rig.add(new Op.Concat(List.of(conv, merged(rig, delta)))));
    return rig.row("state of recurrence", Script.SHORT);
  }

  private static Value merged(Rig rig, Value heads) {
    return rig.add(new Op.Merge(heads));
  }

  private State fresh() {
    return device.state(executable.program().slots());
  }

  private void check() {
    goesOnTheSameInStepsOfAnySize();
    rewindsAndComesBack();
    rewindsToAMark();
    forksGoTheirOwnWay();
  }

  private void goesOnTheSameInStepsOfAnySize() {
    try (var state = fresh()) {
      for (int size : List.of(1, 2, 13, 40, 1, 33)) compare("other steps", state, size);
    }
  }

  private void rewindsAndComesBack() {
    try (var state = fresh()) {
      feed(state, LENGTH);
      require(state.rewind(LENGTH) == LENGTH, "a rewind to where it is moves");
      // Twice: a ring may hold less after the first than its size tells.
      for (int to : List.of(LENGTH - 10, LENGTH - 50, LENGTH - 51, 3, 0)) {
        int reached = state.rewind(to);
        require(reached <= to, "a rewind to " + to + " stops at " + reached);
        require(state.position() == reached, "the position after a rewind is not the one said");
        compare("after a rewind to " + to, state, 1);
        compare("after a rewind to " + to, state, 29);
      }
    }
  }

  private void rewindsToAMark() {
    try (var state = fresh()) {
      compare("before a mark", state, 12);
      state.mark();
      feed(state, 9);
      int reached = state.rewind(12);
      require(reached == 12, "a rewind to a mark at 12 stops at " + reached);
      compare("after a mark", state, 30);
      feed(state, 5);
      require(state.rewind(13) >= 12, "a mark is forgotten by the first rewind to it");
    }
  }

  private void forksGoTheirOwnWay() {
    try (var state = fresh();
        var empty = state.fork(0)) {
      feed(state, 10);
      try (var twin = state.fork(10)) {
        require(twin.position() == 10, "a fork at position 10 is at " + twin.position());
        compare("the original after a fork", state, 40);
        compare("the fork after its original", twin, 40);
      }
      compare("a fork of nothing", empty, 5);
      feed(state, LENGTH - state.position());
      for (int at : List.of(LENGTH, LENGTH - 1, LENGTH - 40, 70, 64, 20)) forksAt(at, state);
      require(state.bytes() > 0, "a state of 50 tokens takes no bytes");
    }
    require(device.pool().bytes() == 0, "closed states hold " + device.pool().bytes() + " bytes");
  }

  /** Where pages are shared whole, in part or not at all, and by two at once. */
  private void forksAt(int at, State state) {
    try (var twin = state.fork(at);
        var third = twin.fork(at)) {
      require(twin.position() <= at, "a fork at " + at + " begins at " + twin.position());
      require(third.position() == twin.position(), "a fork of a fork begins elsewhere");
      compare("a fork at " + at, twin, 9);
      compare("a fork of a fork at " + at, third, 30);
      twin.rewind(twin.position() - 5);
      compare("a fork at " + at + " after a rewind", twin, 7);
    }
    try (var again = state.fork(state.position())) {
      compare("what was forked at " + at, again, 3);
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) failures.add(name + ": " + otherwise);
  }

  /** Feeds {@code count} tokens and compares their rows with those of the straight way. */
  private void compare(String when, State state, int count) {
    int from = state.position();
    var expected = Arrays.copyOfRange(straight, from, from + count);
    Difference.between(expected, feed(state, count), exactness)
        .ifPresent(d -> failures.add(name + ", " + when + ", from position " + from + ": " + d));
  }

  private float[][] feed(State state, int count) {
    int width = executable.program().outputs().get("out").type().rowElements();
    var rows = new float[count][width];
    for (int done = 0; done < count; ) {
      int n = Math.min(LARGEST_STEP, count - done);
      var tokens = new int[n];
      var positions = new int[n];
      for (int i = 0; i < n; i++) {
        positions[i] = state.position() + i;
        tokens[i] = positions[i] * 29 % Rig.VOCABULARY;
      }
      var parts = List.of(new Step.Part(state, n));
      executable.run(new Step(tokens, positions, new int[] {0}, parts), Executable.Observer.NONE);
      for (int i = 0; i < n; i++) executable.read("out", i, rows[done + i]);
      done += n;
    }
    return rows;
  }

  @Override
  public void close() {
    executable.close();
    weights.close();
  }
}
