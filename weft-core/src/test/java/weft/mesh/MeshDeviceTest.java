package weft.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import weft.backend.Backend.Options;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.Executable.Observer;
import weft.backend.NoRoomException;
import weft.backend.ReferenceBackend;
import weft.backend.State;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Divide;
import weft.compile.LlamaGraph;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.lir.Stored;
import weft.quant.Encodings;

class MeshDeviceTest {
  private static final Graph LLAMA = LlamaGraph.of(2);
  private static final Bounds BOUNDS = new Bounds(8, 8);

  private static Device reference(Options options) {
    return new ReferenceBackend().open(options);
  }

  private static Device mesh(int members, Options options) {
    return new MeshDevice(IntStream.range(0, members).mapToObj(i -> reference(options)).toList());
  }

  /** Tensors of random numbers, the same for the same name. */
  private static Weights.Tensor tensor(String name) {
    var type =
        LLAMA.values().stream()
            .filter(v -> v.op() instanceof Op.Weight w && w.name().equals(name))
            .map(Value::type)
            .findFirst()
            .orElseThrow();
    int count = type.dim(0).fixed() * type.rowElements();
    var random = new SplittableRandom(name.hashCode());
    var memory = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, count);
    for (int i = 0; i < count; i++) {
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextDouble(-0.3, 0.3));
    }
    return new Weights.Tensor(name, type, Encodings.F32, List.of(memory));
  }

  private static Graph graph(Device device) {
    int members = device.target().members();
    return members == 1 ? LLAMA : new Divide(members, Stored.PLAIN).run(LLAMA);
  }

  private static Program program(Device device) {
    var pipeline = Pipeline.of(device.target(), Stored.PLAIN, Set.of());
    return pipeline.compile(graph(device), BOUNDS);
  }

  private static Step step(State state, int... tokens) {
    int from = state.position();
    var positions = IntStream.range(from, from + tokens.length).toArray();
    var wanted = IntStream.range(0, tokens.length).toArray();
    return new Step(tokens, positions, wanted, List.of(new Step.Part(state, tokens.length)));
  }

  /** The logits of all tokens, fed in two steps. */
  private static float[][] logits(Device device) {
    try (device;
        var weights = device.prepare(MeshDeviceTest::tensor);
        var executable = device.load(program(device), weights);
        var state = device.state(graph(device).slots())) {
      executable.run(step(state, 3, 1, 4, 1, 5), Observer.NONE);
      executable.run(step(state, 9, 2), Observer.NONE);
      assertThat(state.position()).isEqualTo(7);
      var rows = new float[2][96];
      for (int i = 0; i < 2; i++) executable.read("logits", i, rows[i]);
      return rows;
    }
  }

  @Test
  void givesWhatOneDeviceGives() {
    var expected = logits(reference(Options.standard()));
    for (int members : new int[] {2, 4}) {
      var met = logits(mesh(members, Options.standard()));
      for (int i = 0; i < 2; i++) {
        assertThat(met[i]).containsExactly(expected[i], Offset.offset(1e-5f));
      }
    }
  }

  @Test
  void aStepThatOneMemberHasNoRoomForLeavesAllAsTheyWere() {
    var roomy = reference(Options.standard());
    var narrow = reference(Options.standard().withMemoryBudget(1));
    try (var device = new MeshDevice(List.of(roomy, narrow));
        var weights = device.prepare(MeshDeviceTest::tensor);
        var executable = device.load(program(device), weights);
        var state = device.state(graph(device).slots())) {
      assertThatThrownBy(() -> executable.run(step(state, 1, 2), Observer.NONE))
          .isInstanceOf(NoRoomException.class);
      assertThat(state.position()).isZero();
      assertThat(roomy.pool().bytes()).isZero();
    }
  }

  @Test
  void aDeviceAloneRefusesWhatMembersDoTogether() {
    try (var mesh = mesh(2, Options.standard());
        var alone = reference(Options.standard());
        var weights = alone.prepare(new Shares(MeshDeviceTest::tensor, 0, 2));
        var executable = alone.load(program(mesh), weights);
        var state = alone.state(graph(mesh).slots())) {
      assertThatThrownBy(() -> executable.run(step(state, 1), Observer.NONE))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("allreduce is what members of a mesh do together");
      assertThat(state.position()).isZero();
    }
  }

  @Test
  void takesItsOwnWeightsAndStatesAlone() {
    try (var mesh = mesh(2, Options.standard());
        var other = mesh(2, Options.standard());
        var weights = mesh.prepare(MeshDeviceTest::tensor);
        var strange = other.prepare(MeshDeviceTest::tensor);
        var executable = mesh.load(program(mesh), weights);
        var alone = reference(Options.standard());
        var state = alone.state(graph(mesh).slots())) {
      assertThatThrownBy(() -> mesh.load(program(mesh), strange))
          .hasMessageContaining("weights that another device has prepared");
      assertThatThrownBy(() -> executable.run(step(state, 1), Observer.NONE))
          .hasMessageContaining("a state of another kind of device");
    }
  }

  @Test
  void rewindsAndForksOnAllMembers() {
    try (var device = mesh(2, Options.standard());
        var weights = device.prepare(MeshDeviceTest::tensor);
        var executable = device.load(program(device), weights);
        var state = device.state(graph(device).slots())) {
      executable.run(step(state, 3, 1, 4, 1, 5), Observer.NONE);
      assertThat(state.rewind(3)).isEqualTo(3);
      try (var twin = state.fork(2)) {
        assertThat(twin.position()).isEqualTo(2);
        executable.run(step(twin, 7), Observer.NONE);
        assertThat(twin.position()).isEqualTo(3);
        assertThat(state.position()).isEqualTo(3);
      }
    }
  }
}
