package weft.cpu;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.quant.Encodings;

class ExpertsTest {
  @ParameterizedTest
  @CsvSource({
    "F32, RENORMALIZED, 1.0",
    "F32, AS_SCORED, 2.5",
    "F16, RENORMALIZED, 1.0",
    "Q8_0, RENORMALIZED, 1.0"
  })
  void rowsThatShareAnExpertGetWhatEachWouldGetAlone(String type, String weights, String scale) {
    var graph =
        """
        %%0 = input tokens i32[T]
        %%1 = weight x f32[50,64]
        %%2 = embed %%1 %%0
        %%3 = weight router f32[6,64]
        %%4 = linear %%2 %%3
        %%5 = weight gate f32[6,33,64]
        %%6 = weight up f32[6,33,64]
        %%7 = weight down f32[6,64,33]
        %%8 = experts %%2 %%4 %%5 %%6 %%7 SILU Routing(SOFTMAX used=2 %s scale=%s)
        output out %%8
        """
            .formatted(weights, scale);
    new Twins(graph, Encodings.byName(type).orElseThrow()).agree(1e-3f, 1, 2, 9, 40);
  }
}
