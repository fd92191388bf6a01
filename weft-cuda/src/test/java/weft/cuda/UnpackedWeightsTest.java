package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.Executable;
import weft.backend.Service;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.cuda.TroubledDriver.Trouble;
import weft.cuda.driver.Driver;
import weft.cuda.interpret.InterpretedDriver;
import weft.generate.Model;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.lir.Stored;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Prompts whose packed weights become halves before they are multiplied, in whole programs. */
class UnpackedWeightsTest {
  private static final int WIDTH = 256;
  private static final int INNER = 320;
  private static final int VOCABULARY = 40;

  /** No whole number of tiles, of whatever size. */
  private static final int ROWS = 133;

  private static final int NEVER = Integer.MAX_VALUE;

  /** Of halves and of sums in another order. */
  private static final float CLOSE = 1e-4f;

  /** The weights of a program, of random numbers. */
  private static final class Tensors implements Weights {
    private final Random random = new Random(18);
    private final Map<String, Tensor> all = new HashMap<>();

    Value add(Graph.Builder graph, String name, Encoding encoding, int rows, int columns) {
      var type = rows == 1 ? Type.f32(columns) : Type.f32(rows, columns);
      all.computeIfAbsent(name, _ -> tensor(name, encoding, type, rows * columns));
      return graph.add(new Op.Weight(name, type));
    }

    private Tensor tensor(String name, Encoding encoding, Type type, int count) {
      var values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = (float) (random.nextGaussian() / Math.sqrt(type.width()));
      }
      var bytes = Arena.ofAuto().allocate(encoding.bytes(count), 64);
      encoding.encode(values, 0, count, bytes, 0);
      return new Tensor(name, type, encoding, List.of(bytes));
    }

