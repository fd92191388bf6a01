package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DiceTest {
  @Test
  void numbersAreThoseOfSplitMix64() {
    // SplitMix64 from state 0 begins with e220a8397b1dcdaf, 6e789e6aa1b965f4 (the values that its
    // public-domain C code prints); mixing seed 0 gives state 0.
    var dice = new Dice(0);
    assertThat(dice.roll(0)).isEqualTo((0xe220a8397b1dcdafL >>> 11) * 0x1p-53);
    assertThat(dice.roll(1)).isEqualTo((0x6e789e6aa1b965f4L >>> 11) * 0x1p-53);
  }

  @Test
  void numbersSpreadEvenlyForEachSeedAndAcrossSeeds() {
    int[] bySeed = new int[10];
    int[] byIndex = new int[10];
    for (int i = 0; i < 100_000; i++) {
      bySeed[(int) (10 * new Dice(i).roll(0))]++;
      byIndex[(int) (10 * new Dice(12345).roll(i))]++;
    }
    for (int bin = 0; bin < 10; bin++) {
      // Five standard deviations of a binomial count: sqrt(100000 * 0.1 * 0.9) = 95.
      assertThat(bySeed[bin]).isCloseTo(10_000, within(475));
      assertThat(byIndex[bin]).isCloseTo(10_000, within(475));
    }
  }
}
