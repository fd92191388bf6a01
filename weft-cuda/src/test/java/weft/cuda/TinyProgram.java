package weft.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import weft.backend.Executable;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.lir.Stored;
import weft.quant.Encodings;

/**
 * A table of rows, a norm and a projection to as many numbers as a token is chosen from: the least
 * that has weights, small ones, kernels, peaks and graphs.
 */
final class TinyProgram {
  static final int VOCABULARY = 2048;
  static final int WIDTH = 16;

  static final String OUTPUT = "scores";

  private TinyProgram() {}

  static Program of(CudaDevice device) {
    var graph = new Graph.Builder();
    var tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
    var wanted = graph.add(new Op.Input("wanted", Type.i32(Bounds.WANTED)));
    var table = graph.add(new Op.Weight("table", Type.f32(VOCABULARY, WIDTH)));
    var norm = graph.add(new Op.Weight("norm", Type.f32(WIDTH)));
    var rows = graph.add(new Op.Rows(graph.add(new Op.Embed(table, tokens)), wanted));
    var normed = graph.add(new Op.RmsNorm(rows, norm, 1e-5f, 0));
    graph.output(OUTPUT, graph.add(new Op.Linear(normed, table)));
    return Pipeline.of(device.target(), Stored.PLAIN, Set.copyOf(Pipeline.fusions()))
        .compile(graph.build(), new Bounds(2, 2));
  }

  static Weights weights() {
    return name -> {
      var type = name.equals("norm") ? Type.f32(WIDTH) : Type.f32(VOCABULARY, WIDTH);
      int count = name.equals("norm") ? WIDTH : VOCABULARY * WIDTH;
      var bytes = Arena.ofAuto().allocate((long) count * Float.BYTES, 64);
      for (int i = 0; i < count; i++) {
        bytes.setAtIndex(ValueLayout.JAVA_FLOAT, i, (i * 37 % 101 - 50) / 50f);
      }
      return new Weights.Tensor(name, type, Encodings.F32, List.of(bytes));
    };
  }

  /** Loads it and runs three steps, the last of them as a graph; gives what that has computed. */
  static float[] run(CudaDevice device) {
    var program = of(device);
    try (var prepared = device.prepare(weights());
        var executable = device.load(program, prepared)) {
      for (int i = 0; i < 3; i++) {
        try (var state = device.state(program.slots())) {
          var part = new Step.Part(state, 1);
          var step = new Step(new int[] {i}, new int[1], new int[1], List.of(part));
          executable.run(step, Executable.Observer.NONE);
        }
        executable.row(OUTPUT, 0).greatest(1, new int[1], new float[1]);
      }
      var scores = new float[VOCABULARY];
      executable.read(OUTPUT, 0, scores);
      return scores;
    }
  }
}
