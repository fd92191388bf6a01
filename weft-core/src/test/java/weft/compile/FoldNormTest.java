package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FoldNormTest {
  @Test
  void normsTheRowAsItIsRead() {
    assertRewrites(
        new FoldNorm(),
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=1.0
        %3 = weight w f32[4,8]
        %4 = project None() %2 [%3] [] None()
        output y %4
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %3 = weight w f32[4,8]
        %4 = project Norm(%1 eps=1.0E-5 offset=1.0) %0 [%3] [] None()
        output y %4
        """);
  }

  @Test
  void foldsIntoEveryProjectionThatReadsIt() {
    assertRewrites(
        new FoldNorm(),
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = weight w f32[4,8]
        %4 = project None() %2 [%3 %3] [] Gate(SILU)
        %5 = project None() %2 [%3] [] None()
        %6 = zip ADD %4 %5
        output y %6
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %3 = weight w f32[4,8]
        %4 = project Norm(%1 eps=1.0E-5 offset=0.0) %0 [%3 %3] [] Gate(SILU)
        %5 = project Norm(%1 eps=1.0E-5 offset=0.0) %0 [%3] [] None()
        %6 = zip ADD %4 %5
        output y %6
        """);
  }

  @Test
  void leavesANormThatAnotherOpReads() {
    assertLeaves(
        new FoldNorm(),
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = weight w f32[8,8]
        %4 = project None() %2 [%3] [] None()
        %5 = zip ADD %4 %2
        output y %5
        """);
  }

  @Test
  void leavesANormThatIsTheResidualToo() {
    assertLeaves(
        new FoldNorm(),
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = weight w f32[8,8]
        %4 = project None() %2 [%3] [] Add(%2)
        output y %4
        """);
  }

  @Test
  void leavesANormThatIsTapped() {
    assertLeaves(
        new FoldNorm(),
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = weight w f32[4,8]
        %4 = project None() %2 [%3] [] None()
        output y %4
        output hidden %2
        """);
  }

  @Test
  void leavesTheNormOfHeads() {
    assertLeaves(
        new FoldNorm(),
        """
        %0 = input x f32[T,2,8]
        %1 = weight norm f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = weight w f32[4,8]
        %4 = project None() %2 [%3] [] None()
        output y %4
        """);
  }

  @Test
  void leavesASecondNormToItself() {
    assertLeaves(
        new FoldNorm(),
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = weight w f32[4,8]
        %4 = project Norm(%1 eps=1.0E-5 offset=0.0) %2 [%3] [] None()
        output y %4
        """);
  }
}
