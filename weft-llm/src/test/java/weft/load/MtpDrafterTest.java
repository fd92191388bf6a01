package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import weft.generate.Capacity;
import weft.generate.DraftOptions;
import weft.generate.Drafter;
import weft.generate.Drafting;
import weft.generate.Engine;
import weft.generate.Model;
import weft.generate.Model.Step;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Speculation;
import weft.generate.Tap;
import weft.generate.Ticket;
import weft.generate.Tokens;

/** The head of a checkpoint as a drafter: its guesses are its own, and change no text. */
class MtpDrafterTest {
  private static final DraftOptions ANY = DraftOptions.standard().withLeastChance(0);
  private static final int DEPTH = 3;

  private static LanguageModel load() {
    return LanguageModel.load(new Golden("qwen35-mtp").files().getLast(), options());
  }

  private static LoadOptions options() {
    return LoadOptions.standard().withThreads(1);
  }

  private static int[] prompt(int which) {
    return new Golden("qwen35-mtp").cases().get(which).prompt();
  }

  /** Guesses of one drafter, kept with the texts that they follow. */
  private record Noting(Drafter drafter, List<int[]> texts, List<int[]> guesses)
      implements Drafter {
    /** What belongs to a turn, and its text. */
    private record Of(Drafting drafting, Tokens known) implements Drafting {
      @Override
      public int[] propose(int max) {
        return drafting.propose(max);
      }

      @Override
      public void learn(Pass pass) {
        drafting.learn(pass);
      }

      @Override
      public void close() {
        drafting.close();
      }
    }

    @Override
    public Optional<String> point() {
      return drafter.point();
    }

    @Override
    public Drafting open(Tokens known) {
      return new Of(drafter.open(known), known);
    }

    @Override
    public List<int[]> propose(List<Ask> asks) {
      var inner = asks.stream().map(ask -> new Ask(((Of) ask.drafting()).drafting, ask.max()));
      var proposals = drafter.propose(inner.toList());
      for (int i = 0; i < asks.size(); i++) {
        texts.add(((Of) asks.get(i).drafting()).known.toArray());
        guesses.add(proposals.get(i));
      }
      return proposals;
    }
  }

  /** What the head guesses behind a text, all of it fed at once. */
  private static int[] guesses(LanguageModel model, int[] text, int count) {
    Model head = model.head().orElseThrow();
    var out = new int[count];
    var own = new ArrayList<float[]>();
    try (var session = head.open()) {
      var rows = model.hidden("final", text);
      var tokens = Arrays.copyOfRange(text, 1, text.length);
      var beside = List.of(rows).subList(0, tokens.length);
      for (int i = 0; i < count; i++) {
        var tap = new Tap("final", (row, values) -> own.add(values));
        var step = new Step(session, tokens, 1, 0, tap, beside);
        out[i] = head.forward(List.of(step)).getFirst()[0].likeliest();
        tokens = new int[] {out[i]};
        beside = List.of(own.getLast());
      }
    }
    return out;
  }

  @Test
  void guessesAreThoseOfTheHeadOverTheWholeText() {
    try (var model = load();
        var engine =
            Engine.start(model.model(), Capacity.standard().withParallel(2).withBudget(12))) {
      var noting =
          new Noting(model.mtpDrafter(ANY).orElseThrow(), new ArrayList<>(), new ArrayList<>());
      var tickets = new ArrayList<Ticket>();
      for (int which : new int[] {1, 2}) {
        var request = Request.of(prompt(which)).withMaxTokens(24);
        tickets.add(engine.submit(request.withSpeculation(Speculation.of(noting, DEPTH))));
      }
      for (int i = 0; i < 2; i++) {
        var plain = Request.of(prompt(1 + i)).withMaxTokens(24);
        assertThat(tickets.get(i).await().tokens()).isEqualTo(engine.generate(plain).tokens());
      }
      assertThat(noting.guesses).hasSizeGreaterThan(20);
      for (int i = 0; i < noting.guesses.size(); i++) {
        var met = noting.guesses.get(i);
        // While the end of a prompt waits to be fed, there are no rows of it to guess by.
        if (List.of(prompt(1).length, prompt(2).length).contains(noting.texts.get(i).length)) {
          continue;
        }
        assertThat(met)
            .as("guess %d, behind %d tokens", i, noting.texts.get(i).length)
            .isNotEmpty()
            .isEqualTo(guesses(model, noting.texts.get(i), met.length));
      }
    }
  }

