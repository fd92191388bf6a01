package weft.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.backend.KvType;
import weft.generate.Capacity;
import weft.generate.Drafter;
import weft.generate.Engine;
import weft.generate.EngineReport;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Speculation;
import weft.generate.Ticket;
import weft.load.LanguageModel;

/**
 * The same request gives the same text alone and in company, with drafts and without, greedy and by
 * a seed.
 */
class CompanyRepliesTest {
  private static final int REPLIES = 8;
  private static final int TOKENS = 32;
  private static final long SEED = 5;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "llama-3.2-1b-slice, Q4_K_M, auto",
    "qwen3.5-0.8b-slice, Q4_K_M, auto",
    "llama-3.2-1b-slice, Q4_K_M, avx2",
  })
  void theSameRequestHasTheSameText(String shape, String type, String isa) throws IOException {
    var slice = Slice.named(shape, type).orElseThrow().withFewTokens();
    var file = slice.write(folder, SEED);
    var options = new Setting(isa, KvType.F16, SEED).team(2);
    try {
      try (var loaded = LanguageModel.load(file, options)) {
        var alone = alone(loaded);
        assertThat(together(loaded, _ -> Speculation.NONE).replies)
            .containsExactlyElementsOf(alone);
        var drafted = together(loaded, i -> Speculation.of(rightNowAndThen(alone.get(i), i), 5));
        assertThat(drafted.replies).containsExactlyElementsOf(alone);
        assertThat(drafted.report.acceptedTokens()).as("guesses that held").isPositive();
      }
    } finally {
      Files.delete(file);
    }
  }

  private record Outcome(List<int[]> replies, EngineReport report) {}

  private static int length(int request) {
    return 3 + 19 * request;
  }

  private static Request request(LanguageModel loaded, int i) {
    var sampling =
        i % 2 == 0 ? Sampling.GREEDY : Sampling.seeded(i).withTemperature(1).withTopK(40);
    int vocabulary = loaded.model().vocabularySize();
    return Request.of(new Random(SEED + i).ints(length(i), 0, vocabulary).toArray())
        .withSampling(sampling)
        .withMaxTokens(TOKENS)
        .ignoringEnds();
  }

  /** Each by itself, and nothing kept of those before it. */
  private static List<int[]> alone(LanguageModel loaded) {
    var replies = new ArrayList<int[]>();
    for (int i = 0; i < REPLIES; i++) {
      try (var engine = Engine.start(loaded.model(), Capacity.standard().withParallel(1))) {
        replies.add(engine.generate(request(loaded, i)).tokens());
      }
    }
    return replies;
  }

  /** All at once: prompts are read in cuts while others write. */
  private static Outcome together(LanguageModel loaded, IntFunction<Speculation> speculation) {
    try (var engine = Engine.start(loaded.model(), Capacity.standard().withParallel(REPLIES))) {
      var tickets = new ArrayList<Ticket>();
      for (int i = 0; i < REPLIES; i++) {
        var request = request(loaded, i).withSpeculation(speculation.apply(i));
        tickets.add(engine.submit(request));
      }
      var replies = tickets.stream().map(ticket -> ticket.await().tokens()).toList();
      return new Outcome(replies, engine.report());
    }
  }

  /** Guesses what will be said, and now and then something else. */
  private static Drafter rightNowAndThen(int[] reply, int request) {
    return known ->
        max -> {
          int said = known.length() - length(request);
          int count = Math.min(max, reply.length - said);
          var draft = new int[Math.max(0, count)];
          for (int i = 0; i < draft.length; i++) {
            boolean isWrong = (said + i) % 7 == 3;
            draft[i] = isWrong ? 1 : reply[said + i];
          }
          return draft;
        };
  }
}