    @Override
    public Tensor tensor(String name) {
      return all.get(name);
    }
  }

  private final Tensors tensors = new Tensors();

  /** Neighbours of two encodings behind a norm, a gate, a residual, and rows of a vocabulary. */
  private Program program(CudaDevice device, int rows) {
    var graph = new Graph.Builder();
    var tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
    var wanted = graph.add(new Op.Input("wanted", Type.i32(Bounds.WANTED)));
    var table = tensors.add(graph, "table", Encodings.Q6_K, VOCABULARY, WIDTH);
    var x = graph.add(new Op.Embed(table, tokens));
    var norm = tensors.add(graph, "norm", Encodings.F32, 1, WIDTH);
    var parts =
        List.of(
            tensors.add(graph, "q", Encodings.Q4_K, 131, WIDTH),
            tensors.add(graph, "k", Encodings.Q4_K, 64, WIDTH),
            tensors.add(graph, "v", Encodings.Q6_K, 61, WIDTH));
    var before = new Op.Prologue.Norm(norm, 1e-5f, 0);
    var side = graph.add(new Op.Project(before, x, parts, List.of(), new Op.Epilogue.None()));
    var both =
        List.of(
            tensors.add(graph, "gate", Encodings.Q5_K, INNER, WIDTH),
            tensors.add(graph, "up", Encodings.Q5_K, INNER, WIDTH));
    var gate = new Op.Epilogue.Gate(Fn.SILU);
    var none = new Op.Prologue.None();
    var hidden = graph.add(new Op.Project(none, side, both, List.of(), gate));
    var down = List.of(tensors.add(graph, "down", Encodings.Q8_0, WIDTH, INNER));
    var added = graph.add(new Op.Project(none, hidden, down, List.of(), new Op.Epilogue.Add(x)));
    graph.output("rows", added);
    var last = graph.add(new Op.Rows(added, wanted));
    graph.output("scores", graph.add(new Op.Linear(last, table)));
    return Pipeline.of(device.target(), Stored.PLAIN, Set.of())
        .compile(graph.build(), new Bounds(rows, 2));
  }

  private static CudaDevice device(Driver driver, int unpackedFrom) {
    return new CudaDevice(driver, Backend.Options.standard(), unpackedFrom);
  }

  /** What it gives for rows of tokens, the last two of them wanted. */
  private static List<float[]> run(CudaDevice device, Executable executable, int rows) {
    var tokens = new int[rows];
    for (int i = 0; i < rows; i++) tokens[i] = i * 7 % VOCABULARY;
    var given = new ArrayList<float[]>();
    try (var state = device.state(executable.program().slots())) {
      var part = new Step.Part(state, rows);
      var step = new Step(tokens, new int[rows], new int[] {rows - 2, rows - 1}, List.of(part));
      executable.run(step, Executable.Observer.NONE);
      for (int i = 0; i < rows; i++) executable.read("rows", i, given(given, WIDTH));
      for (int i = 0; i < 2; i++) executable.read("scores", i, given(given, VOCABULARY));
    }
    return given;
  }

  private static float[] given(List<float[]> all, int count) {
    all.add(new float[count]);
    return all.getLast();
  }

  private List<float[]> run(int unpackedFrom, int rows, List<String> kernels) {
    try (var device = device(new InterpretedDriver(), unpackedFrom)) {
      var program = program(device, ROWS);
      try (var prepared = device.prepare(tensors);
          var executable = device.load(program, prepared)) {
        executable.services().stream().map(Service::toString).forEach(kernels::add);
        return run(device, executable, rows);
      }
    }
  }

  @Test
  void theyGiveWhatWeightsGiveThatAreUnpackedOnTheWay() {
    var onTheWay = new ArrayList<String>();
    var before = new ArrayList<String>();
    var expected = run(NEVER, ROWS, onTheWay);
    var met = run(ROWS, ROWS, before);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(met.get(i)).as("row %d", i).containsExactly(expected.get(i), Offset.offset(CLOSE));
    }
    assertThat(onTheWay).noneMatch(kernels -> kernels.contains("halves_of"));
    assertThat(before.stream().filter(kernels -> kernels.contains("halves_of"))).hasSize(3);
    assertThat(before.getLast()).as("the vocabulary's").doesNotContain("halves_of");
  }

  /** A program for many rows takes fewer. */
  @Test
  void aStepMayHaveFewerRows() {
    var expected = run(NEVER, 5, new ArrayList<>());
    var met = run(ROWS, 5, new ArrayList<>());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(met.get(i)).as("row %d", i).containsExactly(expected.get(i), Offset.offset(CLOSE));
    }
  }

  /** The largest of the weights as halves, once for all programs, and the plan knows of it. */
  @Test
  void programsOfAModelShareTheRoom() {
    var driver = new TroubledDriver(new InterpretedDriver(), Trouble.ONCE, 0);
    try (var device = device(driver, ROWS)) {
      var programs = List.of(program(device, ROWS), program(device, 2 * ROWS));
      try (var prepared = device.prepare(tensors)) {
        var demand = device.planner().orElseThrow().demand(programs, prepared);
        long planned = demand.weights();
        var given = new ArrayList<List<float[]>>();
        try (var one = device.load(programs.getFirst(), prepared);
            var other = device.load(programs.getLast(), prepared)) {
          for (var each : demand.programs()) planned += each.bytes();
          assertThat(driver.allocated()).isEqualTo(planned);
          for (var executable : List.of(one, other, one)) given.add(run(device, executable, ROWS));
        }
        for (int i = 0; i < given.getFirst().size(); i++) {
          assertThat(given.get(1).get(i)).containsExactly(given.getFirst().get(i));
          assertThat(given.get(2).get(i)).containsExactly(given.getFirst().get(i));
        }
      }
    }
    assertThat(driver.held()).isEmpty();
  }

  /** Each has a share of the rows, or of the columns, and a room of its own; whoever is late. */
  @Test
  void membersOfAMeshGiveTheSame() {
    int late = LateDriver.Manner.LATE.ordinal();
    int atOnce = LateDriver.Manner.AT_ONCE.ordinal();
    var expected = logits("interpreted", List.of(0));
    assertThat(logits("late", List.of(late, atOnce)))
        .containsExactly(expected, Offset.offset(5e-3f));
  }

  private static float[] logits(String backend, List<Integer> devices) {
    var options = LoadOptions.standard().withBackend(backend).withDevices(devices);
    var prompt = new int[ROWS];
    for (int i = 0; i < ROWS; i++) prompt[i] = 3 + i * 11 % 250;
    var file = CudaGoldenTest.GOLDEN.resolve("gguf/llama-untied-q8_0.gguf");
    try (var model = LanguageModel.load(file, options);
        var session = model.model().open()) {
      var step = new Model.Step(session, prompt, 1);
      return model.model().forward(List.of(step)).getFirst()[0].toArray();
    }
  }
}
