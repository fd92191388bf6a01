package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Executable;
import weft.backend.NoMemoryException;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.cuda.driver.CudaException;
import weft.cuda.driver.LibCuda;
import weft.cuda.interpret.InterpretedDriver;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.lir.Stored;
import weft.quant.Encodings;

class CudaDeviceTest {
  private static final int VOCABULARY = 16;
  private static final int WIDTH = 64;

  private static Program program(CudaDevice device) {
    var graph = new Graph.Builder();
    var tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
    var table = graph.add(new Op.Weight("table", Type.f32(VOCABULARY, WIDTH)));
    graph.output("rows", graph.add(new Op.Embed(table, tokens)));
    return Pipeline.of(device.target(), Stored.PLAIN, Set.copyOf(Pipeline.fusions()))
        .compile(graph.build(), new Bounds(2, 2));
  }

  private static Weights weights() {
    var bytes = Arena.ofAuto().allocate((long) VOCABULARY * WIDTH * Float.BYTES, 64);
    return name ->
        new Weights.Tensor(name, Type.f32(VOCABULARY, WIDTH), Encodings.F32, List.of(bytes));
  }

  private static Step step(CudaDevice device, Program program, int token) {
    var part = new Step.Part(device.state(program.slots()), 1);
    return new Step(new int[] {token}, new int[1], new int[1], List.of(part));
  }

  @Test
  void givesAllOfItsMemoryBack() {
    var driver = new InterpretedDriver();
    try (var device = new CudaDevice(driver, Backend.Options.standard())) {
      var program = program(device);
      try (var prepared = device.prepare(weights());
          var executable = device.load(program, prepared)) {
        executable.run(step(device, program, 3), Executable.Observer.NONE);
        executable.read("rows", 0, new float[WIDTH]);
        assertThat(driver.allocations()).isPositive();
      }
    }
    assertThat(driver.allocations()).isZero();
  }

  @Test
  void aModelThatDoesNotFitTakesNothing() {
    var driver = new InterpretedDriver(3000, 300);
    try (var device = new CudaDevice(driver, Backend.Options.standard());
        var prepared = device.prepare(weights())) {
      var program = program(device);
      assertThatThrownBy(() -> device.load(program, prepared))
          .isInstanceOf(NoMemoryException.class)
          .hasMessageContaining("has no 4096 bytes left")
          .hasMessageContaining("--backend cpu");
    }
    assertThat(driver.allocations()).isZero();
  }

  @Test
  void aTokenBeyondTheVocabularyIsRefusedBeforeAnythingRuns() {
    var driver = new InterpretedDriver();
    try (var device = new CudaDevice(driver, Backend.Options.standard())) {
      var program = program(device);
      try (var prepared = device.prepare(weights());
          var executable = device.load(program, prepared)) {
        var wrong = step(device, program, VOCABULARY);
        assertThatThrownBy(() -> executable.run(wrong, Executable.Observer.NONE))
            .isInstanceOf(BackendException.class)
            .hasMessageContaining("token 16 is outside the vocabulary of 16");
        assertThat(driver.launches()).isZero();
      }
    }
  }

  @Test
  void withoutADriverOneSentenceSaysSo() {
    assumeFalse(LibCuda.isPresent(), "this machine has a GPU");
    assertThatThrownBy(() -> new CudaBackend().open(Backend.Options.standard()))
        .isInstanceOf(CudaException.class)
        .hasMessageContaining("NVIDIA")
        .hasMessageContaining("--backend cpu");
    assertThat(new CudaBackend().isPreferred()).isFalse();
  }
}
