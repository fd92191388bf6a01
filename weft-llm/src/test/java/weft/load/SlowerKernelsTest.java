package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static weft.backend.Service.Kind.COLLECTIVE;
import static weft.backend.Service.Kind.EMITTED;
import static weft.backend.Service.Kind.PORTABLE;
import static weft.backend.Service.Kind.REFERENCE;

import java.util.List;
import org.junit.jupiter.api.Test;
import weft.backend.Service;
import weft.load.SlowerKernels.Served;

class SlowerKernelsTest {
  private static Served served(String launch, Service.Kind kind) {
    return new Served(launch, kind);
  }

  @Test
  void whatAllLaunchesHaveIsNotWorthAWord() {
    assertThat(SlowerKernels.sentences(List.of())).isEmpty();
    for (var kind : Service.Kind.values()) {
      var alike = List.of(served("embed", kind), served("linear", kind));
      assertThat(SlowerKernels.sentences(alike)).isEmpty();
    }
  }

  @Test
  void launchesOfSlowerKernelsAreNamedOnce() {
    var sentences =
        SlowerKernels.sentences(
            List.of(
                served("embed", EMITTED),
                served("allreduce", COLLECTIVE),
                served("project q", PORTABLE),
                served("project q", PORTABLE),
                served("linear head", PORTABLE),
                served("map", REFERENCE)));
    assertThat(sentences).containsOnlyKeys(PORTABLE, REFERENCE);
    assertThat(sentences.get(PORTABLE))
        .isEqualTo(
            "no emitted kernel takes the sizes or encodings of linear head, project q,"
                + " so slower ones in Java do");
    assertThat(sentences.get(REFERENCE)).startsWith("no fast kernel takes map, so the slow");
  }
}
