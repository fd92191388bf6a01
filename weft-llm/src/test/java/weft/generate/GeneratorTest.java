package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import weft.generate.Listener.Answer;

class GeneratorTest {
  private static final Request REQUEST =
      Request.of(1, 2, 3).withMaxTokens(20).withText(ByteText::new);

  private static Reply say(String script, Request request) {
    return new Generator(new ScriptedModel(256, 3, ByteText.bytes(script))).generate(request);
  }

  @Test
  void aStopTokenEndsTheReplyAndHasNoText() {
    Reply reply = say("ab!cd", REQUEST.withStops(Stops.NONE.withTokens(Set.of((int) '!'))));
    assertThat(reply.text()).isEqualTo("ab");
    assertThat(reply.tokens()).containsExactly('a', 'b', '!');
    assertThat(reply.finish()).isEqualTo(Finish.STOP);
  }

  @Test
  void ignoredStopTokensAreTokensLikeAnyOther() {
    Stops stops = Stops.NONE.withTokens(Set.of((int) '!')).withMaxTokens(4);
    Reply reply = say("ab!cd", REQUEST.withStops(stops.ignoringTokens()));
    assertThat(reply.text()).isEqualTo("ab!c");
    assertThat(reply.finish()).isEqualTo(Finish.LENGTH);
  }

  @Test
  void stopTokensCannotComeBeforeTheMinimum() {
    Stops stops = new Stops(10, 3, Set.of((int) '!', 999), List.of());
    Reply reply = say("!!!!!!", REQUEST.withStops(stops));
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
    try (var generator = new Generator(model)) {
      Request request =
          REQUEST.withListener(
              Listener.of(
                  piece -> {
                    if (model.forwards == 5) {
                      generator.cancel();
                    }
                  }));
      Reply reply = generator.generate(request);
      assertThat(reply.finish()).isEqualTo(Finish.CANCELLED);
      assertThat(reply.tokens()).hasSize(5);
      assertThat(generator.generate(REQUEST).finish()).isEqualTo(Finish.LENGTH);
    }
  }

  @Test
  void cancellingWorksInTheMiddleOfAPrompt() {
    var holder = new ArrayList<Generator>();
    var model =
        new FakeModel(256, 1) {
          @Override
          void beforeForward(List<Step> batch) {
            if (forwards == 2) {
              holder.getFirst().cancel();
            }
          }
        };
    holder.add(new Generator(model, 10));
    Reply reply = holder.getFirst().generate(Request.of(new int[100]));
    assertThat(reply.finish()).isEqualTo(Finish.CANCELLED);
    assertThat(reply.tokens()).isEmpty();
    assertThat(model.fed).isEqualTo(30);
  }

  @Test
  void logprobsAreOfTheUnmodifiedDistribution() {
    var model = new FakeModel(50, 1);
    Sampling sampling = Sampling.seeded(4).withPenalties(Penalties.NONE.withBias(Map.of(7, 100.0)));
    Request request = Request.of(1, 2, 3).withMaxTokens(5).withSampling(sampling).withLogprobs(3);
    int[] text = {1, 2, 3};
    for (Piece piece : new Generator(model).generate(request).pieces()) {
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
    var generator = new Generator(new FakeModel(10, 1, 16));
    refused(() -> generator.generate(Request.of(new int[17])), "17 tokens", "holds 16");
    assertThat(generator.generate(Request.of(new int[16])).tokens()).hasSize(1);
  }

  @Test
  void aTokenOutsideTheVocabularyIsRefused() {
    var generator = new Generator(new FakeModel(10, 1));
    refused(() -> generator.generate(Request.of(1, 10)), "token 1 has id 10", "ends at 9");
    refused(() -> generator.generate(Request.of(-1)), "token 0 has id -1");
    Sampling biased = Sampling.GREEDY.withPenalties(Penalties.NONE.withBias(Map.of(10, 1.0)));
    refused(() -> generator.generate(Request.of(1).withSampling(biased)), "bias names token 10");
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    refused(() -> REQUEST.withMaxTokens(0), "max tokens", "got 0");
    refused(() -> new Stops(5, 6, Set.of(), List.of()), "min tokens", "got 6");
    refused(() -> Stops.NONE.withStrings(List.of("")), "stop string");
    refused(() -> REQUEST.withLogprobs(-2), "logprobs", "got -2");
    refused(() -> new Speculation(Drafter.NONE, -1), "got a length of -1");
    refused(() -> new Generator(new FakeModel(10, 1), 0), "budget", "got 0");
  }

  @Test
  void aFailureLeavesTheGeneratorUsable() {
    var model = new FakeModel(256, 1);
    var generator = new Generator(model);
    Listener broken =
        piece -> {
          throw new IllegalStateException("pipe closed");
        };
    refused(() -> generator.generate(REQUEST.withListener(broken)), "pipe closed");
    assertThat(model.open).isZero();
    assertThat(generator.generate(REQUEST).tokens()).hasSize(20);
    generator.close();
    assertThat(model.open).isZero();
  }

  @Test
  void aDrafterThatBreaksItsPromiseIsNamed() {
    var generator = new Generator(new FakeModel(10, 1));
    Drafter tooMany = known -> max -> new int[max + 1];
    Drafter foreign = known -> max -> new int[] {10};
    refused(
        () -> generator.generate(REQUEST.withSpeculation(new Speculation(tooMany, 2))),
        "proposed 3 tokens where 2");
    refused(
        () -> generator.generate(REQUEST.withSpeculation(new Speculation(foreign, 2))),
        "has id 10");
  }

  private static void refused(Runnable doing, String... parts) {
    assertThatThrownBy(doing::run).isInstanceOf(GenerateException.class).message().contains(parts);
  }
}
