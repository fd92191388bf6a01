package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.generate.Capacity;
import weft.generate.Drafter;
import weft.generate.Drafting;
import weft.generate.Engine;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Model.Step;
import weft.generate.Request;
import weft.generate.Session;
import weft.generate.Speculation;
import weft.generate.Tokens;

/**
 * A draft of which any number of tokens holds leaves a model with recurrent layers as if each token
 * that held had been fed alone.
 */
class DraftedStateTest {
  private static final int LENGTH = 16;

  /** A model on a device, and by how much of the largest logit rows may differ. */
  record Setting(
      String family, String backend, String isa, List<Integer> devices, double tolerance) {
    Setting(String family, String backend, String isa, double tolerance) {
      this(family, backend, isa, List.of(0), tolerance);
    }

    LanguageModel load() {
      var options = LoadOptions.standard().withBackend(backend).withDevices(devices).withThreads(2);
      var chosen = isa.isEmpty() ? options : options.withIsa(isa);
      return LanguageModel.load(new Golden(family).files().getLast(), chosen);
    }

    /** The last prompt and the reply to it. */
    Golden.Case text() {
      return new Golden(family).cases().getLast();
    }
  }

  static List<Setting> settings() {
    var settings = new ArrayList<Setting>();
    for (var family : List.of("qwen35-text", "qwen3-next", "qwen35-moe-text")) {
      settings.add(new Setting(family, "reference", "", 0));
      settings.add(new Setting(family, "cpu", "", 1e-4));
      settings.add(new Setting(family, "reference", "", List.of(0, 0), 0));
    }
    settings.add(new Setting("qwen35-text", "cpu", "portable", 1e-4));
    return settings;
  }

  /** The logits behind the prompt and each token of the reply, fed alone. */
  private static List<float[]> plain(Model model, Golden.Case text) {
    var rows = new ArrayList<float[]>();
    try (var session = model.open()) {
      rows.add(last(model, session, text.prompt()));
      for (int i = 0; i < LENGTH; i++) rows.add(last(model, session, text.greedy()[i]));
    }
    return rows;
  }

  private static float[] last(Model model, Session session, int... tokens) {
    return model.forward(List.of(new Step(session, tokens, 1))).getFirst()[0].toArray();
  }

