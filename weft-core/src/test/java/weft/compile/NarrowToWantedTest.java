package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class NarrowToWantedTest {
  @Test
  void computesTheHeadForTheWantedRowsAlone() {
    assertRewrites(
        new NarrowToWanted(),
        """
        %3 = input wanted i32[W]
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = weight head f32[32,8]
        %4 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %5 = linear %4 %2
        %6 = rows %5 %3
        output logits %6
        """,
        """
        %3 = input wanted i32[W]
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = weight head f32[32,8]
        %4 = rows %0 %3
        %5 = rmsnorm %4 %1 eps=1.0E-5 offset=0.0
        %6 = linear %5 %2
        output logits %6
        """);
  }

  @Test
  void goesBackToTheLastOpThatMixesRows() {
    assertRewrites(
        new NarrowToWanted(),
        """
        %1 = input wanted i32[W]
        %0 = input x f32[T,8]
        %2 = weight w f32[8,8]
        %3 = heads %0 count=2
        %4 = attend KeyValue(kv heads=2 keyDim=4 valueDim=4 window=2147483647) %3 %3 %3 Scores(scale=0.5 softCap=0.0)
        %5 = merge %4
        %6 = linear %5 %2
        %7 = zip ADD %0 %6
        %8 = rows %7 %1
        output logits %8
        """,
        """
        %1 = input wanted i32[W]
        %0 = input x f32[T,8]
        %2 = weight w f32[8,8]
        %3 = heads %0 count=2
        %4 = attend KeyValue(kv heads=2 keyDim=4 valueDim=4 window=2147483647) %3 %3 %3 Scores(scale=0.5 softCap=0.0)
        %5 = rows %4 %1
        %6 = merge %5
        %7 = linear %6 %2
        %8 = rows %0 %1
        %9 = zip ADD %8 %7
        output logits %9
        """);
  }

  @Test
  void gathersAValueOnceForAllItsReaders() {
    assertRewrites(
        new NarrowToWanted(),
        """
        %1 = input wanted i32[W]
        %0 = input x f32[T,8]
        %2 = map SILU %0
        %3 = map EXP %0
        %4 = zip MUL %2 %3
        %5 = rows %4 %1
        output y %5
        """,
        """
        %1 = input wanted i32[W]
        %0 = input x f32[T,8]
        %2 = rows %0 %1
        %3 = map SILU %2
        %4 = map EXP %2
        %5 = zip MUL %3 %4
        output y %5
        """);
  }

  @Test
  void leavesAHiddenStateThatIsTapped() {
    assertLeaves(
        new NarrowToWanted(),
        """
        %1 = input wanted i32[W]
        %0 = input x f32[T,8]
        %2 = map SILU %0
        %3 = rows %2 %1
        output logits %3
        output hidden %2
        """);
  }

  @Test
  void leavesRowsThatAStateOpAlsoReads() {
    assertLeaves(
        new NarrowToWanted(),
        """
        %1 = input wanted i32[W]
        %0 = input x f32[T,8]
        %2 = weight w f32[8,4]
        %3 = map SILU %0
        %4 = shortconv Conv(c taps=3 channels=8) %3 %2
        %5 = rows %3 %1
        output y %5
        """);
  }

  @Test
  void leavesTwoDifferentSelectionsAlone() {
    assertLeaves(
        new NarrowToWanted(),
        """
        %1 = input wanted i32[W]
        %0 = input x f32[T,8]
        %2 = input others i32[W]
        %3 = map SILU %0
        %4 = rows %3 %1
        %5 = rows %3 %2
        output a %4
        output b %5
        """);
  }

  @Test
  void choosesTheRowsFirstWhereverTheModelSaysWhich() {
    assertRewrites(
        new NarrowToWanted(),
        """
        %0 = input x f32[T,8]
        %1 = map SILU %0
        %2 = input wanted i32[W]
        %3 = rows %1 %2
        output y %3
        """,
        """
        %2 = input wanted i32[W]
        %0 = input x f32[T,8]
        %3 = rows %0 %2
        %4 = map SILU %3
        output y %4
        """);
  }
}
