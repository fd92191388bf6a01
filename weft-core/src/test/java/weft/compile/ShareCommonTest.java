package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class ShareCommonTest {
  @Test
  void computesEqualThingsOnce() {
    assertRewrites(
        new ShareCommon(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = weight w f32[8]
        %4 = rmsnorm %0 %3 eps=1.0E-5 offset=0.0
        %5 = zip ADD %2 %4
        output y %5
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %5 = zip ADD %2 %2
        output y %5
        """);
  }

  @Test
  void sharesTheTableOfRope() {
    assertRewrites(
        new ShareCommon(),
        """
        %0 = input x f32[T,2,4]
        %1 = input positions i32[T]
        %2 = constant [1.0 0.01]
        %3 = rope %0 %1 %2 HALVES scale=1.0
        %4 = input positions i32[T]
        %5 = constant [1.0 0.01]
        %6 = rope %3 %4 %5 HALVES scale=1.0
        output y %6
        """,
        """
        %0 = input x f32[T,2,4]
        %1 = input positions i32[T]
        %2 = constant [1.0 0.01]
        %3 = rope %0 %1 %2 HALVES scale=1.0
        %6 = rope %3 %1 %2 HALVES scale=1.0
        output y %6
        """);
  }

  @Test
  void keepsApartWhatDiffersInAnAttribute() {
    assertLeaves(
        new ShareCommon(),
        """
        %0 = input x f32[T,8]
        %1 = weight w f32[8]
        %2 = rmsnorm %0 %1 eps=1.0E-5 offset=0.0
        %3 = rmsnorm %0 %1 eps=1.0E-6 offset=0.0
        %4 = rmsnorm %0 %1 eps=1.0E-5 offset=1.0
        %5 = scale %0 by=0.0
        %6 = scale %0 by=-0.0
        output a %2
        output b %3
        output c %4
        output d %5
        output e %6
        """);
  }

  @Test
  void keepsTheOrderOfOperandsApart() {
    assertLeaves(
        new ShareCommon(),
        """
        %0 = input x f32[T,8]
        %1 = input y f32[T,8]
        %2 = zip SUB %0 %1
        %3 = zip SUB %1 %0
        output a %2
        output b %3
        """);
  }
}