  /** A token of the reply, a draft that goes on with so many of its tokens, and then others. */
  private static Step draft(Session session, Golden.Case text, int drafted, int held) {
    int at = session.position() - text.prompt().length;
    var tokens = Arrays.copyOfRange(text.greedy(), at, at + 1 + drafted);
    for (int i = 1 + held; i < tokens.length; i++) tokens[i] = (tokens[i] + 1) % 7;
    return new Step(session, tokens, 1 + drafted, drafted);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void anyNumberOfDraftedTokensHolds(Setting setting) {
    try (var loaded = setting.load()) {
      var model = loaded.model();
      var text = setting.text();
      var expected = plain(model, text);
      for (int drafted : List.of(1, 4)) {
        for (int held = 0; held <= drafted; held++) {
          try (var session = model.open()) {
            last(model, session, text.prompt());
            while (session.position() + 1 + drafted < text.prompt().length + LENGTH) {
              int from = session.position() - text.prompt().length;
              var rows = model.forward(List.of(draft(session, text, drafted, held))).getFirst();
              require(setting, expected, from + 1, Arrays.copyOf(rows, 1 + held));
              session.rewind(text.prompt().length + from + 1 + held);
              assertThat(session.position())
                  .as("%d of %d", held, drafted)
                  .isEqualTo(text.prompt().length + from + 1 + held);
            }
            int next = session.position() - text.prompt().length;
            var row = model.forward(List.of(draft(session, text, 0, 0))).getFirst();
            require(setting, expected, next + 1, row);
          }
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void draftsBesideOthersInCopiesAndTakenBackWhole(Setting setting) {
    try (var loaded = setting.load()) {
      var model = loaded.model();
      var text = setting.text();
      int begin = text.prompt().length;
      var expected = plain(model, text);
      try (var first = model.open();
          var second = model.open();
          var third = model.open()) {
        for (var session : List.of(first, second)) last(model, session, text.prompt());
        var rows =
            model.forward(
                List.of(
                    draft(first, text, 4, 2),
                    draft(second, text, 0, 0),
                    new Step(third, text.prompt(), 1)));
        require(setting, expected, 1, Arrays.copyOf(rows.get(0), 3));
        require(setting, expected, 1, rows.get(1));
        require(setting, expected, 0, rows.get(2));
        first.rewind(begin + 3);
        try (var kept = first.fork(first.position())) {
          rows = model.forward(List.of(draft(first, text, 3, 1), draft(second, text, 2, 2)));
          require(setting, expected, 4, Arrays.copyOf(rows.get(0), 2));
          require(setting, expected, 2, rows.get(1));
          assertThat(kept.position()).isEqualTo(begin + 3);
          require(setting, expected, 4, model.forward(List.of(draft(kept, text, 0, 0))).getFirst());
        }
        second.rewind(begin - 1);
        assertThat(second.position()).isLessThan(begin);
        var again = Arrays.copyOfRange(text.prompt(), second.position(), begin);
        require(setting, expected, 0, Logits.of(last(model, second, again)));
        require(setting, expected, 1, model.forward(List.of(draft(second, text, 3, 3))).getFirst());
      }
    }
  }

  /** Drafts two of the reply's tokens and a wrong one, and keeps the rows it is shown. */
  private record Looking(Golden.Case text, List<float[]> seen) implements Drafter {
    @Override
    public Optional<String> point() {
      return Optional.of("final");
    }

    @Override
    public Drafting open(Tokens known) {
      return new Drafting() {
        @Override
        public int[] propose(int max) {
          int at = known.length() - text.prompt().length;
          var draft = Arrays.copyOfRange(text.greedy(), at, at + max);
          for (int i = 2; i < max; i++) draft[i] = (draft[i] + 1) % 7;
          return draft;
        }

        @Override
        public void learn(Pass pass) {
          seen.addAll(pass.hidden());
        }
      };
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("settings")
  void aDrafterSeesTheRowsOfTheTokensThatStay(Setting setting) {
    try (var loaded = setting.load();
        var engine =
            Engine.start(loaded.model(), Capacity.standard().withParallel(1).withBudget(9))) {
      var text = setting.text();
      var looking = new Looking(text, new ArrayList<>());
      var request =
          Request.of(text.prompt())
              .withMaxTokens(LENGTH)
              .withSpeculation(Speculation.of(looking, 3));
      var reply = engine.generate(request).tokens();
      var all = IntStream.concat(Arrays.stream(text.prompt()), Arrays.stream(reply)).toArray();
      var rows = loaded.hidden("final", all);
      assertThat(looking.seen.size()).isBetween(text.prompt().length + LENGTH - 5, all.length - 1);
      for (int i = 0; i < looking.seen.size(); i++) {
        requireAlike(setting, "row " + i, rows[i], looking.seen.get(i));
      }
    }
  }

  private static void require(Setting setting, List<float[]> expected, int from, Logits... rows) {
    for (int i = 0; i < rows.length; i++) {
      var what = "logits behind token %d of the reply".formatted(from + i);
      requireAlike(setting, what, expected.get(from + i), rows[i].toArray());
    }
  }

  private static void requireAlike(Setting setting, String what, float[] wanted, float[] met) {
    double most = 0;
    double apart = 0;
    for (int j = 0; j < met.length; j++) {
      most = Math.max(most, Math.abs(wanted[j]));
      apart = Math.max(apart, Math.abs(met[j] - wanted[j]));
    }
    assertThat(apart).as(what).isLessThanOrEqualTo(setting.tolerance * most);
  }
}
