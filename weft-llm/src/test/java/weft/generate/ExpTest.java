package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ExpTest {
  @Test
  void agreesWithTheLibraryToThirteenDigits() {
    var random = new Random(3);
    for (int trial = 0; trial < 100_000; trial++) {
      double x = -random.nextDouble() * (trial % 2 == 0 ? 1 : 690);
      assertThat(Exp.of(x)).isCloseTo(StrictMath.exp(x), withinPercentage(1e-11));
    }
  }

  @Test
  void isOneAtZeroAndZeroFarBelow() {
    assertThat(Exp.of(0)).isEqualTo(1);
    assertThat(Exp.of(-0.0)).isEqualTo(1);
    assertThat(Exp.of(-701)).isZero();
    assertThat(Exp.of(Double.NEGATIVE_INFINITY)).isZero();
  }
}
