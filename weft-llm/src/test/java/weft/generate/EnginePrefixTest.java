package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prompts that begin like earlier texts are fed only what is new. */
@Timeout(60)
class EnginePrefixTest {
  private static final int[] SYSTEM = TurnTest.tokens(new Random(3), 300);

  private static int[] ask(int user, int length) {
    return TurnTest.concat(SYSTEM, TurnTest.tokens(new Random(user), length));
  }

  /** Lets passes run once all who should be there are. */
  private static final class Gated extends FakeModel {
    private final CountDownLatch gate = new CountDownLatch(1);

    Gated(int grain) {
      super(11, grain);
    }

    @Override
    void beforeForward(List<Step> batch) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void theNextTurnOfAConversationFeedsWhatIsNew() {
    var model = new FakeModel(11, 1);
    try (var engine = Engine.start(model)) {
      int[] text = ask(1, 20);
      for (int turn = 0; turn < 5; turn++) {
        Reply reply = engine.generate(Request.of(text).withMaxTokens(10));
        int known = turn == 0 ? 0 : text.length - 6;
        assertThat(reply.usage().cachedTokens()).isEqualTo(known);
        text = TurnTest.concat(text, reply.tokens());
        text = TurnTest.concat(text, new int[] {1, 2, 3, 4, 5});
      }
      assertThat(model.open).as("texts that begin another are not kept twice").isEqualTo(1);
    }
    assertThat(model.open).isZero();
  }

