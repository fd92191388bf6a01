package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FoldBiasTest {
  @Test
  void makesALinearOpAProjectionWithItsBias() {
    assertRewrites(
        new FoldBias(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = linear %0 %1
        %3 = weight b f32[4]
        %4 = zip ADD %2 %3
        output y %4
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %3 = weight b f32[4]
        %4 = project None() %0 [%1] [%3] None()
        output y %4
        """);
  }

  @Test
  void makesALinearOpWithoutBiasAProjectionToo() {
    assertRewrites(
        new FoldBias(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = linear %0 %1
        output y %2
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = project None() %0 [%1] [] None()
        output y %2
        """);
  }

  @Test
  void leavesTheSumWhenTheProductIsReadTwice() {
    assertRewrites(
        new FoldBias(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = linear %0 %1
        %3 = weight b f32[4]
        %4 = zip ADD %2 %3
        %5 = zip MUL %4 %2
        output y %5
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = project None() %0 [%1] [] None()
        %3 = weight b f32[4]
        %4 = zip ADD %2 %3
        %5 = zip MUL %4 %2
        output y %5
        """);
  }

  @Test
  void leavesASecondBiasAsASum() {
    assertRewrites(
        new FoldBias(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = linear %0 %1
        %3 = weight b f32[4]
        %4 = zip ADD %2 %3
        %5 = weight c f32[4]
        %6 = zip ADD %4 %5
        output y %6
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %3 = weight b f32[4]
        %4 = project None() %0 [%1] [%3] None()
        %5 = weight c f32[4]
        %6 = zip ADD %4 %5
        output y %6
        """);
  }

  @Test
  void leavesProductsAndNumbersThatSpread() {
    assertRewrites(
        new FoldBias(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = linear %0 %1
        %3 = weight b f32[4]
        %4 = zip MUL %2 %3
        %5 = linear %0 %1
        %6 = weight c f32[1]
        %7 = zip ADD %5 %6
        output a %4
        output b %7
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = project None() %0 [%1] [] None()
        %3 = weight b f32[4]
        %4 = zip MUL %2 %3
        %5 = project None() %0 [%1] [] None()
        %6 = weight c f32[1]
        %7 = zip ADD %5 %6
        output a %4
        output b %7
        """);
  }

  @Test
  void keepsWhatAProjectionAlreadyDoes() {
    assertLeaves(
        new FoldBias(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[4,8]
        %2 = weight norm f32[8]
        %3 = weight b f32[4]
        %4 = project Norm(%2 eps=1.0E-5 offset=0.0) %0 [%1] [] None()
        %5 = zip ADD %4 %3
        %6 = input residual f32[T,4]
        %7 = project None() %0 [%1] [] Add(%6)
        %8 = zip ADD %7 %3
        output a %5
        output b %8
        """);
  }
}
