package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.State;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Stored;
import weft.quant.Encodings;

/** Calls that were written for some numbers of rows are right whatever other steps came between. */
class ScriptsTest {
  private static final int WIDTH = 64;
  private static final int MOST = 24;

  private final Device device = new CpuBackend().open(Backend.Options.standard().withThreads(2));
  private final Weights.Tensor weight = weight();
  private final List<Executable> loaded = new ArrayList<>();
  private final State writes = device.state(List.of());
  private final State reads = device.state(List.of());

  @AfterEach
  void close() {
    writes.close();
    reads.close();
    loaded.forEach(Executable::close);
    device.close();
  }

  private static Weights.Tensor weight() {
    var memory = Arena.ofAuto().allocate((long) WIDTH * WIDTH * Short.BYTES, 64);
    for (int i = 0; i < WIDTH * WIDTH; i++) {
      short half = Float.floatToFloat16((i * 31 % 101 - 50) / 100f);
      memory.setAtIndex(ValueLayout.JAVA_SHORT, i, half);
    }
    return new Weights.Tensor("w", Type.f32(WIDTH, WIDTH), Encodings.F16, List.of(memory));
  }

  /** Weights of 16 bits, which written rows meet otherwise than read ones. */
  private Executable load() {
    var graph = new Graph.Builder();
    var tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
    var w = graph.add(new Op.Weight("w", weight.type()));
    var x = graph.add(new Op.Embed(w, tokens));
    x = graph.add(new Op.Map(Fn.SIGMOID, graph.add(new Op.Linear(x, w))));
    graph.output("out", graph.add(new Op.Linear(x, w)));
    Stored stored = _ -> Encodings.F16;
    var pipeline = Pipeline.of(device.target(), stored, Set.copyOf(Pipeline.fusions()));
    var program = pipeline.compile(graph.build(), new Bounds(MOST, MOST));
    loaded.add(device.load(program, device.prepare(_ -> weight)));
    return loaded.getLast();
  }

  private Step step(int written, int read) {
    int rows = written + read;
    var parts = new ArrayList<Step.Part>();
    if (written > 0) {
      parts.add(new Step.Part(writes, written, 0, List.of(), Step.Origin.WRITTEN));
    }
    if (read > 0) parts.add(new Step.Part(reads, read));
    int[] tokens = IntStream.range(0, rows).map(i -> (i * 7 + rows) % WIDTH).toArray();
    return new Step(tokens, new int[rows], new int[0], parts);
  }

  private static List<float[]> run(Executable executable, Step step) {
    executable.run(step, Executable.Observer.NONE);
    var rows = new ArrayList<float[]>();
    for (int i = 0; i < step.rows(); i++) {
      rows.add(new float[WIDTH]);
      executable.read("out", i, rows.getLast());
    }
    return rows;
  }

  @Test
  void stepsOfOtherRowsBetweenChangeNothing() {
    var executable = load();
    var random = new Random(16);
    for (int i = 0; i < 60; i++) {
      int rows = 1 + random.nextInt(i < 30 ? 4 : MOST);
      var step = step(rows, 0);
      assertThat(run(executable, step))
          .as(rows + " rows")
          .usingRecursiveComparison()
          .isEqualTo(run(load(), step));
    }
  }

  @Test
  void asManyRowsOfWhichSomeAreReadHaveRoomForThat() {
    var executable = load();
    for (int written : new int[] {3, 2, 0, 3}) {
      var step = step(written, 3 - written);
      assertThat(run(executable, step))
          .as(written + " written")
          .usingRecursiveComparison()
          .isEqualTo(run(load(), step));
    }
  }
}
