package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Capacity;
import weft.generate.Drafter;
import weft.generate.Engine;
import weft.generate.Model;
import weft.generate.PromptLookup;
import weft.generate.Request;
import weft.generate.Session;
import weft.generate.Speculation;
import weft.generate.Ticket;
import weft.ir.Slot;

/** What every family's state must allow: company, second thoughts, and bounded growth. */
class SessionTest {
  /** Loading takes longer than most of these tests, so they share what is loaded. */
  private static final Map<List<String>, LanguageModel> LOADED = new HashMap<>();

  private static LanguageModel model(Golden golden, String backend) {
    return LOADED.computeIfAbsent(
        List.of(golden.family(), backend),
        key ->
            LanguageModel.load(
                golden.transformers(), LoadOptions.standard().withBackend(backend).withThreads(1)));
  }

  @AfterAll
  static void close() {
    LOADED.values().forEach(LanguageModel::close);
    LOADED.clear();
  }

  static List<Golden> families() {
    return Golden.all();
  }

  @ParameterizedTest
  @MethodSource("families")
  void rowsOfDifferentLengthsInOnePassAreBitEqualToEachAlone(Golden golden) {
    var model = model(golden, "reference").model();
    var cases = golden.cases();
    var together = cases.stream().map(c -> model.open()).toList();
    var alone = cases.stream().map(c -> model.open()).toList();
    for (int round = 0; round < 3; round++) {
      var steps = new ArrayList<Model.Step>();
      var expected = new ArrayList<float[]>();
      for (var c : cases) {
        int[] tokens = round == 0 ? c.prompt() : new int[] {c.greedy()[round - 1]};
        steps.add(new Model.Step(together.get(c.index()), tokens, 1));
        var step = new Model.Step(alone.get(c.index()), tokens, 1);
        expected.add(model.forward(List.of(step)).getFirst()[0].toArray());
      }
      var rows = model.forward(steps);
      for (int i = 0; i < cases.size(); i++) {
        assertThat(rows.get(i)[0].toArray()).as("case %d", i).isEqualTo(expected.get(i));
      }
    }
    together.forEach(Session::close);
    alone.forEach(Session::close);
  }

  @ParameterizedTest
  @MethodSource("families")
  void repliesInOneBatchAreEachAsAlone(Golden golden) {
    var model = model(golden, "cpu").model();
    try (var engine = Engine.start(model, Capacity.standard().withParallel(4).withBudget(64))) {
      var tickets = new ArrayList<Ticket>();
      for (var c : golden.cases()) {
        tickets.add(engine.submit(Request.of(c.prompt()).withMaxTokens(c.greedy().length)));
      }
      for (var c : golden.cases()) assertGolden(c, tickets.get(c.index()).await().tokens());
    }
  }

  @ParameterizedTest
  @MethodSource("families")
  void aPromptInPiecesIsAsInOne(Golden golden) {
    var model = model(golden, "cpu").model();
    var c = golden.cases().getLast();
    try (var session = model.open()) {
      for (int from = 0; from < 39; from += 13) {
        var piece = Arrays.copyOfRange(c.prompt(), from, from + 13);
        assertThat(model.forward(List.of(new Model.Step(session, piece, 0))).getFirst()).isEmpty();
      }
      var last = Arrays.copyOfRange(c.prompt(), 39, 40);
      var row = model.forward(List.of(new Model.Step(session, last, 1))).getFirst()[0];
      assertThat(row.likeliest()).isEqualTo(c.greedy()[0]);
    }
  }

  /**
   * A session that goes on alone only renews what it wrote for the last token; one that takes turns
   * has it written anew for each. Both outgrow their first blocks of keys and values.
   */
  @ParameterizedTest
  @MethodSource("families")
  void tokensInARowAreAsTokensInTurns(Golden golden) {
    var model = model(golden, "cpu").model();
    int length = Math.min(150, model.contextLength());
    var text = new Random(8).ints(length, 0, model.vocabularySize()).toArray();
    try (var alone = model.open();
        var first = model.open();
        var second = model.open()) {
      var expected = new ArrayList<float[]>();
      for (int token : text) expected.add(next(model, alone, token));
      for (int i = 0; i < length; i++) {
        assertThat(next(model, first, text[i])).as("token %d", i).isEqualTo(expected.get(i));
        assertThat(next(model, second, text[i])).as("token %d", i).isEqualTo(expected.get(i));
      }
    }
  }

  private static float[] next(Model model, Session session, int token) {
    var step = new Model.Step(session, new int[] {token}, 1);
    return model.forward(List.of(step)).getFirst()[0].toArray();
  }

  private static void assertGolden(Golden.Case c, int[] tokens) {
    assertThat(Arrays.copyOf(tokens, c.clearTokens()))
        .as("case %d", c.index())
        .isEqualTo(Arrays.copyOf(c.greedy(), c.clearTokens()));
  }

