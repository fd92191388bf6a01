package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class EliminateDeadTest {
  @Test
  void dropsWhatNothingReads() {
    assertRewrites(
        new EliminateDead(),
        """
        %0 = input x f32[T,8]
        %1 = map SILU %0
        %2 = map EXP %1
        %3 = weight unused f32[8]
        %4 = map NEG %0
        output y %4
        """,
        """
        %0 = input x f32[T,8]
        %4 = map NEG %0
        output y %4
        """);
  }

  @Test
  void keepsAStateOpThatNobodyReads() {
    assertLeaves(
        new EliminateDead(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[8,4]
        %2 = shortconv Conv(c taps=3 channels=8) %0 %1
        %3 = map NEG %0
        output y %3
        """);
  }
}
