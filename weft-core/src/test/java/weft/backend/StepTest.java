package weft.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import weft.compile.Pipeline;
import weft.ir.GraphText;
import weft.lir.Bounds;
import weft.lir.Stored;

class StepTest {
  private static final String GRAPH =
      """
      %0 = input features f32[T,2,4]
      %1 = constant [1.0 0.5]
      %2 = input positions i32[T]
      %3 = rope %0 %2 %1 HALVES scale=1.0
      output turned %3
      """;

  private final Device device = new ReferenceBackend().open(Backend.Options.standard());
  private final State state = device.state(List.of());
  private final Executable executable = executable();

  private Executable executable() {
    var pipeline = Pipeline.of(device.target(), Stored.PLAIN, Set.of());
    var program = pipeline.compile(GraphText.parse(GRAPH), new Bounds(4, 1));
    return device.load(
        program,
        device.prepare(
            name -> {
              throw new AssertionError("no tensor " + name);
            }));
  }

  private Step step(int rows, int sections) {
    var part = new Step.Part(state, rows);
    return new Step(new int[rows], new int[rows * sections], new int[0], List.of(part));
  }

  private void run(Step step) {
    executable.run(step, Executable.Observer.NONE);
  }

  @Test
  void rowsOfNumbersAreWhatTheProgramReads() {
    run(step(2, 1).withInput("features", new Step.Rows(8, floats(16))));
    var row = new float[8];
    executable.read("turned", 1, row);
    assertThat(row).containsExactly(8, 9, 10, 11, 12, 13, 14, 15);
    assertThat(state.position()).isEqualTo(2);
  }

  @Test
  void rowsThatTheProgramTakesMustComeAndFit() {
    assertThatThrownBy(() -> run(step(2, 1)))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "the program takes rows of 8 numbers called features, but the step brings none such");
    assertThatThrownBy(() -> run(step(2, 1).withInput("features", new Step.Rows(4, floats(8)))))
        .isInstanceOf(BackendException.class)
        .hasMessageEndingWith("but the step brings rows of 4");
    assertThatThrownBy(() -> step(2, 1).withInput("features", new Step.Rows(8, floats(8))))
        .isInstanceOf(BackendException.class)
        .hasMessage("input features has 8 numbers in rows of 8, but the step has 2 rows");
    assertThat(state.position()).isZero();
  }

  @Test
  void positionsComeInAsManySectionsAsTheProgramTurnsBy() {
    var step = step(2, 3).withInput("features", new Step.Rows(8, floats(16)));
    assertThat(step.sections()).isEqualTo(3);
    assertThatThrownBy(() -> run(step))
        .isInstanceOf(BackendException.class)
        .hasMessage("a step of 3 positions a row, but the program turns by 1");
    assertThatThrownBy(
            () -> new Step(new int[2], new int[3], new int[0], List.of(new Step.Part(state, 2))))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("2 tokens, 3 positions and 2 rows");
  }

  private static float[] floats(int count) {
    var out = new float[count];
    for (int i = 0; i < count; i++) out[i] = i;
    return out;
  }
}
