package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class MergeGateUpTest {
  @Test
  void endsOneLaunchInTheGate() {
    assertRewrites(
        new MergeGateUp(),
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %5 = project None() %0 [%1] [] None()
        %6 = project None() %0 [%2] [] None()
        %7 = glu SILU %5 %6
        output y %7
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %7 = project None() %0 [%1 %2] [] Gate(SILU)
        output y %7
        """);
  }

  @Test
  void bringsTheBiasesAlong() {
    assertRewrites(
        new MergeGateUp(),
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %3 = weight gate.b f32[4]
        %4 = weight up.b f32[4]
        %5 = project None() %0 [%1] [%3] None()
        %6 = project None() %0 [%2] [%4] None()
        %7 = glu SILU %5 %6
        output y %7
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %3 = weight gate.b f32[4]
        %4 = weight up.b f32[4]
        %7 = project None() %0 [%1 %2] [%3 %4] Gate(SILU)
        output y %7
        """);
  }

  @Test
  void leavesABiasOnOneSideOnly() {
    assertLeaves(
        new MergeGateUp(),
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %3 = weight gate.b f32[4]
        %5 = project None() %0 [%1] [%3] None()
        %6 = project None() %0 [%2] [] None()
        %7 = glu SILU %5 %6
        output y %7
        """);
  }

  @Test
  void leavesProjectionsOfDifferentRows() {
    assertLeaves(
        new MergeGateUp(),
        """
        %0 = input x f32[T,8]
        %1 = input y f32[T,8]
        %2 = weight gate f32[4,8]
        %3 = weight up f32[4,8]
        %4 = project None() %0 [%2] [] None()
        %5 = project None() %1 [%3] [] None()
        %6 = glu SILU %4 %5
        output y %6
        """);
  }

  @Test
  void leavesAGateThatOthersRead() {
    assertLeaves(
        new MergeGateUp(),
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %3 = project None() %0 [%1] [] None()
        %4 = project None() %0 [%2] [] None()
        %5 = glu SILU %3 %4
        %6 = zip ADD %5 %3
        output y %6
        """);
  }

  @Test
  void leavesAnUpThatIsTapped() {
    assertLeaves(
        new MergeGateUp(),
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %5 = project None() %0 [%1] [] None()
        %6 = project None() %0 [%2] [] None()
        %7 = glu SILU %5 %6
        output y %7
        output tap %6
        """);
  }

  @Test
  void leavesProjectionsThatAlreadyDoMore() {
    assertLeaves(
        new MergeGateUp(),
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[4,8]
        %2 = weight up f32[4,8]
        %3 = weight norm f32[8]
        %4 = project Norm(%3 eps=1.0E-5 offset=0.0) %0 [%1] [] None()
        %5 = project None() %0 [%2] [] None()
        %6 = glu SILU %4 %5
        output y %6
        """);
  }
}
