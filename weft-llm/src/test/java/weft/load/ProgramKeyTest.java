package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.ReferenceBackend;
import weft.compile.Pipeline;
import weft.ir.GraphText;
import weft.lir.Stored;
import weft.lir.Target;
import weft.quant.Encodings;

class ProgramKeyTest {
  private static final String GRAPH =
      """
      %0 = weight table f32[32,256]
      %1 = input tokens i32[T]
      %2 = embed %0 %1
      %3 = weight w f32[32,256]
      %4 = linear %2 %3
      output logits %4
      """;

  private static String key(String graph, Stored weights, Set<String> without) {
    Target target = new ReferenceBackend().open(Backend.Options.standard()).target();
    return ProgramKey.of(Pipeline.of(target, weights, without), GraphText.parse(graph), weights);
  }

  @Test
  void theSameGraphOverOtherEncodingsHasAnotherKey() {
    var floats = key(GRAPH, Stored.PLAIN, Set.of());
    Stored mixed = name -> name.equals("w") ? Encodings.Q4_K : Encodings.F32;
    Stored turned = name -> name.equals("w") ? Encodings.F32 : Encodings.Q4_K;
    assertThat(key(GRAPH, Stored.PLAIN, Set.of())).isEqualTo(floats);
    assertThat(key(GRAPH, mixed, Set.of())).isNotEqualTo(floats);
    assertThat(key(GRAPH, turned, Set.of())).isNotEqualTo(floats);
    assertThat(key(GRAPH, turned, Set.of())).isNotEqualTo(key(GRAPH, mixed, Set.of()));
  }

  @Test
  void otherOutputsAndOtherPassesHaveOtherKeys() {
    var floats = key(GRAPH, Stored.PLAIN, Set.of());
    assertThat(key(GRAPH.replace("logits", "final"), Stored.PLAIN, Set.of())).isNotEqualTo(floats);
    assertThat(key(GRAPH, Stored.PLAIN, Set.of("fold-bias"))).isNotEqualTo(floats);
  }
}
