package weft.conformance;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.State;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.conformance.Rig.Layout;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.quant.Encoding;
import weft.quant.Encodings;

/**
 * What a device refuses: tensors that are not the program's, and steps of states that are not its
 * own. It says so by a {@link BackendException}, and no state of the step has changed.
 */
final class RefusalContract implements AutoCloseable {
  private static final Slot.KeyValue SLOT = new Slot.KeyValue("kv", 2, 32, 32, Slot.UNBOUNDED);
  private static final Type MATRIX = Type.f32(48, 64);
  private static final int LARGEST_STEP = 6;

  private final Device device;
  private final Arena arena = Arena.ofShared();
  private final Row row = row();
  private final Program program;
  private final String matrix;
  private final List<String> failures = new ArrayList<>();

  private RefusalContract(Device device) {
    this.device = device;
    this.program =
        Pipeline.of(device.target(), row.stored(), Set.of())
            .compile(row.graph(), new Bounds(LARGEST_STEP, LARGEST_STEP));
    this.matrix =
        row.tensors().values().stream()
            .filter(tensor -> tensor.type().equals(MATRIX))
            .map(Weights.Tensor::name)
            .findFirst()
            .orElseThrow();
  }

  /** {@code others} are devices whose states the first may not take. */
  static List<String> failures(Device device, List<Device> others) {
    try (var contract = new RefusalContract(device)) {
      contract.tensors();
      contract.steps(others);
      return contract.failures;
    }
  }

  private static Row row() {
    var rig = new Rig();
    var q = rig.heads(2, 32, Layout.WHOLE);
    var attended = rig.add(new Op.Attend(SLOT, q, q, q, new Op.Scores(0.3f, 0)));
    var w = rig.matrix(Encodings.Q8_0, 48, 64);
    rig.output("out", rig.add(new Op.Linear(rig.add(new Op.Merge(attended)), w)));
    return rig.row("refusals", Script.SHORT);
  }

  private void tensors() {
    refusesToLoad("a tensor that is not there", name -> absent(name));
    refusesToLoad("a tensor of other rows", name -> tensor(Encodings.Q8_0, 1, Type.f32(64, 64)));
    refusesToLoad("a tensor of other columns", name -> tensor(Encodings.F32, 1, Type.f32(48, 65)));
    refusesToLoad("a tensor turned over", name -> tensor(Encodings.Q8_0, 1, Type.f32(64, 96)));
    refusesToLoad("a tensor of other axes", name -> tensor(Encodings.Q8_0, 1, Type.f32(6, 8, 64)));
    refusesToLoad("a matrix in parts", name -> tensor(Encodings.Q8_0, 2, MATRIX));
    refusesToLoad("a tensor on the heap", name -> onHeap());
    refusesToLoad("a tensor that is unmapped", name -> unmapped());
    var mapped = tensor(Encodings.Q8_0, 1, Type.f32(48, 1, 64));
    load(name -> name.equals(matrix) ? mapped : row.tensors().get(name));
  }

  private static Weights.Tensor absent(String name) {
    throw new BackendException("no tensor " + name);
  }

  private void refusesToLoad(String what, Weights wrong) {
    refuses(
        what,
        () -> load(name -> name.equals(matrix) ? wrong.tensor(name) : row.tensors().get(name)));
  }

  private void load(Weights weights) {
    try (var prepared = device.prepare(weights)) {
      device.load(program, prepared).close();
    }
  }

  private Weights.Tensor tensor(Encoding encoding, int parts, Type type) {
    long bytes = encoding.bytes(type.rowElements() * (long) type.dim(0).fixed()) / parts;
    var memory = new ArrayList<MemorySegment>();
    for (int i = 0; i < parts; i++) memory.add(arena.allocate(bytes));
    return new Weights.Tensor(matrix, type, encoding, memory);
  }

