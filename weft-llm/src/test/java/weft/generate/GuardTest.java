package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuardTest {
  private static class Ill extends FakeModel {
    private final float[] bad;
    private final Optional<String> diagnosis;

    Ill(Optional<String> diagnosis, float... bad) {
      super(3, 1);
      this.bad = bad;
      this.diagnosis = diagnosis;
    }

    @Override
    float[] row(long hash, int length) {
      return length == 5 ? bad : super.row(hash, length);
    }

    @Override
    public Optional<String> diagnose(int[] tokens) {
      return diagnosis.map(layer -> layer + " on " + Arrays.toString(tokens));
    }
  }

  @Test
  void logitsThatAreNotFiniteEndTheTurnAndNameThePlace() {
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      assertThatThrownBy(
              () -> Alone.reply(new Ill(Optional.empty(), 1, value, 2), Request.of(1, 2)))
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("after 5 tokens are not finite: token 1 has " + value);
    }
  }

  @Test
  void equalLogitsEndTheTurn() {
    assertThatThrownBy(() -> Alone.reply(new Ill(Optional.empty(), 2, 2, 2), Request.of(1, 2)))
        .isInstanceOf(GenerateException.class)
        .hasMessageContaining("after 5 tokens are all equal to 2.0");
  }

  @Test
  void theModelNamesTheFirstBadLayer() {
    var model = new Ill(Optional.of("layer 3 has 12 NaN"), Float.NaN, 1, 1);
    assertThatThrownBy(() -> Sequence.open(model).prefill(2, 2, 2, 2, 2))
        .isInstanceOf(GenerateException.class)
        .hasMessageContaining("layer 3 has 12 NaN on [2, 2, 2, 2, 2]");
  }

  @Test
  void aDiagnosisThatFailsDoesNotHideTheFinding() {
    var model =
        new Ill(Optional.empty(), Float.NaN, 1, 1) {
          @Override
          public Optional<String> diagnose(int[] tokens) {
            throw new IllegalStateException("no layers here");
          }
        };
    assertThatThrownBy(() -> Sequence.open(model).prefill(1, 1, 1, 1, 1))
        .hasMessageContaining("are not finite: token 0 has NaN")
        .hasRootCauseMessage("no layers here");
  }

  @Test
  void aRowOfTheWrongLengthIsTheModelsFault() {
    assertThatThrownBy(() -> Sequence.open(new Ill(Optional.empty(), 1, 2)).prefill(1, 1, 1, 1, 1))
        .isInstanceOf(GenerateException.class)
        .hasMessageContaining("a row of 2 logits for a vocabulary of 3");
  }

  @Test
  void healthyLogitsPass() {
    var model = new Ill(Optional.empty(), 0, -0f, 1e-30f);
    assertThat(Sequence.open(model).prefill(1, 1, 1, 1, 1)).containsExactly(0, -0f, 1e-30f);
  }
}
