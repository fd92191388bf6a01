package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import weft.generate.Listener.Answer;

class EngineRepliesTest {
  private static final Request REQUEST =
      Request.of(1, 2, 3).withMaxTokens(20).withText(ByteText::new);

  private static Reply say(String script, Request request) {
    return Alone.reply(new ScriptedModel(256, 3, ByteText.bytes(script)), request);
  }

  @Test
  void aStopTokenEndsTheReplyAndHasNoText() {
    Reply reply = say("ab!cd", REQUEST.withStops(Stops.NONE.withTokens(Set.of((int) '!'))));
    assertThat(reply.text()).isEqualTo("ab");
    assertThat(reply.tokens()).containsExactly('a', 'b', '!');
    assertThat(reply.finish()).isEqualTo(Finish.STOP);
  }

  @Test
  void theModelsEndStaysWhateverStopsAreSet() {
    Request ending = REQUEST.withEnds(Set.of((int) '!'));
    for (Stops stops :
        List.of(Stops.NONE, Stops.NONE.withMaxTokens(9), Stops.NONE.withTokens(Set.of(3)))) {
      Reply reply = say("ab!cd", ending.withStops(stops));
      assertThat(reply.text()).isEqualTo("ab");
      assertThat(reply.finish()).isEqualTo(Finish.STOP);
    }
    Stops strict = Stops.NONE.withTokens(Set.of((int) 'b'));
    assertThat(say("ab!cd", ending.withStops(strict)).text()).isEqualTo("a");
  }

  @Test
  void ignoredEndsAreTokensLikeAnyOther() {
    Request ending = REQUEST.withEnds(Set.of((int) '!')).withMaxTokens(4);
    Reply reply = say("ab!cd", ending.ignoringEnds());
    assertThat(reply.text()).isEqualTo("ab!c");
    assertThat(reply.finish()).isEqualTo(Finish.LENGTH);
  }

  @Test
  void stopTokensCannotComeBeforeTheMinimum() {
    Stops stops = Stops.NONE.withMaxTokens(10).withMinTokens(3).withTokens(Set.of(999));
    Reply reply = say("!!!!!!", REQUEST.withStops(stops).withEnds(Set.of((int) '!')));
    assertThat(reply.tokens()).hasSize(4).endsWith('!');
    assertThat(Arrays.copyOf(reply.tokens(), 3)).doesNotContain('!');
  }

  @Test
  void aStopStringAcrossTokensIsCutOffAndNeverStreamed() {
    var streamed = new StringBuilder();
    Reply reply =
        say(
            "Hi there\nUser: more",
            REQUEST
                .withStops(Stops.NONE.withStrings(List.of("\nUser:")))
                .withListener(Listener.of(piece -> streamed.append(piece.text()))));
    assertThat(reply.text()).isEqualTo("Hi there");
    assertThat(streamed).hasToString("Hi there");
    assertThat(reply.tokens()).hasSize("Hi there\nUser:".length());
    assertThat(reply.finish()).isEqualTo(Finish.STOP);
  }

  @Test
  void heldBackTextComesOutWhenTheReplyEndsWithoutTheStop() {
    Stops stops = Stops.NONE.withMaxTokens(5).withStrings(List.of("DEF"));
    Reply reply = say("abcDEF", REQUEST.withStops(stops));
    assertThat(reply.text()).isEqualTo("abcDE");
    assertThat(reply.pieces().get(3).text()).isEmpty();
    assertThat(reply.finish()).isEqualTo(Finish.LENGTH);
  }

  @Test
  void charactersOfSeveralTokensComeWhole() {
    Reply reply = say("a€b", REQUEST.withMaxTokens(5));
    assertThat(reply.pieces().stream().map(Piece::text)).containsExactly("a", "", "", "€", "b");
  }

  @Test
  void aCharacterThatIsNeverWholeComesOutAtTheEnd() {
    assertThat(say("a€b", REQUEST.withMaxTokens(2)).text()).isEqualTo("a\uFFFD");
  }

  @Test
  void theListenerCanStop() {
    var heard = new ArrayList<Integer>();
    Listener two =
        piece -> {
          heard.add(piece.token());
          return heard.size() == 2 ? Answer.STOP : Answer.CONTINUE;
        };
    Reply reply = say("abcdef", REQUEST.withListener(two));
    assertThat(reply.finish()).isEqualTo(Finish.STOPPED_BY_CALLBACK);
    assertThat(reply.text()).isEqualTo("ab");
  }

  @Test
  void cancellingEndsTheReplyWithWhatThereWas() {
    var model = new FakeModel(256, 1);
    var tickets = new SynchronousQueue<Ticket>();
    try (var engine = Engine.start(model)) {
      var fifth =
          Listener.of(
              piece -> {
                if (model.forwards == 5) take(tickets).cancel();
              });
      Ticket ticket = engine.submit(REQUEST.withListener(fifth));
      put(tickets, ticket);
      Reply reply = ticket.await();
      assertThat(reply.finish()).isEqualTo(Finish.CANCELLED);
      assertThat(reply.tokens()).hasSize(5);
      assertThat(engine.generate(REQUEST).finish()).isEqualTo(Finish.LENGTH);
    }
  }