  private Weights.Tensor onHeap() {
    var bytes = MemorySegment.ofArray(new byte[(int) Encodings.Q8_0.bytes(48 * 64)]);
    return new Weights.Tensor(matrix, MATRIX, Encodings.Q8_0, List.of(bytes));
  }

  private Weights.Tensor unmapped() {
    try (var gone = Arena.ofShared()) {
      var bytes = gone.allocate(Encodings.Q8_0.bytes(48 * 64));
      return new Weights.Tensor(matrix, MATRIX, Encodings.Q8_0, List.of(bytes));
    }
  }

  private void steps(List<Device> others) {
    var otherSlots = List.<Slot>of(new Slot.KeyValue("kv", 2, 32, 64, Slot.UNBOUNDED));
    try (var weights = device.prepare(row.tensors()::get);
        var executable = device.load(program, weights);
        var state = device.state(program.slots());
        var second = device.state(program.slots());
        var strange = device.state(otherSlots);
        var fewer = device.state(List.of())) {
      var expected = run(executable, step(second, 3));
      second.rewind(0);
      var closed = device.state(program.slots());
      closed.close();
      refusesToRun("a state that was closed", executable, state, closed);
      refusesToRun("a state of another model", executable, state, strange);
      refusesToRun("a state without slots", executable, state, fewer);
      refusesToRun("one state twice", executable, state, state);
      for (var other : others) {
        try (var foreign = other.state(program.slots());
            var elsewhere = other.prepare(row.tensors()::get)) {
          refusesToRun("a state of another device", executable, state, foreign);
          refuses("weights of another device", () -> device.load(program, elsewhere).close());
        }
      }
      refuses("rows beyond the step", () -> run(executable, wanting(state, 3)));
      refuses("rows before the step", () -> run(executable, wanting(state, -1)));
      refuses("more rows than the program has", () -> run(executable, step(state, 7)));
      refuses("a part of no rows", () -> new Step.Part(state, 0));
      refuses("a part that is more than a draft", () -> new Step.Part(state, 2, 3));
      require(state.position() == 0, "a refused step has moved a state");
      var rows = run(executable, step(state, 3));
      require(Arrays.deepEquals(rows, expected), "a refused step has left something behind");
    }
  }

  private void refusesToRun(String what, Executable executable, State state, State wrong) {
    for (var states : List.of(List.of(state, wrong), List.of(wrong, state))) {
      var parts = states.stream().map(s -> new Step.Part(s, 2)).toList();
      var step = new Step(new int[] {1, 2, 3, 4}, new int[] {0, 1, 0, 1}, new int[] {3}, parts);
      refuses(what, () -> executable.run(step, Executable.Observer.NONE));
    }
    require(state.position() == 0, what + " was refused, but another state has moved");
  }

  private static Step step(State state, int rows) {
    var tokens = new int[rows];
    var positions = new int[rows];
    for (int i = 0; i < rows; i++) {
      tokens[i] = 5 + i;
      positions[i] = state.position() + i;
    }
    return new Step(tokens, positions, new int[] {0}, List.of(new Step.Part(state, rows)));
  }

  private static Step wanting(State state, int row) {
    var parts = List.of(new Step.Part(state, 3));
    return new Step(new int[] {5, 6, 7}, new int[] {0, 1, 2}, new int[] {row}, parts);
  }

  private static float[][] run(Executable executable, Step step) {
    executable.run(step, Executable.Observer.NONE);
    var rows = new float[step.rows()][MATRIX.dim(0).fixed()];
    for (int i = 0; i < rows.length; i++) executable.read("out", i, rows[i]);
    return rows;
  }

  private void refuses(String what, Runnable attempt) {
    try {
      attempt.run();
      failures.add("refusals: " + what + " is accepted");
    } catch (BackendException e) {
      // As it should be.
    } catch (RuntimeException e) {
      failures.add("refusals: " + what + " fails: " + e);
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) failures.add("refusals: " + otherwise);
  }

  @Override
  public void close() {
    arena.close();
  }
}
