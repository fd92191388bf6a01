package weft.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weft.bench.matrix.Script.Feed;

class ScriptTest {
  @Test
  void theFirstPassOfABatchHasAsManyRowsAsTheLength() {
    for (int length : Case.LENGTHS) {
      for (int batch : Case.BATCHES) {
        var first = Script.batch(length, batch).passes().getFirst().feeds();
        assertThat(first).hasSize(batch).allMatch(feed -> feed.to() > feed.from());
        assertThat(first.stream().mapToInt(Feed::to).sum()).isEqualTo(Math.max(length, batch));
      }
    }
  }

  @Test
  void aGrowingSequenceStopsAtEveryLength() {
    assertThat(
            Script.growing(Case.LENGTHS).passes().stream()
                .map(pass -> pass.feeds().getFirst().to()))
        .containsExactlyElementsOf(Case.LENGTHS);
  }

  @Test
  void draftsAreWantedAndTakenBack() {
    var passes = Script.batch(16, 2).passes();
    var drafts = passes.get(passes.size() - 2).feeds();
    assertThat(drafts).allMatch(feed -> feed.wanted() == feed.to() - feed.from());
    assertThat(passes.getLast().feeds()).allMatch(feed -> feed.to() - feed.from() == 1);
  }
}
