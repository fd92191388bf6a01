package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FoldConstantsTest {
  @Test
  void computesFunctionsOfConstants() {
    assertRewrites(
        new FoldConstants(),
        """
        %0 = constant [1.0 2.0 4.0]
        %1 = constant [2.0]
        %2 = zip DIV %0 %1
        %3 = map NEG %2
        %4 = scale %3 by=10.0
        output y %4
        """,
        """
        %4 = constant [-5.0 -10.0 -20.0]
        output y %4
        """);
  }

  @Test
  void joinsChainsOfScales() {
    assertRewrites(
        new FoldConstants(),
        """
        %0 = input x f32[T,8]
        %1 = scale %0 by=2.0
        %2 = scale %1 by=4.0
        output y %2
        """,
        """
        %0 = input x f32[T,8]
        %1 = scale %0 by=8.0
        output y %1
        """);
  }

  @Test
  void dropsWhatChangesNothing() {
    assertRewrites(
        new FoldConstants(),
        """
        %0 = input x f32[T,8]
        %1 = scale %0 by=1.0
        %2 = slice %1 from=0 to=8
        %3 = heads %2 count=2
        %4 = merge %3
        %5 = map SILU %4
        output y %5
        """,
        """
        %0 = input x f32[T,8]
        %5 = map SILU %0
        output y %5
        """);
  }

  @Test
  void keepsTheInnerScaleThatOthersRead() {
    assertRewrites(
        new FoldConstants(),
        """
        %0 = input x f32[T,8]
        %1 = scale %0 by=2.0
        %2 = scale %1 by=4.0
        output y %2
        output z %1
        """,
        """
        %0 = input x f32[T,8]
        %1 = scale %0 by=2.0
        %2 = scale %0 by=8.0
        output y %2
        output z %1
        """);
  }

  @Test
  void leavesWhatIsNotKnownYet() {
    assertLeaves(
        new FoldConstants(),
        """
        %0 = weight w f32[4]
        %1 = constant [1.0 2.0 3.0 4.0]
        %2 = zip DIV %1 %0
        %3 = input x f32[T,8]
        %4 = slice %3 from=0 to=4
        %5 = zip MUL %4 %2
        %6 = heads %5 count=2
        %7 = slice %6 from=0 to=1
        %8 = merge %7
        output y %8
        """);
  }
}
