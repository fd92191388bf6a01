package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class SequencePoolTest {
  private final FakeModel model = new FakeModel(11, 1);

  private static Sequence fed(SequencePool pool, int... text) {
    Sequence sequence = pool.lend(text);
    sequence.prefill(text);
    return sequence;
  }

  @Test
  void aPromptGoesToTheSequenceThatHoldsMostOfIt() {
    var pool = new SequencePool(model, 3);
    Sequence a = fed(pool, 1, 2, 3, 4);
    Sequence b = fed(pool, 1, 2, 5, 6);
    pool.giveBack(a);
    pool.giveBack(b);
    assertThat(pool.lend(new int[] {1, 2, 5, 6, 7})).isSameAs(b);
    assertThat(pool.lend(new int[] {1, 2, 3})).isSameAs(a);
  }

  @Test
  void littleInCommonOpensAnotherThenTakesTheLeastRecentlyUsed() {
    var pool = new SequencePool(model, 2);
    Sequence a = fed(pool, 1, 2, 3, 4);
    pool.giveBack(a);
    Sequence b = fed(pool, 1, 9, 9, 9);
    assertThat(b).isNotSameAs(a);
    pool.giveBack(b);
    assertThat(pool.lend(new int[] {7, 7})).isSameAs(a);
  }

  @Test
  void everythingLentIsFullUntilGivenBackOrDiscarded() {
    var pool = new SequencePool(model, 1);
    Sequence only = pool.lend(new int[] {1});
    assertThat(pool.isFull()).isTrue();
    assertThatThrownBy(() -> pool.lend(new int[] {1})).isInstanceOf(IllegalStateException.class);
    pool.discard(only);
    assertThat(model.open).isZero();
    pool.giveBack(pool.lend(new int[] {1}));
    assertThat(pool.isFull()).isFalse();
    pool.close();
    assertThat(model.open).isZero();
  }

  @Test
  void aTextThatGoesOnStaysWhereItIsHoweverMuchIsNew() {
    var pool = new SequencePool(model, 3);
    Sequence a = fed(pool, 1, 2, 3);
    pool.giveBack(a);
    assertThat(pool.lend(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9})).isSameAs(a);
  }

  @Test
  void fewIdleTextsAreKept() {
    var pool = new SequencePool(model, 9);
    var lent = new ArrayList<Sequence>();
    for (int i = 0; i < 9; i++) lent.add(fed(pool, i, i, i));
    lent.forEach(pool::giveBack);
    assertThat(model.open).isEqualTo(4);
    assertThat(pool.lend(new int[] {8, 8, 8, 1})).isSameAs(lent.getLast());
  }
}