  @Test
  void conversationsInTurnsEachGoOnWhereTheyWere() {
    var model = new FakeModel(11, 1);
    try (var engine = Engine.start(model)) {
      for (int user = 0; user < 12; user++) {
        engine.generate(Request.of(ask(user, 30)).withMaxTokens(5));
      }
      int before = model.fed;
      for (int user = 0; user < 12; user++) {
        int[] next = TurnTest.concat(ask(user, 30), new int[] {user % 11, 3});
        Usage usage = engine.generate(Request.of(next).withMaxTokens(1)).usage();
        assertThat(usage.cachedTokens()).isGreaterThanOrEqualTo(330);
      }
      assertThat(model.fed - before).isLessThanOrEqualTo(12 * 2);
      assertThat(engine.report().cachedTexts()).isGreaterThanOrEqualTo(12);
      assertThat(engine.report().cachedTokens()).isGreaterThan(23 * 300);
    }
    assertThat(model.open).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50, 1000})
  void equalPromptsThatComeTogetherAreFedOnce(int grain) {
    var model = new Gated(grain);
    try (var engine = Engine.start(model, Capacity.standard().withBudget(100))) {
      Request request = Request.of(ask(1, 20)).withMaxTokens(4);
      var tickets = new ArrayList<Ticket>();
      for (int i = 0; i < 8; i++) tickets.add(engine.submit(request));
      model.gate.countDown();
      int[] expected = Alone.reply(new FakeModel(11, 1), request).tokens();
      for (Ticket ticket : tickets) assertThat(ticket.await().tokens()).isEqualTo(expected);
    }
    // The prompt once, its last token and three of the reply by all; a coarse state a few more.
    assertThat(model.fed).isLessThanOrEqualTo(320 + 8 * 4 + (grain == 1 ? 0 : 320));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50, 1000})
  void aSystemPromptIsFedOnceForAll(int grain) {
    var model = new Gated(grain);
    try (var engine = Engine.start(model, Capacity.standard().withBudget(100))) {
      var tickets = new ArrayList<Ticket>();
      for (int user = 0; user < 8; user++) {
        tickets.add(engine.submit(Request.of(ask(user, 40)).withMaxTokens(4)));
      }
      model.gate.countDown();
      for (int user = 0; user < 8; user++) {
        int[] expected =
            Alone.reply(new FakeModel(11, 1), Request.of(ask(user, 40)).withMaxTokens(4)).tokens();
        assertThat(tickets.get(user).await().tokens()).isEqualTo(expected);
      }
      int before = model.fed;
      engine.generate(Request.of(ask(99, 40)).withMaxTokens(1));
      assertThat(model.fed - before).as("one who comes later").isLessThanOrEqualTo(42);
    }
    assertThat(model.fed).isLessThanOrEqualTo(300 + 9 * 46 + (grain == 1 ? 0 : 100));
  }

  @Test
  void anotherKeyFindsNothing() {
    var model = new FakeModel(11, 1);
    try (var engine = Engine.start(model)) {
      Request request = Request.of(ask(1, 20)).withMaxTokens(2);
      engine.generate(request.withIsolation("one"));
      for (String key : List.of("two", "", "one ")) {
        assertThat(engine.generate(request.withIsolation(key)).usage().cachedTokens()).isZero();
      }
      assertThat(engine.generate(request.withIsolation("one")).usage().cachedTokens())
          .isEqualTo(319);
    }
  }

  @Test
  void equalPromptsOfDifferentKeysAreFedEach() {
    var model = new Gated(1);
    try (var engine = Engine.start(model)) {
      Request request = Request.of(ask(1, 20)).withMaxTokens(1);
      var tickets =
          IntStream.range(0, 4)
              .mapToObj(i -> engine.submit(request.withIsolation("key" + i)))
              .toList();
      model.gate.countDown();
      tickets.forEach(ticket -> assertThat(ticket.await().usage().cachedTokens()).isZero());
    }
    assertThat(model.fed).isEqualTo(4 * 320);
  }

  @Test
  void whoIsWaitedForMayFail() {
    var model = new Gated(1);
    try (var engine = Engine.start(model, Capacity.standard().withBudget(100))) {
      Request request = Request.of(ask(1, 20)).withMaxTokens(3);
      Ticket first = engine.submit(request);
      Ticket second = engine.submit(request);
      first.cancel();
      model.gate.countDown();
      assertThat(first.await().finish()).isEqualTo(Finish.CANCELLED);
      assertThat(second.await().tokens()).hasSize(3);
    }
    assertThat(model.open).isZero();
  }

  @Test
  void nothingIsKeptWithoutAShare() {
    var model = new FakeModel(11, 1);
    try (var engine = Engine.start(model, Capacity.standard().withCacheShare(0))) {
      Request request = Request.of(ask(1, 20)).withMaxTokens(2);
      engine.generate(request);
      assertThat(model.open).isZero();
      assertThat(engine.generate(request).usage().cachedTokens()).isZero();
    }
  }

  @Test
  void theLastTextStaysHoweverSmallTheShare() {
    var model = new FakeModel(11, 1);
    model.budget = 10_000;
    try (var engine = Engine.start(model, Capacity.standard().withCacheShare(0.001))) {
      Request request = Request.of(ask(1, 20)).withMaxTokens(2);
      engine.generate(request);
      assertThat(engine.generate(request).usage().cachedTokens()).isEqualTo(319);
      engine.generate(Request.of(TurnTest.tokens(new Random(8), 90)).withMaxTokens(2));
      assertThat(engine.report().cachedTexts()).isEqualTo(1);
    }
  }

  @Test
  void ofALongConversationThatCannotGoBackFewStatesAreKept() {
    var model = new FakeModel(11, 1000);
    try (var engine = Engine.start(model)) {
      int[] text = ask(1, 20);
      for (int turn = 0; turn < 20; turn++) {
        Reply reply = engine.generate(Request.of(text).withMaxTokens(3));
        if (turn > 0) assertThat(reply.usage().prefillTokens()).isEqualTo(3);
        text = TurnTest.concat(TurnTest.concat(text, reply.tokens()), new int[] {1, 2});
      }
      assertThat(engine.report().cachedTexts()).isLessThanOrEqualTo(8);
    }
    assertThat(model.open).isZero();
  }

  @Test
  void theLeastRecentlyUsedGoesFirst() {
    var model = new FakeModel(11, 1);
    model.budget = 1000;
    try (var engine = Engine.start(model, Capacity.standard().withCacheShare(0.5))) {
      var requests = new ArrayList<Request>();
      for (int i = 0; i < 4; i++) {
        requests.add(Request.of(TurnTest.tokens(new Random(i), 150)).withMaxTokens(2));
      }
      for (int i : new int[] {0, 1, 2, 0, 3}) engine.generate(requests.get(i));
      assertThat(model.memory().used()).isLessThanOrEqualTo(500);
      assertThat(engine.generate(requests.get(0)).usage().cachedTokens()).isEqualTo(149);
      assertThat(engine.generate(requests.get(3)).usage().cachedTokens()).isEqualTo(149);
      assertThat(engine.generate(requests.get(1)).usage().cachedTokens()).isLessThan(10);
    }
  }
}
