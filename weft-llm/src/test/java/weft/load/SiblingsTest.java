package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.Finish;
import weft.generate.GenerateException;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Ticket;

/** Several replies to one prompt begin with the same logits, in whatever company. */
class SiblingsTest {
  private static LanguageModel model(String family) {
    return LanguageModel.load(
        new Golden(family).transformers(), LoadOptions.standard().withThreads(1));
  }

  private static int[] prompt(int length) {
    return new Random(length).ints(length, 0, 60).toArray();
  }

  private static List<Request> requests(int length, int tokens) {
    return IntStream.range(0, 4)
        .mapToObj(
            i ->
                Request.of(prompt(length))
                    .withSampling(Sampling.seeded(i))
                    .withLogprobs(5)
                    .withMaxTokens(tokens))
        .toList();
  }

  private static List<Reply> replies(List<Ticket> tickets) {
    return tickets.stream().map(Ticket::await).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "llama-untied, 5, 1",
    "llama-untied, 40, 6",
    "qwen35-text, 40, 6",
    "qwen35-text, 5, 1"
  })
  void allBeginWithTheSameLogits(String family, int length, int tokens) {
    try (var model = model(family);
        var engine = Engine.start(model.model(), Capacity.standard().withParallel(3))) {
      for (int round = 0; round < 3; round++) {
        var company = new ArrayList<Ticket>();
        for (int i = 0; i < round; i++) {
          company.add(engine.submit(Request.of(prompt(7 + i)).withMaxTokens(8)));
        }
        var replies = replies(engine.submit(requests(length, tokens)));
        var first = replies.getFirst().pieces().getFirst().alternatives();
        assertThat(replies)
            .allSatisfy(
                reply -> {
                  assertThat(reply.pieces()).hasSize(tokens);
                  assertThat(reply.pieces().getFirst().alternatives()).isEqualTo(first);
                });
        company.forEach(Ticket::await);
      }
    }
  }

  @Test
  void whoIsCancelledLeavesTheOthersAlone() {
    try (var model = model("llama-untied");
        var engine = Engine.start(model.model(), Capacity.standard().withParallel(1))) {
      var tickets = engine.submit(requests(40, 6));
      tickets.get(0).cancel();
      tickets.get(2).cancel();
      assertThat(tickets.get(1).await().pieces()).hasSize(6);
      assertThat(tickets.get(3).await().pieces()).hasSize(6);
      assertThat(tickets.get(2).await().finish()).isEqualTo(Finish.CANCELLED);
    }
  }

  @Test
  void whatIsNotAlikeIsRefused() {
    try (var model = model("llama-untied")) {
      assertThatThrownBy(() -> model.submit(List.of(Request.of(1, 2), Request.of(1, 3))))
          .isInstanceOf(GenerateException.class)
          .hasMessageContaining("one prompt");
      assertThatThrownBy(() -> model.submit(List.<Request>of()))
          .isInstanceOf(GenerateException.class);
    }
  }
}
