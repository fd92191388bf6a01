package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceTest {
  private final FakeModel model = new FakeModel(11, 1, 5_000);
  private final Sequence sequence = Sequence.open(model);

  @Test
  void prefillStepAndCommitGiveTheLogitsOfTheWholeText() {
    assertThat(sequence.prefill(1, 2, 3)).containsExactly(model.after(1, 2, 3));
    assertThat(sequence.step(4)).containsExactly(model.after(1, 2, 3, 4));
    sequence.commit(5, 6);
    assertThat(sequence.step(7)).containsExactly(model.after(1, 2, 3, 4, 5, 6, 7));
    assertThat(sequence.tokens().toArray()).containsExactly(1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void prefillKeepsTheCommonBeginning() {
    sequence.prefill(1, 2, 3, 4);
    int before = model.fed;
    assertThat(sequence.prefill(1, 2, 9)).containsExactly(model.after(1, 2, 9));
    assertThat(model.fed - before).isEqualTo(1);
    assertThat(sequence.prefill(1, 2, 9)).containsExactly(model.after(1, 2, 9));
    assertThat(sequence.position()).isEqualTo(3);
  }

  @Test
  void aLongPrefillGoesInByChunks() {
    int[] text = new Random(1).ints(2_000, 0, 11).toArray();
    assertThat(sequence.prefill(text)).containsExactly(model.after(text));
    assertThat(model.largestStep).isEqualTo(512);
  }

  @Test
  void logitsStayWhatTheyWereWhenTheModelGoesOn() {
    float[] kept = sequence.prefill(1);
    float[] copy = kept.clone();
    sequence.step(2);
    assertThat(kept).containsExactly(copy);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void rewindForgetsAndTellsWhereItStopped(int grain) {
    var coarse = new FakeModel(11, grain);
    var rewound = Sequence.open(coarse);
    rewound.commit(1, 2, 3, 4, 5, 6, 7);
    rewound.rewind(6);
    assertThat(rewound.position()).isEqualTo(6 / grain * grain);
    assertThat(rewound.prefill(1, 2, 3, 4, 5, 6, 8))
        .containsExactly(coarse.after(1, 2, 3, 4, 5, 6, 8));
  }

  @Test
  void aSnapshotBringsBackStateAndText() {
    sequence.commit(1, 2, 3);
    try (Sequence.Snapshot snapshot = sequence.snapshot()) {
      sequence.step(4);
      sequence.rewind(1);
      sequence.restore(snapshot);
      assertThat(snapshot.position()).isEqualTo(3);
    }
    assertThat(sequence.tokens().toArray()).containsExactly(1, 2, 3);
    assertThat(sequence.step(5)).containsExactly(model.after(1, 2, 3, 5));
  }

  @Test
  void aForkHasTheBeginningAndGoesItsOwnWay() {
    sequence.commit(1, 2, 3);
    try (Sequence fork = sequence.fork(2)) {
      assertThat(fork.tokens().toArray()).containsExactly(1, 2);
      assertThat(fork.step(9)).containsExactly(model.after(1, 2, 9));
    }
    assertThat(sequence.step(4)).containsExactly(model.after(1, 2, 3, 4));
    assertThatThrownBy(() -> sequence.fork(5)).hasMessageContaining("cannot fork at 5");
    assertThatThrownBy(() -> sequence.fork(-1)).hasMessageContaining("holds 4 tokens");
  }

  @Test
  void aSnapshotOfAnotherModelIsRefused() {
    var other = Sequence.open(new FakeModel(11, 1));
    try (Sequence.Snapshot snapshot = other.snapshot()) {
      assertThatThrownBy(() -> sequence.restore(snapshot)).hasMessageContaining("another model");
    }
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeTheModelSeesIt() {
    assertThatThrownBy(() -> sequence.prefill()).hasMessageContaining("prompt is empty");
    assertThatThrownBy(() -> sequence.step(11)).hasMessageContaining("has id 11");
    assertThatThrownBy(() -> sequence.prefill(new int[5_001]))
        .hasMessageContaining("5001 tokens")
        .hasMessageContaining("holds 5000");
    sequence.commit(new int[5_000]);
    assertThatThrownBy(() -> sequence.step(1)).hasMessageContaining("5001 tokens");
    assertThatThrownBy(() -> sequence.rewind(5_001)).hasMessageContaining("holds 5000");
    assertThatThrownBy(() -> sequence.rewind(-1)).hasMessageContaining("rewind to -1");
    assertThat(model.forwards).isEqualTo(10);
  }
}
