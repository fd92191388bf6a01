package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Album;
import weft.generate.Capacity;
import weft.generate.DraftOptions;
import weft.generate.Engine;
import weft.generate.ModelDrafter;
import weft.generate.PromptLookup;
import weft.generate.Recompute;
import weft.generate.Request;
import weft.generate.Seen;
import weft.generate.Sequence;
import weft.generate.Speculation;
import weft.generate.Ticket;

/** Requests with pictures, against what Transformers says of the same. */
class PicturedRequestsTest {
  private static LanguageModel load(Golden golden, Capacity capacity) {
    return LanguageModel.load(
        golden.transformers(), LoadOptions.standard().withThreads(2).withCapacity(capacity));
  }

  private static Seen seen(LanguageModel model, Golden golden, int index) {
    return model.sight().orElseThrow().see(VisionTest.picture(golden, index));
  }

  private static Request request(LanguageModel model, Golden golden, Golden.Case c) {
    var seen = seen(model, golden, c.index());
    return model
        .bare(VisionTest.shown(c.prompt(), seen))
        .withAlbum(Album.of(List.of(seen)))
        .ignoringEnds()
        .withMaxTokens(c.greedy().length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"qwen3-vl", "qwen35-vl"})
  void tokensAreThoseOfTransformersHoweverTheyAreMade(String family) {
    var golden = new Golden(family);
    try (var model = load(golden, Capacity.standard().withParallel(4).withBudget(4));
        var draft = load(golden, Capacity.standard());
        var oracle = Engine.start(new Recompute(model.model()))) {
      for (var c : golden.cases()) {
        var request = request(model, golden, c);
        var first = model.generate(request);
        assertThat(first.tokens()).as("in small steps").isEqualTo(c.greedy());
        assertThat(first.usage().promptTokens()).isEqualTo(c.prompt().length);
        assertThat(first.usage().cachedTokens()).as("another picture").isLessThanOrEqualTo(3);
        assertThat(model.generate(request).tokens()).as("from the cache").isEqualTo(c.greedy());
        assertThat(oracle.generate(request).tokens()).as("recomputed").isEqualTo(c.greedy());
        for (var drafter :
            List.of(
                new PromptLookup(1, 3),
                ModelDrafter.ofModel(draft.model(), DraftOptions.standard().withLeastChance(0)))) {
          var reply = model.generate(request.withSpeculation(Speculation.of(drafter, 3)));
          assertThat(reply.tokens()).isEqualTo(c.greedy());
          assertThat(reply.usage().draftingStopped()).isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"qwen3-vl", "qwen35-vl"})
  void repliesTogetherAreAsAlone(String family) {
    var golden = new Golden(family);
    var loading = LoadOptions.standard().withThreads(1);
    try (var model = LanguageModel.load(golden.transformers(), loading)) {
      var tickets = new ArrayList<Ticket>();
      var cases = golden.cases();
      for (int i = 0; i < 6; i++) {
        tickets.add(
            model.submit(request(model, golden, cases.get(i % 2)).withIsolation("user" + i)));
      }
      for (int i = 0; i < 6; i++) {
        assertThat(tickets.get(i).await().tokens()).isEqualTo(cases.get(i % 2).greedy());
      }
    }
  }

  /** Several in one text, cut, rewound and forked anywhere. */
  @ParameterizedTest
  @ValueSource(strings = {"qwen3-vl", "qwen35-vl"})
  void aTextIsTheSameHoweverItIsFed(String family) {
    var golden = new Golden(family);
    try (var model = load(golden, Capacity.standard())) {
      var one = seen(model, golden, 0);
      var two = seen(model, golden, 1);
      assertThat(two.id()).isNotEqualTo(one.id());
      assertThat(seen(model, golden, 0)).as("looked at once").isSameAs(one);
      var text = new ArrayList<Integer>(List.of(5, 9));
      for (var seen : List.of(one, two, two, one)) {
        text.add(7);
        for (int i = 0; i < seen.count(); i++) text.add(seen.id());
      }
      text.addAll(List.of(40, 41, 3));
      var ids = text.stream().mapToInt(Integer::intValue).toArray();
      var album = Album.of(List.of(one, two));
      try (var whole = Sequence.open(model.model()).with(album);
          var parts = Sequence.open(model.model()).with(album)) {
        var expected = whole.prefill(ids);
        for (int at = 0; at < ids.length - 1; at += 3) {
          parts.commit(Arrays.copyOfRange(ids, at, Math.min(at + 3, ids.length - 1)));
        }
        close(parts.step(ids[ids.length - 1]), expected);
        for (int back : new int[] {1, 5, 12, 20}) {
          parts.rewind(ids.length - back);
          close(parts.prefill(ids), expected);
          try (var fork = whole.fork(ids.length - back)) {
            close(fork.prefill(ids), expected);
          }
        }
      }
    }
  }

  private static void close(float[] met, float[] expected) {
    for (int i = 0; i < met.length; i++) {
      assertThat((double) met[i]).isCloseTo(expected[i], org.assertj.core.data.Offset.offset(1e-3));
    }
  }
}