  @ParameterizedTest
  @MethodSource("families")
  void anEditedPromptIsAnsweredAsANewOneAndNotAllFedAgain(Golden golden) {
    var model = model(golden, "cpu").model();
    var prompt =
        IntStream.concat(
                Arrays.stream(golden.cases().get(3).prompt()),
                Arrays.stream(golden.cases().get(3).greedy()))
            .toArray();
    try (var used = Engine.start(model);
        var fresh = Engine.start(model)) {
      used.generate(Request.of(prompt).withMaxTokens(4));
      prompt[prompt.length - 3] = 7;
      var again = used.generate(Request.of(prompt).withMaxTokens(4));
      assertThat(again.usage().cachedTokens()).isGreaterThanOrEqualTo(32);
      assertThat(again.tokens())
          .isEqualTo(fresh.generate(Request.of(prompt).withMaxTokens(4)).tokens());
    }
  }

  @ParameterizedTest
  @MethodSource("families")
  void draftsRightAndWrongChangeNothing(Golden golden) {
    var model = model(golden, "cpu").model();
    var c = golden.cases().get(2);
    var request = Request.of(c.prompt()).withMaxTokens(c.greedy().length);
    for (var drafter : List.of(rightTwice(c), new PromptLookup(1, 3))) {
      try (var engine = Engine.start(model)) {
        var reply = engine.generate(request.withSpeculation(Speculation.of(drafter, 5)));
        assertGolden(c, reply.tokens());
      }
    }
  }

  /** Right twice, then wrong: every step takes part of its draft back. */
  private static Drafter rightTwice(Golden.Case c) {
    return known ->
        max -> {
          int at = known.length() - c.prompt().length;
          var draft = Arrays.copyOfRange(c.greedy(), at, Math.min(at + max, c.greedy().length));
          for (int i = 2; i < draft.length; i++) draft[i] = (draft[i] + 1) % 3;
          return draft;
        };
  }

  @ParameterizedTest
  @MethodSource("families")
  void onlyFullAttentionGrowsWithTheText(Golden golden) {
    var compiled = model(golden, "cpu").compiled();
    int length = Math.min(1024, compiled.contextLength());
    var text = new Random(9).ints(length, 0, compiled.vocabularySize()).toArray();
    try (var session = compiled.open()) {
      for (int from = 0; from < length; from += 16) {
        var piece = Arrays.copyOfRange(text, from, Math.min(length, from + 16));
        compiled.forward(List.of(new Model.Step(session, piece, 0)));
      }
      // Pages of 64 positions, two more than a window at the most and one that begins; snapshots
      // are 32, 128, 512, ... tokens back.
      var slots = compiled.plan().slots();
      long least = slots.stream().mapToLong(slot -> bytes(slot, length, 0, 1)).sum();
      long most = slots.stream().mapToLong(slot -> bytes(slot, length, 4 * 64, 7)).sum();
      assertThat(compiled.stateMemory().bytes()).isBetween(least, most);
    }
  }

  private static long bytes(Slot slot, int length, int room, int copies) {
    return Float.BYTES
        * switch (slot) {
          case Slot.KeyValue kv -> {
            long positions = Math.min(length, (long) kv.window() + room);
            yield Math.ceilDiv(positions, 64) * 64 * kv.heads() * (kv.keyDim() + kv.valueDim());
          }
          case Slot.Conv c -> (long) copies * c.taps() * c.channels();
          case Slot.Delta d -> (long) copies * d.heads() * d.keyDim() * d.valueDim();
        };
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  void sessionsOfOtherModelsAndOneSessionTwiceAreRefused(String backend) {
    var model = model(new Golden("llama-untied"), backend).model();
    // Slots of the same sizes: only the model itself tells them apart.
    var alike = model(new Golden("llama-bias-mha"), backend).model();
    try (var session = model.open();
        var foreign = alike.open()) {
      var own = new Model.Step(session, new int[] {1, 70}, 1);
      assertThatThrownBy(
              () -> model.forward(List.of(own, new Model.Step(foreign, new int[] {1}, 1))))
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("a session of another model");
      assertThatThrownBy(() -> model.forward(List.of(own, own)))
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("in a batch twice");
      assertThat(session.position()).as("nothing was fed").isZero();
      assertThat(foreign.position()).isZero();
    }
  }

  @Test
  void aTraceShowsWhatSnapshotsCost() {
    var golden = new Golden("qwen35-text");
    try (var model =
            LanguageModel.load(
                golden.transformers(), LoadOptions.standard().withBackend("reference"));
        var engine = Engine.start(model.model())) {
      var trace = model.trace();
      engine.generate(Request.of(golden.cases().getLast().prompt()).withMaxTokens(2));
      assertThat(trace.summary(Phase.PREFILL).rows())
          .filteredOn(row -> row.operation().equals("snapshot"))
          .singleElement()
          .satisfies(row -> assertThat(row.count()).isEqualTo(1));
    }
  }
}
