package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.PromptLookup;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Speculation;
import weft.generate.Ticket;

/** A reply is the same text alone, in company, and when it had to give way in between. */
class CompanyTest {
  private static LanguageModel model(String family, long memory) {
    return LanguageModel.load(
        new Golden(family).transformers(),
        LoadOptions.standard().withBackend("reference").withStateMemory(memory));
  }

  private static List<Request> requests(int vocabulary, int prompt, int reply) {
    var requests = new ArrayList<Request>();
    var shared = new Random(9).ints(prompt / 2, 0, vocabulary).toArray();
    for (int i = 0; i < 8; i++) {
      var own = new Random(i).ints(prompt / 2 + i, 0, vocabulary).toArray();
      var text = new int[shared.length + own.length];
      System.arraycopy(shared, 0, text, 0, shared.length);
      System.arraycopy(own, 0, text, shared.length, own.length);
      requests.add(
          Request.of(text)
              .withSampling(i % 2 == 0 ? Sampling.GREEDY : Sampling.seeded(i))
              .withLogprobs(0)
              .withSpeculation(Speculation.of(new PromptLookup(1, 2), i % 3))
              .withMaxTokens(reply));
    }
    return requests;
  }

  private static List<Reply> alone(LanguageModel model, List<Request> requests) {
    var replies = new ArrayList<Reply>();
    for (var request : requests) {
      try (var engine = Engine.start(model.model(), Capacity.standard().withParallel(1))) {
        replies.add(engine.generate(request));
      }
    }
    return replies;
  }

  private static void requireSame(List<Reply> alone, List<Ticket> together) {
    for (int i = 0; i < alone.size(); i++) {
      assertThat(together.get(i).await().pieces()).isEqualTo(alone.get(i).pieces());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"llama-untied", "gemma3-text", "qwen35-text"})
  void theReferenceGivesTheSameBits(String family) {
    try (var model = model(family, Long.MAX_VALUE)) {
      var requests = requests(model.model().vocabularySize(), 40, 12);
      var alone = alone(model, requests);
      try (var engine = Engine.start(model.model(), Capacity.standard().withBudget(24))) {
        requireSame(alone, requests.stream().map(engine::submit).toList());
        // And again, from what is known of them now.
        requireSame(alone, requests.stream().map(engine::submit).toList());
        assertThat(engine.report().cachedTokens()).isPositive();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"llama-untied", "gemma3-text", "qwen35-text"})
  void eightLongRepliesInLittleMemoryAllFinish(String family) {
    try (var free = model(family, Long.MAX_VALUE)) {
      var requests = requests(free.model().vocabularySize(), 20, 100);
      var alone = alone(free, requests);
      long two = 2 * free.model().bytesFor(130);
      try (var tight = model(family, two);
          var engine = Engine.start(tight.model(), Capacity.standard())) {
        requireSame(alone, requests.stream().map(engine::submit).toList());
        assertThat(engine.report().failed()).isZero();
        assertThat(tight.compiled().stateMemory().bytes()).isLessThanOrEqualTo(two);
      }
    }
  }

  @Test
  void greedyRepliesOfEmittedCodeAreTheSame() {
    try (var model =
        LanguageModel.load(
            new Golden("llama-untied").transformers(), LoadOptions.standard().withThreads(2))) {
      var requests =
          requests(model.model().vocabularySize(), 40, 24).stream()
              .map(request -> request.withSampling(Sampling.GREEDY))
              .toList();
      var alone = alone(model, requests);
      var together = requests.stream().map(model::submit).toList();
      for (int i = 0; i < requests.size(); i++) {
        assertThat(together.get(i).await().tokens()).isEqualTo(alone.get(i).tokens());
      }
    }
  }
}
