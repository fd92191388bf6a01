package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.Model;
import weft.generate.Model.Next;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Session;
import weft.generate.Stops;
import weft.generate.Ticket;

/**
 * On a device that runs while its host goes on, the step behind one is told before that has ended;
 * whatever is asked for instead, tokens and states are as if it had not been.
 */
class AheadTest {
  private static final int LENGTH = 20;

  private final Golden golden = new Golden("llama-untied");
  private LanguageModel loaded;
  private CompiledModel model;

  @BeforeEach
  void load() {
    loaded = load("foreign");
    model = (CompiledModel) loaded.model();
  }

  @AfterEach
  void close() {
    loaded.close();
  }

  private LanguageModel load(String backend) {
    return LanguageModel.load(
        golden.files().getLast(), LoadOptions.standard().withBackend(backend).withThreads(1));
  }

  private List<Request> requests() {
    return golden.cases().stream().map(c -> request(c.prompt())).toList();
  }

  private static Request request(int[] prompt) {
    return Request.of(prompt).withMaxTokens(LENGTH).ignoringEnds();
  }

  private static int stepsAhead(Request request) {
    return request.prompt().length == 1 ? LENGTH - 1 : LENGTH - 2;
  }

  /** By an engine of so many seats, all asked at once. */
  private static List<int[]> replies(Model model, int seats, List<Request> requests) {
    try (var engine = Engine.start(model, Capacity.standard().withParallel(seats))) {
      var tickets = new ArrayList<Ticket>();
      for (var request : requests) tickets.add(engine.submit(request));
      return tickets.stream().map(ticket -> ticket.await().tokens()).toList();
    }
  }

  private List<int[]> expected(List<Request> requests) {
    try (var reference = load("reference")) {
      var replies = replies(reference.model(), 1, requests);
      assertThat(((CompiledModel) reference.model()).stepsAhead()).isZero();
      return replies;
    }
  }

  @Test
  void repliesAloneAndTogetherAreTheSame() {
    var expected = expected(requests());
    assertThat(replies(model, 1, requests())).containsExactlyElementsOf(expected);
    int alone = model.stepsAhead();
    // The first token comes of the prompt, the second of the first step, and the last is not fed;
    // a prompt of one token is a step like others.
    int expectedAhead = requests().stream().mapToInt(AheadTest::stepsAhead).sum();
    assertThat(alone).isEqualTo(expectedAhead);
    assertThat(replies(model, 8, requests())).containsExactlyElementsOf(expected);
    assertThat(model.stepsAhead()).isGreaterThan(alone);
  }

  /** The step behind the last token is taken back, and a text goes on where it ended. */
  @Test
  void aReplyThatStopsLeavesNothingBehindIt() {
    var prompt = golden.cases().getFirst().prompt();
    var whole = expected(List.of(request(prompt))).getFirst();
    int stop = whole[7];
    int length =
        IntStream.range(0, whole.length).filter(i -> whole[i] == stop).findFirst().orElse(0);
    var stopping = Request.of(prompt).withEnds(Set.of(stop)).withMaxTokens(LENGTH);
    var more = Arrays.copyOf(prompt, prompt.length + length + 2);
    System.arraycopy(whole, 0, more, prompt.length, length);
    more[more.length - 2] = 11;
    more[more.length - 1] = 5;
    var requests = List.of(stopping, request(more), stopping, request(prompt));
    var expected = expected(requests);
    assertThat(expected.getFirst()).hasSize(length + 1);
    assertThat(replies(model, 1, requests)).containsExactlyElementsOf(expected);
    assertThat(replies(model, 3, requests)).containsExactlyElementsOf(expected);
  }

  @Test
  void whatIsDrawnOrToldWithItsChancesIsNotForeseen() {
    var prompt = golden.cases().getFirst().prompt();
    var requests =
        List.of(
            request(prompt).withSampling(Sampling.seeded(3)),
            request(prompt).withLogprobs(2),
            request(prompt).withStops(Stops.NONE.withMinTokens(3).withMaxTokens(5)));
    var expected = expected(requests);
    assertThat(replies(model, 1, requests)).containsExactlyElementsOf(expected);
    assertThat(model.stepsAhead()).isZero();
  }

  private static Model.Step step(Session session, int token) {
    return Model.Step.written(session, new int[] {token}, 1, 0).before(Next.GREATEST);
  }

  private int greatest(Session session, int token) {
    return model.forward(List.of(step(session, token))).getFirst()[0].likeliest();
  }

  /** By hand: other tokens, sessions, forks, rewinds and closes in the place of what was told. */
  @Test
  void whateverComesInsteadTheTextIsWhatWasFed() {
    try (var session = model.open();
        var other = model.open();
        var plain = model.open()) {
      int first = greatest(session, 3);
      assertThat(session.position()).isEqualTo(1);
      // Not what was told.
      int second = greatest(session, first == 9 ? 8 : 9);
      assertThat(session.position()).isEqualTo(2);
      try (var fork = session.fork(2)) {
        assertThat(fork.position()).isEqualTo(2);
        assertThat(greatest(fork, second)).isEqualTo(greatest(session, second));
      }
      session.rewind(3);
      session.rewind(1);
      assertThat(session.position()).isEqualTo(1);
      int again = greatest(session, first);
      int both =
          model.forward(List.of(step(other, 4), step(session, again))).getLast()[0].likeliest();
      int[] text = {3, first, again, both};
      assertThat(session.position()).isEqualTo(3);
      assertThat(greatest(session, both)).isEqualTo(greatestOf(plain, text));
      assertThat(other.position()).isEqualTo(1);
    }
    assertThat(model.stateMemory().bytes()).isZero();
  }

  private int greatestOf(Session session, int[] text) {
    return model.forward(List.of(new Model.Step(session, text, 1))).getFirst()[0].likeliest();
  }

  @Test
  void aContextThatEndsAndMemoryThatEndsAreNotPassed() {
    int context = 70;
    var options =
        LoadOptions.standard()
            .withBackend("foreign")
            .withContextLength(context)
            .withStateMemory(1 << 20);
    try (var small = LanguageModel.load(golden.files().getLast(), options)) {
      var prompt = IntStream.range(0, 60).map(i -> 1 + i * 7 % 50).toArray();
      var request = Request.of(prompt).ignoringEnds();
      var reply = replies(small.model(), 1, List.of(request)).getFirst();
      assertThat(reply).hasSize(context - prompt.length + 1);
    }
  }
}
