package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FoldMapTest {
  @Test
  void appliesTheFunctionInTheProjection() {
    assertRewrites(
        new FoldMap(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = weight b f32[4]
        %3 = project None() %0 [%1] [%2] None()
        %4 = map GELU_TANH %3
        output y %4
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = weight b f32[4]
        %4 = project None() %0 [%1] [%2] Map(GELU_TANH)
        output y %4
        """);
  }

  @Test
  void leavesWhatOthersReadToo() {
    assertLeaves(
        new FoldMap(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = project None() %0 [%1] [] None()
        %3 = map GELU_TANH %2
        output y %3
        output z %2
        """);
  }

  @Test
  void leavesGatesAndResiduals() {
    assertLeaves(
        new FoldMap(),
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = project None() %0 [%2] [] None()
        %4 = map SIGMOID %3
        %5 = project None() %0 [%2] [] Add(%1)
        %6 = map GELU_ERF %5
        output y %4
        output z %6
        """);
  }
}
