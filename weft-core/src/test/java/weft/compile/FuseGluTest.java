package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FuseGluTest {
  @Test
  void makesSwiGlu() {
    assertRewrites(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = map SILU %0
        %3 = zip MUL %2 %1
        output y %3
        """,
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %3 = glu SILU %0 %1
        output y %3
        """);
  }

  @Test
  void makesGeGlu() {
    assertRewrites(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = map GELU_TANH %0
        %3 = zip MUL %2 %1
        output y %3
        """,
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %3 = glu GELU_TANH %0 %1
        output y %3
        """);
  }

  @Test
  void makesGeGluByErf() {
    assertRewrites(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = map GELU_ERF %0
        %3 = zip MUL %2 %1
        output y %3
        """,
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %3 = glu GELU_ERF %0 %1
        output y %3
        """);
  }

  @Test
  void takesTheActivationOnEitherSide() {
    assertRewrites(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = map SIGMOID %0
        %3 = zip MUL %1 %2
        output y %3
        """,
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %3 = glu SIGMOID %0 %1
        output y %3
        """);
  }

  @Test
  void leavesAnActivationThatOthersRead() {
    assertLeaves(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = map SILU %0
        %3 = zip MUL %2 %1
        %4 = zip ADD %3 %2
        output y %4
        """);
  }

  @Test
  void leavesAnActivationThatIsTapped() {
    assertLeaves(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = map SILU %0
        %3 = zip MUL %2 %1
        output y %3
        output tap %2
        """);
  }

  @Test
  void leavesAFactorThatSpreads() {
    assertLeaves(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = weight w f32[8]
        %2 = map SILU %0
        %3 = zip MUL %2 %1
        output y %3
        """);
  }

  @Test
  void leavesSumsAndOtherFunctions() {
    assertLeaves(
        new FuseGlu(),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = map SILU %0
        %3 = zip ADD %2 %1
        %4 = map SOFTPLUS %0
        %5 = zip MUL %4 %1
        output a %3
        output b %5
        """);
  }
}