  @Test
  void cancellingWorksInTheMiddleOfAPrompt() {
    var tickets = new SynchronousQueue<Ticket>();
    var model =
        new FakeModel(256, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            if (forwards == 2) take(tickets).cancel();
          }
        };
    try (var engine = Engine.start(model, Capacity.standard().withParallel(1).withBudget(10))) {
      Ticket ticket = engine.submit(Request.of(new int[100]));
      put(tickets, ticket);
      Reply reply = ticket.await();
      assertThat(reply.finish()).isEqualTo(Finish.CANCELLED);
      assertThat(reply.tokens()).isEmpty();
      assertThat(model.fed).isEqualTo(30);
    }
  }

  private static Ticket take(SynchronousQueue<Ticket> tickets) {
    try {
      return tickets.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void put(SynchronousQueue<Ticket> tickets, Ticket ticket) {
    try {
      tickets.put(ticket);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void logprobsAreOfTheUnmodifiedDistribution() {
    var model = new FakeModel(50, 1);
    Sampling sampling = Sampling.seeded(4).withPenalties(Penalties.NONE.withBias(Map.of(7, 100.0)));
    Request request = Request.of(1, 2, 3).withMaxTokens(5).withSampling(sampling).withLogprobs(3);
    int[] text = {1, 2, 3};
    for (Piece piece : Alone.reply(model, request).pieces()) {
      float[] logits = model.after(text);
      double sum = 0;
      for (float logit : logits) {
        sum += Math.exp(logit);
      }
      assertThat(piece.token()).isEqualTo(7);
      assertThat(piece.logprob()).isCloseTo(logits[7] - Math.log(sum), within(1e-6));
      assertThat(piece.alternatives()).hasSize(3);
      int best = piece.alternatives().getFirst().token();
      for (int token = 0; token < 50; token++) {
        assertThat(logits[best]).isGreaterThanOrEqualTo(logits[token]);
      }
      text = TurnTest.concat(text, new int[] {7});
    }
  }

  @Test
  void withoutLogprobsThereAreNone() {
    Piece piece = say("a", REQUEST).pieces().getFirst();
    assertThat(piece.logprob()).isNaN();
    assertThat(piece.alternatives()).isEmpty();
  }

  @Test
  void anEmptyPromptIsRefused() {
    refused(() -> Request.of(), "the prompt is empty");
  }

  @Test
  void aPromptLongerThanTheContextIsRefusedWithBothNumbers() {
    var engine = Engine.start(new FakeModel(10, 1, 16));
    refused(() -> engine.generate(Request.of(new int[17])), "17 tokens", "holds 16");
    assertThat(engine.generate(Request.of(new int[16])).tokens()).hasSize(1);
  }

  @Test
  void aTokenOutsideTheVocabularyIsRefused() {
    var engine = Engine.start(new FakeModel(10, 1));
    refused(() -> engine.generate(Request.of(1, 10)), "token 1 has id 10", "ends at 9");
    refused(() -> engine.generate(Request.of(-1)), "token 0 has id -1");
    Sampling biased = Sampling.GREEDY.withPenalties(Penalties.NONE.withBias(Map.of(10, 1.0)));
    refused(() -> engine.generate(Request.of(1).withSampling(biased)), "bias names token 10");
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    refused(() -> REQUEST.withMaxTokens(0), "max tokens", "got 0");
    refused(() -> Stops.NONE.withMaxTokens(5).withMinTokens(6), "min tokens", "got 6");
    refused(() -> Stops.NONE.withStrings(List.of("")), "stop string");
    refused(() -> REQUEST.withLogprobs(-2), "logprobs", "got -2");
    refused(() -> Speculation.of(Drafter.NONE, -1), "got a length of -1");
    refused(() -> Capacity.standard().withBudget(0), "budget", "got 0");
  }

  @Test
  void aFailureLeavesTheGeneratorUsable() {
    var model = new FakeModel(256, 1);
    var engine = Engine.start(model);
    Listener broken =
        piece -> {
          throw new IllegalStateException("pipe closed");
        };
    refused(() -> engine.generate(REQUEST.withListener(broken)), "pipe closed");
    assertThat(model.open).isZero();
    assertThat(engine.generate(REQUEST).tokens()).hasSize(20);
    engine.close();
    assertThat(model.open).isZero();
  }

  @Test
  void aDrafterThatBreaksItsPromiseIsNamedAndLeft() {
    var engine = Engine.start(new FakeModel(10, 1));
    Drafter tooMany = known -> max -> new int[max + 1];
    Drafter foreign = known -> max -> new int[] {10};
    var expected = engine.generate(REQUEST).tokens();
    Map.of(tooMany, "proposed 3 tokens where 2", foreign, "has id 10")
        .forEach(
            (drafter, why) -> {
              var reply = engine.generate(REQUEST.withSpeculation(Speculation.of(drafter, 2)));
              assertThat(reply.tokens()).isEqualTo(expected);
              assertThat(reply.usage().draftingStopped().orElseThrow()).contains(why);
            });
  }

  private static void refused(Runnable doing, String... parts) {
    assertThatThrownBy(doing::run).isInstanceOf(GenerateException.class).message().contains(parts);
  }
}
