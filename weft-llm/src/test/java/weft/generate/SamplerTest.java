package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static final Tokens NOTHING = Tokens.of();

  @Test
  void drawsAsTheFormulasSay() {
    var random = new Random(2);
    for (int trial = 0; trial < 3_000; trial++) {
      int vocabularySize = trial % 10 == 0 ? 700 : 2 + random.nextInt(30);
      float[] logits = new float[vocabularySize];
      for (int i = 0; i < vocabularySize; i++) {
        logits[i] = random.nextInt(4) == 0 ? 1f : (float) random.nextGaussian() * 2;
      }
      Sampling sampling =
          new Sampling(
              0.2 + random.nextDouble() * 2,
              random.nextBoolean() ? 0 : 1 + random.nextInt(vocabularySize + 2),
              random.nextBoolean() ? 1 : random.nextDouble(),
              random.nextBoolean() ? 0 : random.nextDouble() * 0.5,
              random.nextBoolean() ? 1 : random.nextDouble(),
              Penalties.NONE,
              trial);
      int token = new Sampler(sampling, vocabularySize).next(Logits.of(logits), NOTHING);
      assertThat(token)
          .describedAs("%s of %d", sampling, vocabularySize)
          .isEqualTo(byTheFormulas(sampling, logits));
    }
  }

  @Test
  void whateverTheLogitsAreATokenExistsOrThereIsASentence() {
    var random = new Random(3);
    float[] odd = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1, -0f};
    for (int trial = 0; trial < 3_000; trial++) {
      float[] logits = new float[1 + random.nextInt(200)];
      int kinds = 1 + random.nextInt(odd.length);
      for (int i = 0; i < logits.length; i++) {
        logits[i] =
            random.nextInt(4) == 0
                ? Float.intBitsToFloat(random.nextInt())
                : odd[(trial + random.nextInt(kinds)) % odd.length];
      }
      var sampling =
          new Sampling(
              random.nextInt(4) == 0 ? 0 : random.nextDouble() * 2,
              random.nextInt(9),
              random.nextBoolean() ? 1 : random.nextDouble(),
              random.nextBoolean() ? 0 : random.nextDouble(),
              random.nextBoolean() ? 1 : random.nextDouble(),
              Penalties.NONE,
              trial);
      try {
        int token = new Sampler(sampling, logits.length).next(Logits.of(logits), NOTHING);
        assertThat(token).as("%s", sampling).isBetween(0, logits.length - 1);
      } catch (GenerateException e) {
        assertThat(e).hasMessageMatching("(no token may come next|the greatest logit is).*");
      }
    }
  }

  private record Weighted(int id, double p) {}

  /** The documented pipeline, a list at a time. */
  private static int byTheFormulas(Sampling sampling, float[] logits) {
    double greatest =
        IntStream.range(0, logits.length).mapToDouble(i -> logits[i]).max().orElseThrow();
    List<Weighted> list = new ArrayList<>();
    for (int id = 0; id < logits.length; id++) {
      list.add(new Weighted(id, Math.exp((logits[id] - greatest) / sampling.temperature())));
    }
    var likeliestFirst =
        Comparator.<Weighted>comparingDouble(w -> -logits[w.id]).thenComparingInt(Weighted::id);
    boolean byK = sampling.topK() > 0 && sampling.topK() < logits.length;
    if (byK) {
      list.sort(likeliestFirst);
      list = list.subList(0, sampling.topK());
    }
    list = normalized(list);
    if (sampling.topP() < 1) {
      List<Weighted> byLikelihood = list.stream().sorted(likeliestFirst).toList();
      list = normalized(reaching(list, byLikelihood, sampling.topP()));
    }
    double best = list.stream().mapToDouble(Weighted::p).max().orElseThrow();
    list = normalized(list.stream().filter(w -> w.p >= sampling.minP() * best).toList());
    if (sampling.typical() < 1) {
      double entropy = list.stream().mapToDouble(w -> -w.p * Math.log(w.p)).sum();
      List<Weighted> before = list;
      List<Weighted> byTypicality =
          list.stream()
              .sorted(
                  Comparator.<Weighted>comparingDouble(
                          w -> (float) Math.abs(-Math.log(w.p) - entropy))
                      .thenComparingInt(before::indexOf))
              .toList();
      list = normalized(reaching(list, byTypicality, sampling.typical()));
    }
    var dice = new Dice(sampling.seed());
    return list.stream()
        .min(Comparator.comparingDouble(w -> -Math.log(dice.roll(0, w.id)) / w.p))
        .orElseThrow()
        .id;
  }

  /** Those of {@code list} that are among the fewest from the front of {@code order} to reach p. */
  private static List<Weighted> reaching(List<Weighted> list, List<Weighted> order, double p) {
    int count = 0;
    for (double sum = 0; count < order.size() && (count == 0 || sum < p); count++) {
      sum += order.get(count).p;
    }
    return list.stream().filter(order.subList(0, count)::contains).toList();
  }

  private static List<Weighted> normalized(List<Weighted> list) {
    double sum = list.stream().mapToDouble(Weighted::p).sum();
    return list.stream().map(w -> new Weighted(w.id, w.p / sum)).toList();
  }

  /** Rounding that differs by company moves every logit a little, and their order with it. */
  @Test
  void aSeedDrawsTheSameFromLogitsThatAreRoundedOtherwise() {
    var random = new Random(5);
    int others = 0;
    for (int seed = 0; seed < 2000; seed++) {
      float[] logits = new float[200];
      float[] rounded = new float[200];
      for (int i = 0; i < logits.length; i++) {
        logits[i] = (float) (2 * random.nextGaussian());
        rounded[i] = (float) (logits[i] + 0.005 * random.nextGaussian());
      }
      Sampling sampling = Sampling.seeded(seed).withTopK(40).withTemperature(1);
      int one = new Sampler(sampling, 200).next(Logits.of(logits), NOTHING);
      if (one != new Sampler(sampling, 200).next(Logits.of(rounded), NOTHING)) others++;
    }
    // The distributions themselves differ by 0.2% of their weight.
    assertThat(others).isLessThan(20);
  }

  @Test
  void drawsAsOftenAsTheProbabilitiesSay() {
    float[] logits = {1f, 0f, 2f, -1f};
    var sampler = new Sampler(Sampling.GREEDY.withTemperature(0.7).withSeed(99), 4);
    int draws = 200_000;
    int[] counts = new int[4];
    for (int i = 0; i < draws; i++) {
      counts[sampler.next(Logits.of(logits), NOTHING)]++;
    }
    double total = 0;
    for (float logit : logits) {
      total += Math.exp(logit / 0.7);
    }
    for (int token = 0; token < 4; token++) {
      double p = Math.exp(logits[token] / 0.7) / total;
      double deviation = Math.sqrt(draws * p * (1 - p));
      assertThat((double) counts[token]).isCloseTo(draws * p, within(4 * deviation));
    }
  }

  @Test
  void greedyTakesTheGreatestTheLowestIdOfEquals() {
    var sampler = new Sampler(Sampling.GREEDY, 5);
    assertThat(sampler.next(Logits.of(new float[] {0, 3, 1, 3, 2}), NOTHING)).isEqualTo(1);
    assertThat(sampler.next(Logits.of(new float[] {-5, -5, -9, -9, -9}), NOTHING)).isZero();
  }

  @Test
  void topKOfOneIsGreedyUnderAnySeed() {
    for (long seed = 0; seed < 50; seed++) {
      Sampling sampling = Sampling.seeded(seed).withTopK(1).withTemperature(5);
      assertThat(new Sampler(sampling, 3).next(Logits.of(new float[] {1, 1, 0}), NOTHING)).isZero();
    }
  }

  @Test
  void extremesOfTheSharesKeepAtLeastTheLikeliest() {
    float[] logits = {1, 5, 2};
    Sampling hot = Sampling.GREEDY.withTemperature(100);
    for (long seed = 0; seed < 50; seed++) {
      Sampling seeded = hot.withSeed(seed);
      assertThat(new Sampler(seeded.withTopP(0), 3).next(Logits.of(logits), NOTHING)).isEqualTo(1);
      assertThat(new Sampler(seeded.withMinP(1), 3).next(Logits.of(logits), NOTHING)).isEqualTo(1);
      Sampling cold = seeded.withTemperature(Double.MIN_VALUE);
      assertThat(new Sampler(cold.withTypical(0.5), 3).next(Logits.of(logits), NOTHING))
          .isEqualTo(1);
    }
  }

  @Test
  void penaltiesFollowLlamaCppOverTheLastTokens() {
    // Token 0 is out of the window of four; 1 occurs twice, 2 and 3 once.
    Tokens known = Tokens.of(0, 0, 1, 2, 1, 3);
    float[] logits = {4, 2, -2, 0, 1};
    float[] expected = {
      4, (float) (2 / 1.5 - 2 * 0.25 - 0.125), (float) (-2 * 1.5 - 0.25 - 0.125), -0.375f, 1 + 2.5f
    };
    new Penalties(1.5, 4, 0.125, 0.25, Map.of(4, 2.5)).apply(logits, known, new int[5]);
    assertThat(logits).containsExactly(expected);
  }

  @Test
  void penaltiesLeaveTheCountsCleanAndTheModelsLogitsAlone() {
    Sampling sampling =
        Sampling.GREEDY.withPenalties(Penalties.NONE.withRepeat(2, -1).withFrequency(0.5));
    var sampler = new Sampler(sampling, 3);
    float[] logits = {3, 2, 1};
    for (int i = 0; i < 3; i++) {
      assertThat(sampler.next(Logits.of(logits), Tokens.of(0, 0))).isEqualTo(1);
    }
    assertThat(logits).containsExactly(3, 2, 1);
  }

  @Test
  void aWindowOfZeroTurnsThePenaltiesOff() {
    var penalties = new Penalties(3, 0, 2, 2, Map.of());
    assertThat(penalties.isNone()).isTrue();
    float[] logits = {3, 2};
    penalties.apply(logits, Tokens.of(0), new int[2]);
    assertThat(logits).containsExactly(3, 2);
  }

  @Test
  void biasOfNegativeInfinityForbidsAToken() {
    Penalties never0 = Penalties.NONE.withBias(Map.of(0, Double.NEGATIVE_INFINITY));
    for (Sampling sampling : List.of(Sampling.GREEDY, Sampling.seeded(1))) {
      var sampler = new Sampler(sampling.withPenalties(never0), 3);
      assertThat(sampler.next(Logits.of(new float[] {50, 1, 0}), NOTHING)).isNotZero();
    }
  }

  @Test
  void theMaskForbidsAndHearsWhatWasChosen() {
    var heard = new ArrayList<Integer>();
    Mask evenOnly =
        new Mask() {
          @Override
          public void apply(float[] logits) {
            for (int i = 1; i < logits.length; i += 2) {
              logits[i] = Float.NEGATIVE_INFINITY;
            }
          }

          @Override
          public void chosen(int token) {
            heard.add(token);
          }
        };
    var sampler =
        new Sampler(Sampling.seeded(3).withTopK(0).withTemperature(9), evenOnly, new Workspace(8));
    for (int i = 0; i < 100; i++) {
      int token = sampler.next(Logits.of(new float[] {0, 9, 0, 9, 0, 9, 0, 9}), NOTHING);
      assertThat(token % 2).isZero();
      sampler.chosen(token);
    }
    assertThat(heard).hasSize(100).contains(0, 2, 4, 6);
  }

  @Test
  void saysSoWhenEverythingIsForbidden() {
    Mask nothing = logits -> Arrays.fill(logits, Float.NEGATIVE_INFINITY);
    for (Sampling sampling :
        List.of(Sampling.GREEDY, Sampling.seeded(1), Sampling.seeded(1).withTopK(0))) {
      var sampler = new Sampler(sampling, nothing, new Workspace(100));
      assertThatThrownBy(() -> sampler.next(Logits.of(new float[100]), NOTHING))
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("no token may come next");
    }
  }

  @Test
  void optionsOutOfRangeAreRefusedWithTheValue() {
    refused(() -> Sampling.GREEDY.withTemperature(-1), "temperature", "got -1.0");
    refused(() -> Sampling.GREEDY.withTemperature(Double.NaN), "temperature", "got NaN");
    refused(() -> Sampling.GREEDY.withTopK(-3), "top-k", "got -3");
    refused(() -> Sampling.GREEDY.withTopP(1.5), "top-p", "got 1.5");
    refused(() -> Sampling.GREEDY.withMinP(-0.1), "min-p", "got -0.1");
    refused(() -> Sampling.GREEDY.withTypical(Double.NaN), "typical", "got NaN");
    refused(() -> Penalties.NONE.withRepeat(0, 64), "repeat penalty", "got 0.0");
    refused(() -> Penalties.NONE.withRepeat(1, -2), "last-n", "got -2");
    refused(() -> Penalties.NONE.withPresence(Double.NaN), "presence", "got NaN");
    refused(() -> Penalties.NONE.withFrequency(1 / 0.0), "frequency", "got Infinity");
    refused(() -> Penalties.NONE.withBias(Map.of(5, 1 / 0.0)), "token 5", "got Infinity");
  }

  private static void refused(Runnable making, String name, String value) {
    assertThatThrownBy(making::run)
        .isInstanceOf(GenerateException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value);
  }
}
