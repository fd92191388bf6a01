package weft.cpu.kernel.experts;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.backend.ExpertChoice;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.PlainRows;
import weft.ir.Routing;

class RouteTest {
  private static final int ROWS = 3;
  private static final float SCALE = 1.5f;

  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  private static RouteTables run(Rig rig, Routing routing, float[] scores, int experts) {
    int used = routing.used();
    var tables = RouteTables.allocate(rig::allocate, ROWS * used, experts);
    var block = rig.allocate(RouteArguments.BYTES);
    new RouteArguments(
            PlainRows.packed(rig.floats(scores), experts),
            experts,
            ROWS,
            used,
            routing.scale(),
            tables)
        .write(block);
    var scratch = rig.allocate(RouteArguments.scratchBytes(experts));
    rig.library.route(routing.scoring(), routing.weights()).run(block, 0, 1, scratch);
    return tables;
  }

  @ParameterizedTest
  @MethodSource("levels")
  void choosesAndWeighsAsTheReferenceDoes(Isa isa) {
    for (var scoring : Routing.Scoring.values()) {
      for (var weights : Routing.Weights.values()) {
        for (int experts : new int[] {1, 5, 8, 130}) {
          int used = Math.min(experts, 4);
          var routing = new Routing(scoring, used, weights, SCALE);
          try (var rig = new Rig(isa)) {
            var scores = rig.randomFloats(ROWS * experts, 3);
            // A tie goes to the lower number.
            scores[experts - 1] = scores[0];
            var tables = run(rig, routing, scores, experts);
            for (int row = 0; row < ROWS; row++) {
              var expected = ExpertChoice.of(routing, scores, row * experts, experts);
              for (int i = 0; i < used; i++) {
                int use = row * used + i;
                assertThat(tables.chosen().getAtIndex(JAVA_INT, use))
                    .isEqualTo(expected.experts()[i]);
                assertThat(tables.weights().getAtIndex(JAVA_FLOAT, use))
                    .isCloseTo(expected.weights()[i], within(1e-5f));
              }
            }
            requireInOrder(tables, experts, used);
          }
        }
      }
    }
  }

  /** Each use has a place of its own among its expert's, and the place knows its row. */
  private static void requireInOrder(RouteTables tables, int experts, int used) {
    var taken = new boolean[ROWS * used];
    for (int use = 0; use < ROWS * used; use++) {
      int expert = tables.chosen().getAtIndex(JAVA_INT, use);
      int place = tables.places().getAtIndex(JAVA_INT, use);
      assertThat(place)
          .isBetween(
              tables.starts().getAtIndex(JAVA_INT, expert),
              tables.starts().getAtIndex(JAVA_INT, expert + 1) - 1);
      assertThat(taken[place]).isFalse();
      taken[place] = true;
      assertThat(tables.sources().getAtIndex(JAVA_INT, place)).isEqualTo(use / used);
    }
    assertThat(tables.starts().getAtIndex(JAVA_INT, experts)).isEqualTo(ROWS * used);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void scoresThatAreNoNumbersChooseDifferentExpertsAsTheReferenceDoes(Isa isa) {
    var random = new Random(13);
    for (var scoring : Routing.Scoring.values()) {
      for (int experts : new int[] {1, 3, 8, 13, 64}) {
        for (int used : new int[] {1, Math.min(experts, 3), experts}) {
          var routing = new Routing(scoring, used, Routing.Weights.AS_SCORED, SCALE);
          try (var rig = new Rig(isa)) {
            for (int run = 0; run < 40; run++) {
              var scores = broken(random, ROWS * experts);
              var tables = run(rig, routing, scores, experts);
              for (int row = 0; row < ROWS; row++) {
                var expected = ExpertChoice.of(routing, scores, row * experts, experts);
                requireChosen(tables, row, expected);
              }
              requireInOrder(tables, experts, used);
            }
          }
        }
      }
    }
  }

  /** Numbers that are equal, infinite or none: all the same in one of three calls. */
  private static float[] broken(Random random, int count) {
    var kinds = new float[] {Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 0, -0f};
    var scores = new float[count];
    if (random.nextInt(3) == 0) {
      Arrays.fill(scores, kinds[random.nextInt(kinds.length)]);
    } else {
      for (int i = 0; i < count; i++) {
        scores[i] =
            random.nextBoolean()
                ? kinds[random.nextInt(kinds.length)]
                : Float.intBitsToFloat(random.nextInt());
      }
    }
    return scores;
  }

  private static void requireChosen(RouteTables tables, int row, ExpertChoice expected) {
    int used = expected.experts().length;
    var experts = new int[used];
    for (int i = 0; i < used; i++) {
      experts[i] = tables.chosen().getAtIndex(JAVA_INT, row * used + i);
      float weight = tables.weights().getAtIndex(JAVA_FLOAT, row * used + i);
      // A weight that is no number stays none, so that whoever looks at the results sees it.
      assertThat(Float.isNaN(weight)).isEqualTo(Float.isNaN(expected.weights()[i]));
    }
    assertThat(experts).isEqualTo(expected.experts()).doesNotHaveDuplicates();
  }
}
