package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.backend.ExpertChoice;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
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
            rig.floats(scores), 4L * experts, experts, ROWS, used, routing.scale(), tables)
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
  void scoresThatAreNoNumbersStillChooseExpertsThatExist(Isa isa) {
    var routing = new Routing(Routing.Scoring.SOFTMAX, 3, Routing.Weights.RENORMALIZED, SCALE);
    for (int experts : new int[] {3, 8, 13}) {
      for (float broken : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
        try (var rig = new Rig(isa)) {
          var scores = new float[ROWS * experts];
          Arrays.fill(scores, broken);
          var tables = run(rig, routing, scores, experts);
          for (int use = 0; use < ROWS * 3; use++) {
            assertThat(tables.chosen().getAtIndex(JAVA_INT, use)).isBetween(0, experts - 1);
          }
        }
      }
    }
  }
}
