package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DiceTest {
  @Test
  void numbersAreThoseOfSplitMix64() {
    // SplitMix64 from state 0 begins with e220a8397b1dcdaf, 6e789e6aa1b965f4 (the values that its
    // public-domain C code prints); mixing seed 0 gives state 0.
    assertThat(Dice.bits(0, 0)).isEqualTo(0xe220a8397b1dcdafL);
    assertThat(Dice.bits(0, 1)).isEqualTo(0x6e789e6aa1b965f4L);
    assertThat(new Dice(0).roll(1, 3))
        .isEqualTo(((Dice.bits(0x6e789e6aa1b965f4L, 3) >>> 11) + 1) * 0x1p-53);
  }

  @Test
  void numbersSpreadEvenlyForEachSeedDrawAndToken() {
    int[] bySeed = new int[10];
    int[] byDraw = new int[10];
    int[] byToken = new int[10];
    for (int i = 0; i < 100_000; i++) {
      bySeed[bin(new Dice(i).roll(0, 0))]++;
      byDraw[bin(new Dice(12345).roll(i, 7))]++;
      byToken[bin(new Dice(12345).roll(3, i))]++;
    }
    for (int bin = 0; bin < 10; bin++) {
      // Five standard deviations of a binomial count: sqrt(100000 * 0.1 * 0.9) = 95.
      assertThat(bySeed[bin]).isCloseTo(10_000, within(475));
      assertThat(byDraw[bin]).isCloseTo(10_000, within(475));
      assertThat(byToken[bin]).isCloseTo(10_000, within(475));
    }
  }

  private static int bin(double number) {
    assertThat(number).isGreaterThan(0).isLessThanOrEqualTo(1);
    return (int) Math.ceil(10 * number) - 1;
  }
}
