package weft.cpu;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecurrenceTest {
  private static String delta(int keyHeads, int heads, int keyDim, int valueDim, String grouping) {
    return """
    %%0 = input tokens i32[T]
    %%1 = weight q f32[50,%1$d]
    %%2 = embed %%1 %%0
    %%3 = heads %%2 count=%2$d
    %%4 = l2norm %%3 eps=1.0E-6
    %%5 = weight k f32[50,%1$d]
    %%6 = embed %%5 %%0
    %%7 = heads %%6 count=%2$d
    %%8 = l2norm %%7 eps=1.0E-6
    %%9 = weight v f32[50,%3$d]
    %%10 = embed %%9 %%0
    %%11 = heads %%10 count=%4$d
    %%12 = weight decay f32[50,%4$d]
    %%13 = embed %%12 %%0
    %%14 = scale %%13 by=8.0
    %%15 = map SIGMOID %%14
    %%16 = weight beta f32[50,%4$d]
    %%17 = embed %%16 %%0
    %%18 = map SIGMOID %%17
    %%19 = deltarule Delta(delta heads=%4$d keyDim=%5$d valueDim=%6$d) %%4 %%8 %%11 %%15 %%18 %7$s
    output out %%19
    """
        .formatted(
            keyHeads * keyDim, keyHeads, heads * valueDim, heads, keyDim, valueDim, grouping);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 4, 16, 16, BLOCKED",
    "2, 4, 16, 16, TILED",
    "1, 1, 128, 128, BLOCKED",
    "3, 3, 5, 7, TILED",
    "1, 3, 24, 40, BLOCKED"
  })
  void theDeltaRuleInChunksAndInStepsIsTheSame(
      int keyHeads, int heads, int keyDim, int valueDim, String grouping) {
    var twins = Twins.of(delta(keyHeads, heads, keyDim, valueDim, grouping));
    // A step of one between chunks: the state goes from one form to the other and back.
    twins.agree(1e-4f, 1, 2, 3, 4, 31, 1, 32, 33, 65, 1, 130);
  }

  @Test
  void aChunkWhoseDecaysMultiplyToNothingStaysFinite() {
    var vanishing = delta(1, 2, 8, 8, "BLOCKED").replace("by=8.0", "by=200.0");
    Twins.of(vanishing).agree(1e-4f, 100, 1, 64);
  }

  @ParameterizedTest
  @CsvSource({"6, 3", "37, 3", "64, 0", "40, 1"})
  void aConvolutionRemembersAcrossSteps(int channels, int taps) {
    var graph =
        """
        %%0 = input tokens i32[T]
        %%1 = weight x f32[50,%1$d]
        %%2 = embed %%1 %%0
        %%3 = weight w f32[%1$d,%3$d]
        %%4 = shortconv Conv(conv taps=%2$d channels=%1$d) %%2 %%3
        output out %%4
        """
            .formatted(channels, taps, taps + 1);
    Twins.of(graph).agree(1e-5f, 1, 1, 2, 3, 1, 7, 2, 40);
  }
}
