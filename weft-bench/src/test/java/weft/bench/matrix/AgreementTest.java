package weft.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weft.bench.matrix.Player.Row;

class AgreementTest {
  private static Row row(int token, float... logits) {
    return new Row(0, 0, token, logits);
  }

  @Test
  void exactMeansEveryBit() {
    var one = row(0, 2, 1);
    assertThat(Agreement.EXACT.judge(one, row(0, 2, 1))).isEmpty();
    assertThat(Agreement.EXACT.judge(one, row(0, 2, Math.nextUp(1f)))).isPresent();
  }

  @Test
  void whatIsFurtherApartThanItMayIsFound() {
    var one = row(0, 10, 1);
    assertThat(Agreement.BYTES.judge(one, row(0, 10, 1.7f))).isEmpty();
    assertThat(Agreement.BYTES.judge(one, row(0, 10, 1.9f)).orElseThrow()).contains("apart");
  }

  @Test
  void theTokenIsTheSameUnlessTwoAreNear() {
    assertThat(Agreement.BYTES.judge(row(0, 10, 9.9f), row(1, 9.9f, 10))).isEmpty();
    assertThat(Agreement.EXACT.judge(row(0, 10, 10), row(1, 10, 10))).isPresent();
  }

  @Test
  void whatIsNoNumberOrNotTheGreatestIsFound() {
    assertThat(Agreement.soundness(row(0, 1, Float.NaN)).orElseThrow()).contains("not finite");
    assertThat(Agreement.soundness(row(0, 1, 2)).orElseThrow()).contains("greatest logit is 1");
    assertThat(Agreement.soundness(row(0, 0, 0)).orElseThrow()).contains("zero");
  }
}
