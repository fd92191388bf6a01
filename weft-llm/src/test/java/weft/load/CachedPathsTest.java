package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.Model;
import weft.generate.PromptLookup;
import weft.generate.Recompute;
import weft.generate.Request;
import weft.generate.Sequence;
import weft.generate.Speculation;
import weft.load.Profile.Choices;
import weft.load.Specialization.Buckets;
import weft.load.Specialization.Exact;
import weft.load.Specialization.Symbolic;

/**
 * Whatever is cached, cut up, batched, drafted, taken back or specialized: the tokens are those of
 * recomputation from scratch.
 */
class CachedPathsTest {
  private static final int LENGTH = 12;
  private static final List<String> BACKENDS = List.of("reference", "cpu");

  /** A few programs at most, so that eviction happens; small buckets, so that they change. */
  private static final List<Specialization> SPECIALIZATIONS =
      List.of(new Exact(3), Buckets.powerOfTwo(4, 16), new Symbolic());

  /** A model, devices of a backend, and how its two phases are specialized. */
  record Setting(
      Golden golden,
      String backend,
      List<Integer> devices,
      Specialization prefill,
      Specialization decode) {
    Setting(Golden golden, String backend, Specialization prefill, Specialization decode) {
      this(golden, backend, List.of(0), prefill, decode);
    }

    LanguageModel load() {
      var profile =
          Profile.standard()
              .with(Phase.PREFILL, Choices.with(prefill))
              .with(Phase.DECODE, Choices.with(decode));
      return LanguageModel.load(
          golden.files().getLast(),
          LoadOptions.standard()
              .withBackend(backend)
              .withDevices(devices)
              .withThreads(2)
              .withProfile(profile));
    }

    /** A short and a long prompt; their replies are what recomputation gives, as a test says. */
    List<Golden.Case> cases() {
      return golden.cases().subList(1, 3);
    }

    @Override
    public String toString() {
      return golden + " on " + backend + devices + ", " + prefill + " then " + decode;
    }
  }

  static List<Setting> settings() {
    var settings = new ArrayList<Setting>();
    for (var backend : BACKENDS) {
      for (var prefill : SPECIALIZATIONS) {
        for (var decode : SPECIALIZATIONS) {
          settings.add(new Setting(new Golden("llama-untied"), backend, prefill, decode));
        }
      }
      // A window whose ring turns over, and state that can only go back to where it was marked.
      for (var family : List.of("mistral-sliding", "qwen35-text")) {
        settings.add(new Setting(new Golden(family), backend, new Exact(3), new Exact(3)));
        var buckets = Buckets.powerOfTwo(4, 16);
        settings.add(new Setting(new Golden(family), backend, buckets, new Symbolic()));
      }
    }
    for (var family : List.of("llama-untied", "mistral-sliding", "qwen35-text")) {
      var buckets = Buckets.powerOfTwo(4, 16);
      settings.add(new Setting(new Golden(family), "foreign", buckets, new Exact(3)));
      for (var backend : List.of("reference", "cpu", "foreign")) {
        var mesh = List.of(0, 0);
        settings.add(new Setting(new Golden(family), backend, mesh, buckets, new Symbolic()));
      }
    }
    return settings;
  }

  private static int[] tokens(Model model, int budget, Request request) {
    try (var engine = Engine.start(model, Capacity.standard().withParallel(1).withBudget(budget))) {
      return engine.generate(request).tokens();
    }
  }

  private static Request request(Golden.Case c) {
    return Request.of(c.prompt()).withMaxTokens(LENGTH);
  }

  private static int[] expected(Golden.Case c) {
    return Arrays.copyOf(c.greedy(), LENGTH);
  }

