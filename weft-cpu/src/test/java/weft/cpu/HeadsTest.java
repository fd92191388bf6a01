package weft.cpu;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rmsnorm %4 %5 eps=1.0E-6 offset=1.0",
        "l2norm %4 eps=1.0E-6",
        "merge %4",
      })
  void partsOfHeadsAreReadWhereTheyLie(String op) {
    Twins.of(
            """
            %0 = input tokens i32[T]
            %1 = weight x f32[50,60]
            %2 = embed %1 %0
            %3 = heads %2 count=3
            %4 = slice %3 from=8 to=18
            %5 = weight w f32[10]
            %6 = OP
            output out %6
            """
                .replace("OP", op))
        .agree(1e-5f, 1, 5);
  }
}
