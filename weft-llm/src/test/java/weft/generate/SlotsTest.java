package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SlotsTest {
  private final FakeModel model = new FakeModel(11, 1);

  private static Sequence fed(Slots slots, int... text) {
    Sequence sequence = slots.lend(text);
    sequence.prefill(text);
    return sequence;
  }

  @Test
  void aPromptGoesToTheSequenceThatHoldsMostOfIt() {
    var slots = new Slots(model, 3);
    Sequence a = fed(slots, 1, 2, 3, 4);
    Sequence b = fed(slots, 1, 2, 5, 6);
    slots.giveBack(a);
    slots.giveBack(b);
    assertThat(slots.lend(new int[] {1, 2, 5, 6, 7})).isSameAs(b);
    assertThat(slots.lend(new int[] {1, 2, 3})).isSameAs(a);
  }

  @Test
  void littleInCommonOpensAnotherThenTakesTheLeastRecentlyUsed() {
    var slots = new Slots(model, 2);
    Sequence a = fed(slots, 1, 2, 3, 4);
    slots.giveBack(a);
    Sequence b = fed(slots, 1, 9, 9, 9);
    assertThat(b).isNotSameAs(a);
    slots.giveBack(b);
    assertThat(slots.lend(new int[] {7, 7})).isSameAs(a);
  }

  @Test
  void everythingLentIsFullUntilGivenBackOrDiscarded() {
    var slots = new Slots(model, 1);
    Sequence only = slots.lend(new int[] {1});
    assertThat(slots.isFull()).isTrue();
    assertThatThrownBy(() -> slots.lend(new int[] {1})).isInstanceOf(IllegalStateException.class);
    slots.discard(only);
    assertThat(model.open).isZero();
    slots.giveBack(slots.lend(new int[] {1}));
    assertThat(slots.isFull()).isFalse();
    slots.close();
    assertThat(model.open).isZero();
  }
}
