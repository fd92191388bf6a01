package weft.conformance.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.State;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.ir.GraphText;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Stored;
import weft.quant.Encodings;

/** That the device is as foreign as it says: later, elsewhere, by copies. */
class ForeignDeviceTest {
  private static final String GRAPH =
      """
      %0 = weight table f32[4,3]
      %1 = input tokens i32[T]
      %2 = embed %0 %1
      %3 = input more f32[T,3]
      %4 = zip ADD %2 %3
      output sum %4
      """;

  private final Device device = new ForeignBackend().open(Backend.Options.standard());
  private final Arena source = Arena.ofShared();
  private final State state = device.state(List.of());
  private final Executable executable = load();

  private Executable load() {
    var bytes = source.allocateFrom(ValueLayout.JAVA_FLOAT, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    var table = new Weights.Tensor("table", Type.f32(4, 3), Encodings.F32, List.of(bytes));
    var pipeline = Pipeline.of(device.target(), Stored.PLAIN, Set.of());
    var program = pipeline.compile(GraphText.parse(GRAPH), new Bounds(2, 1));
    return device.load(program, device.prepare(name -> table));
  }

  @AfterEach
  void close() {
    executable.close();
    state.close();
    device.close();
  }

  private Step step(int[] tokens, float[] more) {
    var part = new Step.Part(state, tokens.length);
    return new Step(tokens, new int[tokens.length], new int[0], List.of(part))
        .withInput("more", new Step.Rows(3, more));
  }

  private float[] row(int index) {
    var row = new float[3];
    executable.read("sum", index, row);
    return row;
  }

  @Test
  void nothingOfTheHostIsReadOnceARunHasReturned() {
    source.close();
    int[] tokens = {3, 1};
    float[] more = {100, 100, 100, 0, 0, 0};
    executable.run(step(tokens, more), Executable.Observer.NONE);
    Arrays.fill(tokens, 99);
    Arrays.fill(more, Float.NaN);
    assertThat(row(0)).containsExactly(109, 110, 111);
    assertThat(row(1)).containsExactly(3, 4, 5);
  }

  @Test
  void whatGoesWrongLaterIsHeardByWhoReads() {
    var step = step(new int[] {4}, new float[3]);
    executable.run(step, Executable.Observer.NONE);
    assertThatThrownBy(() -> row(0))
        .isInstanceOf(BackendException.class)
        .hasMessage("token 4 is outside the vocabulary of 4");
    executable.run(step(new int[] {1}, new float[3]), Executable.Observer.NONE);
    assertThat(row(0)).containsExactly(3, 4, 5);
  }

  @Test
  void aRunThatIsObservedIsOverWhenItReturns() {
    var seen = new java.util.ArrayList<String>();
    executable.run(
        step(new int[] {1}, new float[3]),
        (launch, service, nanos) ->
            seen.add(launch.op().mnemonic() + " on " + Thread.currentThread().getName()));
    assertThat(seen).containsExactly("embed on foreign device", "zip on foreign device");
  }
}