  @Test
  void textsAreTheSameInCompanyBehindACacheAndWithoutMemory() {
    var cramped = options().withStateMemory(600_000);
    for (var options : List.of(options(), cramped)) {
      var file = new Golden("qwen35-mtp").transformers();
      try (var model =
          LanguageModel.load(file, options.withCapacity(Capacity.standard().withParallel(3)))) {
        var speculation = Speculation.of(model.mtpDrafter(ANY).orElseThrow(), DEPTH);
        for (int round = 0; round < 2; round++) {
          var plain = new ArrayList<Request>();
          for (int which : new int[] {1, 2}) {
            plain.add(Request.of(prompt(which)).withMaxTokens(60));
            var sampling = Sampling.GREEDY.withTemperature(0.8).withSeed(round);
            plain.add(Request.of(prompt(which)).withMaxTokens(60).withSampling(sampling));
          }
          var tickets =
              plain.stream().map(each -> model.submit(each.withSpeculation(speculation))).toList();
          for (int i = 0; i < plain.size(); i++) {
            assertThat(tickets.get(i).await().tokens())
                .isEqualTo(model.generate(plain.get(i)).tokens());
          }
        }
        assertThat(model.report().failed()).isZero();
      }
    }
  }

  @Test
  void aTrimmedHeadForetellsTheFirstTokensAsTheWholeOneDoes() {
    for (var file : new Golden("qwen35-mtp").files()) {
      try (var model = LanguageModel.load(file, options())) {
        var request = Request.of(prompt(2)).withMaxTokens(24);
        var expected = model.generate(request).tokens();
        Map<Integer, Integer> whole = new HashMap<>();
        for (int tokens : new int[] {DraftOptions.ALL_TOKENS, 100}) {
          var drafter = model.mtpDrafter(ANY.withVocabulary(tokens)).orElseThrow();
          var noting = new Noting(drafter, new ArrayList<>(), new ArrayList<>());
          var reply = model.generate(request.withSpeculation(Speculation.of(noting, 1)));
          assertThat(reply.tokens()).isEqualTo(expected);
          for (int i = 0; i < noting.guesses.size(); i++) {
            int guess = noting.guesses.get(i)[0];
            int known = whole.computeIfAbsent(noting.texts.get(i).length, _ -> guess);
            assertThat(guess).isLessThan(tokens);
            if (known < tokens) assertThat(guess).isEqualTo(known);
          }
        }
      }
    }
  }

  @Test
  @SuppressWarnings("try") // closing one early is the point
  void anotherModelGuessesToo() {
    try (var model = load();
        var twin = load();
        var other = LanguageModel.load(new Golden("llama-untied").transformers(), options())) {
      var plain = Request.of(prompt(2)).withMaxTokens(40);
      var expected = model.generate(plain).tokens();
      for (var draft : List.of(twin, other)) {
        var speculation = Speculation.of(model.draftDrafter(draft, ANY), DEPTH);
        var reply = model.generate(plain.withSpeculation(speculation));
        assertThat(reply.tokens()).isEqualTo(expected);
        assertThat(reply.usage().draftingStopped()).isEmpty();
        int accepted = reply.usage().acceptedTokens();
        if (draft == twin) assertThat(accepted).isEqualTo(reply.usage().draftedTokens());
      }
      twin.close();
      var late = Speculation.of(model.draftDrafter(other, ANY), DEPTH);
      other.close();
      var reply = model.generate(plain.withSpeculation(late));
      assertThat(reply.tokens()).isEqualTo(expected);
      assertThat(reply.usage().draftingStopped().orElseThrow()).contains("is closed");
    }
  }

  @Test
  void modelsWithoutAHeadHaveNoSuchDrafter() {
    try (var model = LanguageModel.load(new Golden("qwen35-text").transformers(), options())) {
      assertThat(model.head()).isEmpty();
      assertThat(model.mtpDrafter()).isEmpty();
    }
  }

  @Test
  void theHeadIsOneDrafterForAllAndGoesWithItsModel() {
    var model = load();
    assertThat(model.mtpDrafter().orElseThrow()).isSameAs(model.mtpDrafter().orElseThrow());
    var head = model.head().orElseThrow();
    head.close();
    assertThat(model.generate(Request.of(prompt(1)).withMaxTokens(2)).tokens()).hasSize(2);
    model.close();
    assertThat(catchMessage(head::open)).isEqualTo("the model is closed; load it again to go on");
  }

  private static String catchMessage(Runnable work) {
    try {
      work.run();
      return "nothing";
    } catch (RuntimeException e) {
      return e.getMessage();
    }
  }
}
