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

/** What a device's state promises of rewinding, drafting and forking: the same rows as before. */
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
    takesBackWhatWasDrafted();
    draftsBesideOthers();
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
      // Twice: what has left a window may be gone after the first.
      for (int to : List.of(LENGTH - 10, LENGTH - 50, LENGTH - 51, 3, 0)) {
        int reached = state.rewind(to);
        require(reached <= to, "a rewind to " + to + " stops at " + reached);
        require(state.position() == reached, "the position after a rewind is not the one said");
        compare("after a rewind to " + to, state, 1);
        compare("after a rewind to " + to, state, 29);
      }
    }
  }

  private void takesBackWhatWasDrafted() {
    for (int drafted : List.of(1, 3, 7)) {
      for (int held = 0; held <= drafted; held++) {
        try (var state = fresh()) {
          var when = "after %d of %d drafted".formatted(held, drafted);
          compare("before a draft", state, 12);
          for (int again = 0; again < 3; again++) draft(when, state, drafted, held);
          int from = state.position();
          int within = from - held / 2;
          try (var twin = state.fork(from);
              var shorter = state.fork(within)) {
            require(twin.position() == from, when + " a fork begins at " + twin.position());
            require(shorter.position() == within, when + " a fork within stops too early");
            compare(when, state, 1);
            compare(when + ", in a fork", twin, 30);
            draft(when + ", in a fork", twin, drafted, 0);
            compare(when + ", in a fork within the draft", shorter, 9);
          }
          compare(when, state, 30);
          require(state.rewind(from - 1) <= from - 1, "a rewind before a draft stops in it");
          compare(when + " and a rewind before it", state, 20);
        }
      }
    }
  }

  /** Feeds a token and a draft of which so many tokens are right; the others are taken back. */
  private void draft(String when, State state, int drafted, int held) {
    int from = state.position();
    var rows = run(List.of(state), List.of(1 + drafted), List.of(drafted), from + 1 + held);
    compare(when, from, Arrays.copyOf(rows, 1 + held));
    int reached = state.rewind(from + 1 + held);
    require(reached == from + 1 + held, when + " the state stops at " + reached + ", not there");
  }

  /** One drafts, one makes up for its draft, one has none, all in one step. */
  private void draftsBesideOthers() {
    try (var first = fresh();
        var second = fresh();
        var third = fresh()) {
      feed(first, 5);
      feed(second, 5);
      feed(third, 5);
      draft("beside others", second, 4, 2);
      int from = second.position();
      var states = List.of(first, second, third);
      var rows = run(states, List.of(4, 2, 3), List.of(3, 0, 1), Integer.MAX_VALUE);
      compare("drafting beside others", 5, Arrays.copyOfRange(rows, 0, 4));
      compare("making up beside others", from, Arrays.copyOfRange(rows, 4, 6));
      compare("drafting last of others", 5, Arrays.copyOfRange(rows, 6, 9));
      for (var state : states) compare("after drafts beside others", state, 9);
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
    compare(when, from, feed(state, count));
  }

  private void compare(String when, int from, float[][] rows) {
    var expected = Arrays.copyOfRange(straight, from, from + rows.length);
    Difference.between(expected, rows, exactness)
        .ifPresent(d -> failures.add(name + ", " + when + ", from position " + from + ": " + d));
  }

  private float[][] feed(State state, int count) {
    var rows = new float[count][];
    for (int done = 0; done < count; ) {
      int n = Math.min(LARGEST_STEP, count - done);
      var some = run(List.of(state), List.of(n), List.of(0), Integer.MAX_VALUE);
      System.arraycopy(some, 0, rows, done, n);
      done += n;
    }
    return rows;
  }

  /** Feeds some tokens to each state, the last of them tentative; from a position on wrong ones. */
  private float[][] run(
      List<State> states, List<Integer> counts, List<Integer> tentative, int wrong) {
    int total = counts.stream().mapToInt(Integer::intValue).sum();
    var tokens = new int[total];
    var positions = new int[total];
    var parts = new ArrayList<Step.Part>();
    int row = 0;
    for (int i = 0; i < states.size(); i++) {
      for (int n = 0; n < counts.get(i); n++, row++) {
        positions[row] = states.get(i).position() + n;
        int other = positions[row] < wrong ? 0 : 1;
        tokens[row] = (positions[row] * 29 + other) % Rig.VOCABULARY;
      }
      parts.add(new Step.Part(states.get(i), counts.get(i), tentative.get(i)));
    }
    executable.run(new Step(tokens, positions, new int[] {0}, parts), Executable.Observer.NONE);
    var rows = new float[total][executable.program().outputs().get("out").type().rowElements()];
    for (int i = 0; i < total; i++) executable.read("out", i, rows[i]);
    return rows;
  }

  @Override
  public void close() {
    executable.close();
    weights.close();
  }
}
