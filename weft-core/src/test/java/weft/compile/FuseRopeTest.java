package weft.compile;

import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;

class FuseRopeTest {
  @Test
  void turnsQueriesAndKeysOnTheirWayIn() {
    assertRewrites(
        new FuseRope(),
        """
        %0 = input q f32[T,4,8]
        %1 = input k f32[T,2,8]
        %2 = input v f32[T,2,8]
        %3 = input positions i32[T]
        %4 = constant [1.0 0.1]
        %5 = rope %0 %3 %4 HALVES scale=1.0
        %6 = rope %1 %3 %4 HALVES scale=1.0
        %7 = attend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %5 %6 %2 Scores(scale=0.5 softCap=50.0)
        output y %7
        """,
        """
        %0 = input q f32[T,4,8]
        %1 = input k f32[T,2,8]
        %2 = input v f32[T,2,8]
        %3 = input positions i32[T]
        %4 = constant [1.0 0.1]
        %7 = ropeattend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %0 %1 %2 Scores(scale=0.5 softCap=50.0) %3 %4 HALVES ropeScale=1.0
        output y %7
        """);
  }

  @Test
  void leavesQueriesAndKeysThatTurnDifferently() {
    assertLeaves(
        new FuseRope(),
        """
        %0 = input q f32[T,4,8]
        %1 = input k f32[T,2,8]
        %2 = input v f32[T,2,8]
        %3 = input positions i32[T]
        %4 = constant [1.0 0.1]
        %5 = rope %0 %3 %4 HALVES scale=1.0
        %6 = rope %1 %3 %4 HALVES scale=2.0
        %7 = attend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %5 %6 %2 Scores(scale=0.5 softCap=50.0)
        output y %7
        """);
  }

  @Test
  void leavesPairsThatDiffer() {
    assertLeaves(
        new FuseRope(),
        """
        %0 = input q f32[T,4,8]
        %1 = input k f32[T,2,8]
        %2 = input v f32[T,2,8]
        %3 = input positions i32[T]
        %4 = constant [1.0 0.1]
        %5 = rope %0 %3 %4 HALVES scale=1.0
        %6 = rope %1 %3 %4 NEIGHBOURS scale=1.0
        %7 = attend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %5 %6 %2 Scores(scale=0.5 softCap=50.0)
        output y %7
        """);
  }

  @Test
  void leavesTurnedKeysThatAreTapped() {
    assertLeaves(
        new FuseRope(),
        """
        %0 = input q f32[T,4,8]
        %1 = input k f32[T,2,8]
        %2 = input v f32[T,2,8]
        %3 = input positions i32[T]
        %4 = constant [1.0 0.1]
        %5 = rope %0 %3 %4 HALVES scale=1.0
        %6 = rope %1 %3 %4 HALVES scale=1.0
        %7 = attend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %5 %6 %2 Scores(scale=0.5 softCap=50.0)
        output y %7
        output k %6
        """);
  }

  @Test
  void leavesAttentionWithoutPositionsOnTheKeys() {
    assertLeaves(
        new FuseRope(),
        """
        %0 = input q f32[T,4,8]
        %1 = input k f32[T,2,8]
        %2 = input v f32[T,2,8]
        %3 = input positions i32[T]
        %4 = constant [1.0 0.1]
        %5 = rope %0 %3 %4 HALVES scale=1.0
        %7 = attend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %5 %1 %2 Scores(scale=0.5 softCap=50.0)
        output y %7
        """);
  }

  @Test
  void leavesKeysThatAreTheQueries() {
    assertLeaves(
        new FuseRope(),
        """
        %0 = input q f32[T,2,8]
        %1 = input positions i32[T]
        %2 = constant [1.0 0.1]
        %3 = rope %0 %1 %2 HALVES scale=1.0
        %4 = attend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %3 %3 %0 Scores(scale=0.5 softCap=0.0)
        output y %4
        """);
  }
}
