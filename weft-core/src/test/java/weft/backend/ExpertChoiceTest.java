package weft.backend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weft.ir.Routing;

class ExpertChoiceTest {
  private static int[] chosen(Routing.Scoring scoring, int used, float... scores) {
    var routing = new Routing(scoring, used, Routing.Weights.AS_SCORED, 1);
    return ExpertChoice.of(routing, scores, 0, scores.length).experts();
  }

  @Test
  void theBestComeFirstAndTheLowerNumberOnATie() {
    for (var scoring : Routing.Scoring.values()) {
      assertThat(chosen(scoring, 3, 1, 4, 2, 4)).containsExactly(1, 3, 2);
    }
  }

  @Test
  void whatIsNoNumberComesLast() {
    float nan = Float.NaN;
    float inf = Float.POSITIVE_INFINITY;
    for (var scoring : Routing.Scoring.values()) {
      assertThat(chosen(scoring, 3, nan, 4, nan, inf)).containsExactly(3, 1, 0);
      assertThat(chosen(scoring, 3, nan, -inf, nan, -inf)).containsExactly(0, 1, 2);
    }
  }

  @Test
  void scoresWhoseProbabilitiesRoundToTheSameAreToldApart() {
    for (var scoring : Routing.Scoring.values()) {
      assertThat(chosen(scoring, 2, 50, 60, 1e5f)).containsExactly(2, 1);
    }
  }
}
