package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FoldResidualTest {
  @Test
  void addsTheStreamInTheProjection() {
    assertRewrites(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = project None() %0 [%2] [] None()
        %4 = zip ADD %1 %3
        output y %4
        """,
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %4 = project None() %0 [%2] [] Add(%1)
        output y %4
        """);
  }

  @Test
  void takesTheProjectionOnEitherSide() {
    assertRewrites(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = project None() %0 [%2] [] None()
        %4 = zip ADD %3 %1
        output y %4
        """,
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %4 = project None() %0 [%2] [] Add(%1)
        output y %4
        """);
  }

  @Test
  void keepsNormAndBiases() {
    assertRewrites(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = weight norm f32[8]
        %4 = weight b f32[4]
        %5 = project Norm(%3 eps=1.0E-5 offset=0.0) %0 [%2] [%4] None()
        %6 = zip ADD %1 %5
        output y %6
        """,
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = weight norm f32[8]
        %4 = weight b f32[4]
        %6 = project Norm(%3 eps=1.0E-5 offset=0.0) %0 [%2] [%4] Add(%1)
        output y %6
        """);
  }

  @Test
  void addsTheNextProjectionToTheLast() {
    assertRewrites(
        new FoldResidual(),
        """
        %0 = input x f32[T,4]
        %1 = weight a f32[4,4]
        %2 = weight b f32[4,4]
        %3 = project None() %0 [%1] [] None()
        %4 = zip ADD %0 %3
        %5 = project None() %4 [%2] [] None()
        %6 = zip ADD %4 %5
        output y %6
        """,
        """
        %0 = input x f32[T,4]
        %1 = weight a f32[4,4]
        %2 = weight b f32[4,4]
        %4 = project None() %0 [%1] [] Add(%0)
        %6 = project None() %4 [%2] [] Add(%4)
        output y %6
        """);
  }

  @Test
  void leavesAProjectionThatIsReadTwice() {
    assertLeaves(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = project None() %0 [%2] [] None()
        %4 = zip ADD %1 %3
        %5 = zip MUL %4 %3
        output y %5
        """);
  }

  @Test
  void leavesAProjectionAddedToItself() {
    assertLeaves(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = project None() %0 [%1] [] None()
        %3 = zip ADD %2 %2
        output y %3
        """);
  }

  @Test
  void leavesASumOfAnotherShape() {
    assertLeaves(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = input column f32[T,1]
        %3 = project None() %0 [%1] [] None()
        %4 = zip ADD %3 %2
        output y %4
        """);
  }

  @Test
  void leavesAProjectionThatEndsInAGate() {
    assertLeaves(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = project None() %0 [%2 %2] [] Gate(SILU)
        %4 = zip ADD %1 %3
        output y %4
        """);
  }

  @Test
  void leavesDifferences() {
    assertLeaves(
        new FoldResidual(),
        """
        %0 = input x f32[T,8]
        %1 = input stream f32[T,4]
        %2 = weight w f32[4,8]
        %3 = project None() %0 [%2] [] None()
        %4 = zip SUB %1 %3
        output y %4
        """);
  }
}