  @Test
  void recomputationGivesTheTokensOfTransformers() {
    for (var family : List.of("llama-untied", "llama-bias-mha", "mistral-sliding", "qwen35-text")) {
      for (var backend : BACKENDS) {
        var setting = new Setting(new Golden(family), backend, new Symbolic(), new Symbolic());
        try (var model = setting.load()) {
          for (var c : setting.cases()) {
            assertThat(tokens(new Recompute(model.model()), 64, request(c)))
                .as("%s, case %d", setting, c.index())
                .isEqualTo(expected(c));
          }
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void promptsInChunksOfAnySize(Setting setting) {
    try (var model = setting.load()) {
      for (var c : setting.cases()) {
        for (int chunk : List.of(c.prompt().length < 8 ? 1 : 7, 512)) {
          assertThat(tokens(model.model(), chunk, request(c)))
              .as("case %d in chunks of %d", c.index(), chunk)
              .isEqualTo(expected(c));
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void promptsThatBeginLikeTheTextBefore(Setting setting) {
    try (var model = setting.load();
        var engine = Engine.start(model.model())) {
      for (var c : setting.cases()) {
        engine.generate(request(c));
        for (int kept : List.of(7, 2, 9, 0)) {
          var longer = concat(c.prompt(), Arrays.copyOf(c.greedy(), kept));
          int left = LENGTH - kept;
          var reply = engine.generate(Request.of(longer).withMaxTokens(left));
          assertThat(reply.tokens())
              .as("case %d after %d tokens of its reply", c.index(), kept)
              .isEqualTo(Arrays.copyOfRange(c.greedy(), kept, LENGTH));
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void repliesInOneBatch(Setting setting) {
    try (var model = setting.load();
        var engine =
            Engine.start(model.model(), Capacity.standard().withParallel(3).withBudget(16))) {
      var cases = setting.golden().cases();
      var tickets = cases.stream().map(c -> engine.submit(request(c))).toList();
      for (var c : cases) {
        assertThat(tickets.get(c.index()).await().tokens())
            .as("case %d", c.index())
            .isEqualTo(expected(c));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void draftsFromThePrompt(Setting setting) {
    try (var model = setting.load()) {
      int accepted = 0;
      int rejected = 0;
      for (var c : setting.cases()) {
        // Twice the text: the second reply can be looked up in the first, up to where they part.
        var text = concat(concat(c.prompt(), expected(c)), c.prompt());
        var plain = Request.of(text).withMaxTokens(LENGTH);
        var drafted = plain.withSpeculation(Speculation.of(new PromptLookup(1, 3), 5));
        try (var engine = Engine.start(model.model())) {
          var reply = engine.generate(drafted);
          assertThat(reply.tokens())
              .as("case %d", c.index())
              .isEqualTo(tokens(new Recompute(model.model()), 64, plain));
          accepted += reply.usage().acceptedTokens();
          rejected += reply.usage().draftedTokens() - reply.usage().acceptedTokens();
        }
      }
      assertThat(rejected).as("rejected drafts, which are taken back").isPositive();
      assertThat(accepted + rejected).isPositive();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void textsTakenBackAndStatesRestored(Setting setting) {
    var c = setting.cases().getLast();
    var reply = c.greedy();
    try (var model = setting.load();
        var sequence = Sequence.open(model.model())) {
      assertThat(best(sequence.prefill(c.prompt()))).isEqualTo(reply[0]);
      feed(sequence, reply, 0, 3);
      try (var snapshot = sequence.snapshot()) {
        sequence.commit(9, 8, 7, 6, 5);
        sequence.step(4);
        sequence.restore(snapshot);
        feed(sequence, reply, 3, 7);
        sequence.commit(1, 2, 3);
        rewind(sequence, c.prompt().length + 5, concat(c.prompt(), reply));
        feed(sequence, reply, 5, 9);
        sequence.restore(snapshot);
        feed(sequence, reply, 3, 5);
      }
      rewind(sequence, 2, concat(c.prompt(), reply));
      sequence.commit(5);
      assertThat(best(sequence.prefill(c.prompt()))).isEqualTo(reply[0]);
    }
  }

  /** Steps through the reply from one token to another; each must foretell the next. */
  private static void feed(Sequence sequence, int[] reply, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(best(sequence.step(reply[i]))).as("after token %d", i).isEqualTo(reply[i + 1]);
    }
  }

  /** Takes tokens back; what the state had to forget beyond them is fed again. */
  private static void rewind(Sequence sequence, int to, int[] text) {
    sequence.rewind(to);
    assertThat(sequence.position()).isLessThanOrEqualTo(to);
    sequence.commit(Arrays.copyOfRange(text, sequence.position(), to));
    assertThat(sequence.position()).isEqualTo(to);
  }

  private static int best(float[] logits) {
    return IntStream.range(0, logits.length)
        .reduce((a, b) -> logits[b] > logits[a] ? b : a)
        .orElseThrow();
  }

  private static int[] concat(int[] a, int[] b) {
    return IntStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray();
  }
}
