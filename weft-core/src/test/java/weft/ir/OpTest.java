package weft.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpTest {
  private static final String LEAVES =
      """
      %0 = input tokens i32[T]
      %1 = input x f32[T,8]
      %2 = weight w f32[4,8]
      %3 = weight v f32[8]
      %4 = heads %1 count=2
      %5 = constant [1.0 0.5]
      %6 = weight gates f32[4,6,8]
      %7 = weight downs f32[4,8,6]
      %8 = input wanted i32[W]
      """;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "map SILU %0 | map wants f32 numbers, but %0 is i32[T]",
        "scale %0 by=2.0 | scale wants f32 numbers",
        "slice %0 from=0 to=1 | slice wants f32 numbers",
        "rows %0 %8 | rows wants f32 numbers",
        "rows %1 %3 | rows wants a list of i32 indices, but %3 is f32[8]",
        "embed %2 %3 | embed wants a list of i32 indices",
        "zip ADD %3 %1 | zip ADD: %1 f32[T,8] does not spread over %3 f32[8]",
        "zip ADD %1 %0 | zip ADD: %0 i32[T] does not spread over %1 f32[T,8]",
        "glu SILU %1 %4 | glu: types differ, %1 is f32[T,8] and %4 is f32[T,2,4]",
        "softcap %1 cap=0.0 | softcap: the cap must be positive, got 0.0",
        "linear %4 %2 | linear: last axes differ, %4 is f32[T,2,4] and %2 is f32[4,8]",
        "linear %1 %3 | linear wants 2 axes, but %3 is f32[8]",
        "project None() %1 [] [] None() | project needs at least one weight",
        "project None() %1 [%2 %2] [%3] None() | project has 2 weights but 1 biases",
        "project None() %1 [%2] [%3] None() | bias f32[8] does not fit f32[4,8]",
        "project None() %1 [%2] [] Add(%1) | residual f32[T,8] is not the result's f32[T,4]",
        "project None() %1 [%2] [] Gate(SILU) | a gated project needs a gate and an up weight",
        "rmsnorm %4 %3 eps=1.0 offset=0.0 | rmsnorm: last axes differ",
        "rope %1 %0 %5 HALVES scale=1.0 | rope wants 3 axes",
        "rope %4 %0 %3 HALVES scale=1.0 | rope: 8 pairs do not fit a head of 4",
        "rope %4 %8 %5 HALVES scale=1.0 | f32[T,2,4] has not as many rows as positions i32[W]",
        "heads %1 count=0 | heads must be at least 1, got 0",
        "heads %1 count=3 | 8 columns do not split into 3 heads",
        "merge %3 | merge wants two axes to join, got f32[8]",
        "slice %1 from=4 to=9 | slice 4..9 is outside f32[T,8]",
        "slice %1 from=4 to=4 | slice 4..4 is outside f32[T,8]",
        "concat [] | concat needs at least one part",
        "concat [%1 %4] | concat: f32[T,2,4] does not lie beside f32[T,8]",
        "attend KeyValue(a heads=2 keyDim=4 valueDim=4 window=0) %4 %4 %4 Scores(scale=1.0 softCap=0.0)"
            + " | attention window must be at least 1, got 0",
        "attend KeyValue(a heads=3 keyDim=4 valueDim=4 window=9) %4 %4 %4 Scores(scale=1.0 softCap=0.0)"
            + " | 2 heads do not share 3 kv heads",
        "attend KeyValue(a heads=2 keyDim=4 valueDim=5 window=9) %4 %4 %4 Scores(scale=1.0 softCap=0.0)"
            + " | values f32[T,2,4] do not fit",
        "shortconv Conv(c taps=3 channels=8) %1 %2 | weight f32[4,8] do not fit",
        "shortconv Conv(c taps=-1 channels=8) %1 %2 | convolution taps must be 0 or more, got -1",
        "deltarule Delta(d heads=2 keyDim=4 valueDim=4) %4 %4 %4 %1 %1 BLOCKED | deltarule wants f32[T,2]",
        "experts %1 %1 %6 %6 %7 SILU Routing(SOFTMAX used=2 RENORMALIZED scale=1.0)"
            + " | experts: scores f32[T,8], gate f32[4,6,8]",
        "constant [] | an axis has at least size 1, got 0",
        "input y f32[] | a value has at least one axis",
        "input y f32[0,8] | an axis has at least size 1, got 0",
      })
  void whatDoesNotFitIsRefusedInASentence(String op, String complaint) {
    assertThatThrownBy(() -> GraphText.parse(LEAVES + "%9 = " + op))
        .isInstanceOf(IrException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void namesEveryOpThereIs() {
    assertThat(Op.mnemonics())
        .contains("input", "project", "ropeattend", "deltarule")
        .doesNotContain("composite", "stateful", "renaming")
        .allSatisfy(name -> assertThat(OpShape.named(name)).isPresent());
  }
}
