package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FuseAddNormTest {
  @Test
  void addsTheStreamToTheNorm() {
    assertRewrites(
        new FuseAddNorm(),
        """
        %0 = input stream f32[T,8]
        %1 = input x f32[T,8]
        %2 = weight w f32[8]
        %3 = rmsnorm %1 %2 eps=1.0E-6 offset=1.0
        %4 = zip ADD %0 %3
        output y %4
        """,
        """
        %0 = input stream f32[T,8]
        %1 = input x f32[T,8]
        %2 = weight w f32[8]
        %4 = addnorm %0 %1 %2 eps=1.0E-6 offset=1.0
        output y %4
        """);
  }

  @Test
  void takesTheNormOnEitherSide() {
    assertRewrites(
        new FuseAddNorm(),
        """
        %0 = input stream f32[T,8]
        %1 = input x f32[T,8]
        %2 = weight w f32[8]
        %3 = rmsnorm %1 %2 eps=1.0E-6 offset=1.0
        %4 = zip ADD %3 %0
        output y %4
        """,
        """
        %0 = input stream f32[T,8]
        %1 = input x f32[T,8]
        %2 = weight w f32[8]
        %4 = addnorm %0 %1 %2 eps=1.0E-6 offset=1.0
        output y %4
        """);
  }

  @Test
  void leavesANormThatIsReadTwice() {
    assertLeaves(
        new FuseAddNorm(),
        """
        %0 = input stream f32[T,8]
        %1 = input x f32[T,8]
        %2 = weight w f32[8]
        %3 = rmsnorm %1 %2 eps=1.0E-6 offset=1.0
        %4 = zip ADD %0 %3
        %5 = zip MUL %4 %3
        output y %5
        """);
  }

  @Test
  void leavesANormThatIsTapped() {
    assertLeaves(
        new FuseAddNorm(),
        """
        %0 = input stream f32[T,8]
        %1 = input x f32[T,8]
        %2 = weight w f32[8]
        %3 = rmsnorm %1 %2 eps=1.0E-6 offset=1.0
        %4 = zip ADD %0 %3
        output y %4
        output tap %3
        """);
  }

  @Test
  void leavesAVectorThatSpreads() {
    assertLeaves(
        new FuseAddNorm(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-6 offset=1.0
        %3 = zip ADD %2 %1
        output y %3
        """);
  }

  @Test
  void leavesProducts() {
    assertLeaves(
        new FuseAddNorm(),
        """
        %0 = input stream f32[T,8]
        %1 = input x f32[T,8]
        %2 = weight w f32[8]
        %3 = rmsnorm %1 %2 eps=1.0E-6 offset=1.0
        %4 = zip MUL %0 %3
        output y %4
        """);
  }
}
