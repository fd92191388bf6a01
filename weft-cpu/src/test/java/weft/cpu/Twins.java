package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import weft.backend.Backend;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.KvType;
import weft.backend.ReferenceBackend;
import weft.backend.State;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.ir.Dim;
import weft.ir.Graph;
import weft.ir.GraphText;
import weft.ir.Op;
import weft.lir.Bounds;
import weft.quant.Encoding;
import weft.quant.F32;

/** Runs a graph with random weights on the reference and on the portable kernels. */
final class Twins {
  private static final int VOCABULARY = 50;

  private final Graph graph;
  private final Encoding encoding;

  /** Weights whose rows are whole blocks of {@code encoding} come in it, others in float32. */
  Twins(String graph, Encoding encoding) {
    this.graph = GraphText.parse(graph);
    this.encoding = encoding;
  }

  static Twins of(String graph) {
    return new Twins(graph, new F32());
  }

  /** Feeds steps of these lengths to two sequences in turn, and compares output {@code out}. */
  void agree(float tolerance, int... lengths) {
    var expected = outputs(new ReferenceBackend(), lengths);
    var actual = outputs(new CpuBackend(), lengths);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i))
          .as("row %d of steps %s", i, Arrays.toString(lengths))
          .containsExactly(expected.get(i), Offset.offset(tolerance));
    }
  }

  private List<float[]> outputs(Backend backend, int... lengths) {
    var options = new Backend.Options(2, "portable", KvType.F32, Set.of());
    int longest = Arrays.stream(lengths).max().orElseThrow();
    var bounds = new Bounds(2 * longest, 2 * longest, 2 * Arrays.stream(lengths).sum());
    var out = new ArrayList<float[]>();
    try (var device = backend.open(options);
        var program = load(device, bounds);
        var one = device.state(graph.slots());
        var two = device.state(graph.slots())) {
      for (int i = 0; i < lengths.length; i++) {
        // Both sequences in one step, of different lengths but for the shortest.
        int second = Math.max(1, lengths[i] / 2);
        var step = step(List.of(one, two), lengths[i], second, i);
        program.run(step, Executable.Observer.NONE);
        var view = program.program().outputs().get("out");
        for (int row = 0; row < step.rows(); row++) {
          var values = new float[view.type().rowElements()];
          program.read("out", row, values);
          out.add(values);
        }
      }
    }
    return out;
  }

  private Executable load(Device device, Bounds bounds) {
    var program = Pipeline.of(device.target(), Set.of()).compile(graph, bounds);
    return device.load(program, this::tensor);
  }

  private static Step step(List<State> states, int first, int second, int seed) {
    var random = new SplittableRandom(seed);
    var tokens = new int[first + second];
    var positions = new int[first + second];
    for (int i = 0; i < tokens.length; i++) tokens[i] = random.nextInt(VOCABULARY);
    for (int i = 0; i < first; i++) positions[i] = states.get(0).position() + i;
    for (int i = 0; i < second; i++) positions[first + i] = states.get(1).position() + i;
    return new Step(
        tokens,
        positions,
        new int[] {0},
        List.of(new Step.Part(states.get(0), first), new Step.Part(states.get(1), second)));
  }

  private Weights.Tensor tensor(String name) {
    var type =
        graph.values().stream()
            .map(v -> v.op())
            .filter(op -> op instanceof Op.Weight w && w.name().equals(name))
            .findFirst()
            .orElseThrow()
            .infer();
    int count = type.dims().stream().mapToInt(Dim::fixed).reduce(1, (a, b) -> a * b);
    var random = new SplittableRandom(name.hashCode());
    var values = new float[count];
    for (int i = 0; i < count; i++) values[i] = (float) (2 * random.nextDouble() - 1);
    boolean isPacked = type.rank() > 1 && type.width() % encoding.blockValues() == 0;
    var stored = isPacked ? encoding : new F32();
    var bytes = MemorySegment.ofArray(new long[Math.toIntExact(stored.bytes(count) / 8 + 1)]);
    stored.encode(values, 0, count, bytes, 0);
    return new Weights.Tensor(
        name, type, stored, List.of(bytes.asSlice(0, stored.bytes(count)).asReadOnly()));
  }
}
