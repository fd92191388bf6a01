package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class MergeProjectionsTest {
  @Test
  void laysProjectionsOfOneRowSideBySide() {
    assertRewrites(
        new MergeProjections(),
        """
        %0 = input x f32[T,8]
        %1 = weight q f32[8,8]
        %2 = project None() %0 [%1] [] None()
        %3 = heads %2 count=2
        %4 = weight k f32[4,8]
        %5 = project None() %0 [%4] [] None()
        %6 = weight v f32[4,8]
        %7 = project None() %0 [%6] [] None()
        output q %3
        %8 = zip MUL %5 %7
        output kv %8
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight q f32[8,8]
        %2 = weight k f32[4,8]
        %3 = weight v f32[4,8]
        %4 = project None() %0 [%1 %2 %3] [] None()
        %5 = slice %4 from=0 to=8
        %6 = slice %4 from=8 to=12
        %7 = slice %4 from=12 to=16
        %8 = heads %5 count=2
        %9 = zip MUL %6 %7
        output q %8
        output kv %9
        """);
  }

  @Test
  void bringsTheBiasesAlong() {
    assertRewrites(
        new MergeProjections(),
        """
        %0 = input x f32[T,8]
        %1 = weight k f32[4,8]
        %2 = weight k.b f32[4]
        %3 = project None() %0 [%1] [%2] None()
        %4 = weight v f32[4,8]
        %5 = weight v.b f32[4]
        %6 = project None() %0 [%4] [%5] None()
        %7 = zip MUL %3 %6
        output y %7
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight k f32[4,8]
        %2 = weight k.b f32[4]
        %4 = weight v f32[4,8]
        %5 = weight v.b f32[4]
        %6 = project None() %0 [%1 %4] [%2 %5] None()
        %7 = slice %6 from=0 to=4
        %8 = slice %6 from=4 to=8
        %9 = zip MUL %7 %8
        output y %9
        """);
  }

  @Test
  void leavesBiasesOnSomeOnly() {
    assertLeaves(
        new MergeProjections(),
        """
        %0 = input x f32[T,8]
        %1 = weight k f32[4,8]
        %2 = weight k.b f32[4]
        %3 = project None() %0 [%1] [%2] None()
        %4 = weight v f32[4,8]
        %5 = project None() %0 [%4] [] None()
        %6 = zip MUL %3 %5
        output y %6
        """);
  }

  @Test
  void leavesAProjectionThatIsTapped() {
    assertLeaves(
        new MergeProjections(),
        """
        %0 = input x f32[T,8]
        %1 = weight k f32[4,8]
        %2 = project None() %0 [%1] [] None()
        %3 = weight v f32[4,8]
        %4 = project None() %0 [%3] [] None()
        %5 = map NEG %4
        output k %2
        output v %5
        """);
  }

  @Test
  void leavesProjectionsOfDifferentRows() {
    assertLeaves(
        new MergeProjections(),
        """
        %0 = input x f32[T,8]
        %1 = input y f32[T,8]
        %2 = weight k f32[4,8]
        %3 = project None() %0 [%2] [] None()
        %4 = project None() %1 [%2] [] None()
        %5 = zip MUL %3 %4
        output y %5
        """);
  }

  @Test
  void leavesGatesAndNormsAlone() {
    assertLeaves(
        new MergeProjections(),
        """
        %0 = input x f32[T,8]
        %1 = weight a f32[4,8]
        %2 = weight norm f32[8]
        %3 = project None() %0 [%1 %1] [] Gate(SILU)
        %4 = project Norm(%2 eps=1.0E-5 offset=0.0) %0 [%1] [] None()
        %5 = zip MUL %3 %4
        output y %5
        """);
  }

  @Test
  void leavesABiasThatIsComputed() {
    assertLeaves(
        new MergeProjections(),
        """
        %0 = input x f32[T,8]
        %8 = weight b f32[4]
        %9 = map EXP %8
        %1 = weight k f32[4,8]
        %2 = project None() %0 [%1] [%9] None()
        %3 = weight v f32[4,8]
        %4 = weight b f32[4]
        %5 = project None() %0 [%3] [%4] None()
        %6 = zip MUL %2 %5
        output y %6
        """);
  }
}
