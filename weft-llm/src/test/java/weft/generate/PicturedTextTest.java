package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Texts that have pictures: rows among their tokens. */
@Timeout(60)
class PicturedTextTest {
  private static final int VOCABULARY = 31;
  private static final int ROWS = 60;

  private final Gallery gallery = new Gallery();

  /** Takes all pictures of a gallery, and refuses a block in pieces. */
  private static final class Seeing extends FakeModel {
    private final Gallery gallery;

    /** Nothing is fed before it is open. */
    private CountDownLatch gate = new CountDownLatch(0);

    Seeing(Gallery gallery, int grain) {
      super(VOCABULARY, grain);
      this.gallery = gallery;
    }

    @Override
    public boolean takes(Seen picture) {
      return picture.isOf(gallery);
    }

    @Override
    void beforeForward(List<Step> batch) {
      try {
        assertThat(gate.await(1, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      for (Step step : batch) {
        for (Seen seen : step.album().pictures()) {
          long rows = Arrays.stream(step.tokens()).filter(id -> id == seen.id()).count();
          assertThat(seen.manner() == Seen.Manner.BLOCK ? rows % seen.count() : 0).isZero();
        }
      }
    }
  }

  private Seen picture(String content, Seen.Manner manner) {
    return gallery.seen(
        content, new Seen.Grid(1, 6, 10), new Seen.Rows(new float[ROWS * 2], List.of()), manner);
  }

  private static int[] text(Seen... pictures) {
    var ids = IntStream.builder().add(1).add(2);
    for (Seen each : pictures) {
      ids.add(5);
      for (int i = 0; i < each.count(); i++) ids.add(each.id());
      ids.add(6).add(7).add(8);
    }
    return ids.build().toArray();
  }

  private static Request request(Seen... pictures) {
    return Request.of(text(pictures)).withAlbum(Album.of(List.of(pictures))).withMaxTokens(40);
  }

  @Test
  void theSameContentHasTheSameNumberAndNoOther() {
    Seen one = picture("a", Seen.Manner.GRID);
    assertThat(picture("a", Seen.Manner.GRID).id()).isEqualTo(one.id()).isNegative();
    assertThat(picture("b", Seen.Manner.GRID).id()).isNotEqualTo(one.id());
    for (int i = 0; i < Gallery.MOST_KNOWN; i++) picture("other" + i, Seen.Manner.GRID);
    assertThat(picture("a", Seen.Manner.GRID).id()).as("forgotten").isLessThan(one.id());
  }

  @Test
  void positionsGoDownAndAcrossAndOnBehindTheFarthest() {
    Seen grid = picture("a", Seen.Manner.GRID);
    assertThat(IntStream.range(0, 3).map(section -> grid.offset(27, section)))
        .containsExactly(0, 2, 7);
    assertThat(grid.span()).isEqualTo(10);
    assertThat(picture("a", Seen.Manner.BLOCK).offset(27, 2)).isEqualTo(27);
    assertThat(picture("a", Seen.Manner.BLOCK).span()).isEqualTo(ROWS);
  }

  @Test
  void aPictureIsWholeAndOfTheModelThatSeesIt() {
    Seen seen = picture("a", Seen.Manner.GRID);
    int[] whole = text(seen);
    var album = Album.of(List.of(seen));
    assertThatThrownBy(() -> Request.of(Arrays.copyOf(whole, 40)).withAlbum(album))
        .hasMessageContaining("60 places")
        .hasMessageContaining("place 40 is not its own");
    assertThatThrownBy(() -> Request.of(whole).withAlbum(Album.NONE))
        .hasMessageContaining("which was not given with it");
    try (var engine = Engine.start(new Seeing(new Gallery(), 1))) {
      assertThatThrownBy(() -> engine.submit(request(seen)))
          .hasMessageContaining("not for this model");
      assertThatThrownBy(() -> engine.submit(Request.of(whole))).hasMessageContaining("has id -1");
    }
  }

  @Test
  void theSamePictureIsReadOnceAndAnotherOfItsSizeByItself() {
    for (int grain : new int[] {1, 50}) {
      var model = new Seeing(gallery, grain);
      try (var engine = Engine.start(model)) {
        Seen one = picture("a", Seen.Manner.GRID);
        engine.generate(request(one));
        int length = text(one).length;
        assertThat(engine.generate(request(picture("a", Seen.Manner.GRID))).usage().cachedTokens())
            .isGreaterThanOrEqualTo(length - 1 - grain);
        Seen other = picture("b", Seen.Manner.GRID);
        Usage usage = engine.generate(request(other)).usage();
        assertThat(usage.cachedTokens()).isLessThanOrEqualTo(3);
        assertThat(usage.promptTokens()).isEqualTo(length);
      }
    }
  }

  @Test
  void guessesSamplingAndRecomputationGiveTheSameText() {
    Seen one = picture("a", Seen.Manner.BLOCK);
    Seen two = picture("b", Seen.Manner.BLOCK);
    var penalties = Sampling.GREEDY.withPenalties(Penalties.NONE.withRepeat(1.3, -1));
    Request plain = request(one, two, one, one).withSampling(penalties);
    int[] expected = Alone.reply(new Seeing(gallery, 1), plain).tokens();
    var drafters =
        List.of(
            new PromptLookup(1, 3),
            ModelDrafter.ofModel(new FakeModel(VOCABULARY, 8), DraftOptions.standard()),
            ModelDrafter.ofHead(new FakeModel(VOCABULARY, 1), "position", DraftOptions.standard()));
    for (Drafter drafter : drafters) {
      Request drafted = plain.withSpeculation(Speculation.of(drafter, 4));
      Reply reply = Alone.reply(new Seeing(gallery, 8), drafted);
      assertThat(reply.tokens()).isEqualTo(expected);
      assertThat(reply.usage().draftingStopped()).isEmpty();
      assertThat(reply.usage().draftedTokens()).isPositive();
    }
    assertThat(Alone.reply(new Recompute(new Seeing(gallery, 1)), plain).tokens())
        .isEqualTo(expected);
  }

  @Test
  void aBlockIsNeverDividedHoweverSmallTheStepAndScarceTheMemory() {
    var pictures =
        IntStream.range(0, 3).mapToObj(i -> picture("p" + i, Seen.Manner.BLOCK)).toList();
    var model = new Seeing(gallery, 1);
    model.budget = 540; // two begin, and grow beyond what was expected of them
    model.gate = new CountDownLatch(1);
    var capacity = Capacity.standard().withBudget(24).withParallel(3);
    try (var engine = Engine.start(model, capacity)) {
      var tickets = new ArrayList<Ticket>();
      for (Seen each : pictures) tickets.add(engine.submit(request(each, each).withMaxTokens(180)));
      model.gate.countDown();
      for (int i = 0; i < tickets.size(); i++) {
        Seen each = pictures.get(i);
        var request = request(each, each).withMaxTokens(180);
        int[] alone = Alone.reply(new Seeing(gallery, 1), request).tokens();
        assertThat(tickets.get(i).await().tokens()).isEqualTo(alone);
      }
      assertThat(engine.report().preemptions()).as("gave way").isPositive();
    }
    assertThat(model.open).isZero();
  }

  @Test
  void hereAndByHandTheLogitsAreThose() {
    Seen seen = picture("a", Seen.Manner.BLOCK);
    var model = new Seeing(gallery, 1);
    try (var sequence = Sequence.open(model).with(Album.of(List.of(seen)))) {
      assertThat(sequence.prefill(text(seen))).isEqualTo(model.after(text(seen)));
      try (var fork = sequence.fork(3)) {
        assertThat(fork.prefill(text(seen, seen))).isEqualTo(model.after(text(seen, seen)));
      }
    }
  }
}
