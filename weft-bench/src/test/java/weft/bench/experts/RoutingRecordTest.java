package weft.bench.experts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoutingRecordTest {
  private static RoutingRecord of(int... uses) {
    var steps = new ArrayList<List<Integer>>();
    for (int use : uses) steps.add(List.of(use));
    return new RoutingRecord(steps, 8);
  }

  @Test
  void anOracleKeepsWhatComesSoonest() {
    // Two slots: the third use puts 2 out, which comes later than 1.
    assertThat(of(1, 2, 3, 1, 2).oracle(2, 0)).isEqualTo(1 / 5.0);
    assertThat(of(1, 2, 3, 1, 3, 1).oracle(2, 0)).isEqualTo(3 / 6.0);
    assertThat(of(1, 2, 3, 1, 2).recency(2, 0)).isZero();
  }

  @Test
  void whatComesBeforeTheCountFillsTheSlots() {
    assertThat(of(1, 2, 1, 2).oracle(2, 2)).isEqualTo(1);
    assertThat(of(1, 2, 1, 2).recency(2, 2)).isEqualTo(1);
    assertThat(of(1, 2, 1, 2).residency(2, 2)).isEqualTo(1);
  }

  @Test
  void whatLeavesIsWhatWasUsedLongestAgo() {
    assertThat(of(1, 2, 1, 3).leaving(2))
        .containsExactly(List.of(), List.of(), List.of(), List.of(2));
  }

  /** Tokens of a drifting text, each of which has experts of its own. */
  @Test
  void thePolicyIsNearTheOracleAndAboveRecencyOnRoutingThatDrifts() {
    int experts = 128;
    var tokens = new DriftingTokens(1, 4096, 32, 2, 8);
    var steps = new ArrayList<List<Integer>>();
    for (int i = 0; i < 600; i++) {
      steps.add(new Random(tokens.next()).ints(0, experts).distinct().limit(8).boxed().toList());
    }
    var record = new RoutingRecord(steps, experts);
    for (int slots : new int[] {experts / 4, experts / 2}) {
      double oracle = record.oracle(slots, 100);
      double policy = record.residency(slots, 100);
      assertThat(policy).isGreaterThan(record.recency(slots, 100)).isLessThanOrEqualTo(oracle);
      assertThat(oracle - policy).isLessThan(slots == experts / 2 ? .05 : .1);
    }
    assertThat(record.recency(experts / 4, 100))
        .as("as users of llama.cpp count it")
        .isBetween(.7, .9);
  }
}
