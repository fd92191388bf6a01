package weft.experts;

import static org.assertj.core.api.Assertions.assertThat;
import static weft.experts.Residency.Claim.AHEAD;
import static weft.experts.Residency.Claim.WANTED;
import static weft.experts.Residency.NONE;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResidencyTest {
  /** Plays steps of one layer, each the experts that it uses; gives how many lay in a slot. */
  private static int hits(Residency residency, List<List<Integer>> steps) {
    int hits = 0;
    for (var step : steps) {
      for (int e : step) {
        residency.used(e, 1);
        if (residency.slot(e) != NONE) hits++;
        else residency.admit(e, WANTED);
      }
      residency.stepped();
    }
    return hits;
  }

  @Test
  void emptySlotsAreFilledFirst() {
    var residency = new Residency(3, 1, 8);
    assertThat(hits(residency, List.of(List.of(1, 2), List.of(3), List.of(1, 2, 3)))).isEqualTo(3);
  }

  @Test
  void theColdestGivesWay() {
    var residency = new Residency(2, 1, 8);
    hits(residency, List.of(List.of(1), List.of(1), List.of(2), List.of(3)));
    assertThat(residency.slot(1)).isNotEqualTo(NONE);
    assertThat(residency.slot(2)).isEqualTo(NONE);
    assertThat(residency.slot(3)).isNotEqualTo(NONE);
  }

  @Test
  void whatWasHotLongAgoGivesWayToo() {
    var residency = new Residency(1, 1, 8);
    for (int i = 0; i < 8; i++) residency.used(1, 1);
    residency.admit(1, WANTED);
    for (int i = 0; i < 8 * Residency.HALF_LIFE; i++) residency.stepped();
    residency.used(2, 1);
    for (int i = 1; i < Residency.REFRESH; i++) assertThat(residency.stepped()).isEmpty();
    assertThat(residency.stepped()).containsExactly(2);
  }

  @Test
  void whatIsInUseStays() {
    var residency = new Residency(1, 1, 8);
    int slot = residency.admit(1, WANTED);
    residency.enter(slot);
    assertThat(residency.admit(2, WANTED)).isEqualTo(NONE);
    residency.leave(slot);
    assertThat(residency.admit(2, WANTED)).isEqualTo(slot);
    assertThat(residency.slot(1)).isEqualTo(NONE);
    assertThat(residency.holder(slot)).isEqualTo(2);
  }

  @Test
  void aGuessDoesNotPutAnotherOut() {
    var residency = new Residency(1, 1, 8);
    int slot = residency.admit(1, AHEAD);
    assertThat(residency.admit(2, AHEAD)).isEqualTo(NONE);
    assertThat(residency.admit(3, WANTED)).as("a row that waits does").isEqualTo(slot);
    assertThat(residency.admit(4, AHEAD)).as("what is there is a guess no more").isEqualTo(slot);
  }

  @Test
  void aGuessThatWasMetIsAsAnyOther() {
    var residency = new Residency(1, 1, 8);
    int slot = residency.admit(1, AHEAD);
    residency.met(slot);
    assertThat(residency.admit(2, AHEAD)).isEqualTo(slot);
  }

  @Test
  void aSlotThatCouldNotBeReadIsEmpty() {
    var residency = new Residency(2, 1, 8);
    residency.used(1, 5);
    int slot = residency.admit(1, WANTED);
    residency.admit(2, WANTED);
    residency.release(slot);
    assertThat(residency.slot(1)).isEqualTo(NONE);
    assertThat(residency.admit(3, WANTED)).isEqualTo(slot);
  }

  @Test
  void layersShareTheSlots() {
    var residency = new Residency(3, 2, 4);
    for (int i = 0; i < 3; i++) residency.used(residency.expert(1, i), 1);
    for (int i = 0; i < 3; i++) residency.admit(residency.expert(1, i), WANTED);
    assertThat(residency.slot(residency.expert(1, 2))).isNotEqualTo(NONE);
    assertThat(residency.slot(residency.expert(0, 2))).isEqualTo(NONE);
    assertThat(residency.hasRoomForAll()).isFalse();
    assertThat(new Residency(8, 2, 4).hasRoomForAll()).isTrue();
  }

  @Test
  void budgetsAreExpertsThatFit() {
    assertThat(new ExpertBudget.Bytes(1000).slots(2, 8, 100)).isEqualTo(10);
    assertThat(new ExpertBudget.Bytes(Long.MAX_VALUE).slots(2, 8, 100)).isEqualTo(16);
    assertThat(new ExpertBudget.Bytes(99).slots(2, 8, 100)).isZero();
    assertThat(new ExpertBudget.ALayer(3).slots(2, 8, 100)).isEqualTo(6);
    assertThat(new ExpertBudget.ALayer(30).slots(2, 8, 100)).isEqualTo(16);
  }
}
