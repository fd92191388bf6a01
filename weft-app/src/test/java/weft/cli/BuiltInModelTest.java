package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.cpu.asm.CpuFeatures;
import weft.cpu.asm.Isa;
import weft.generate.DraftOptions;
import weft.generate.Engine;
import weft.generate.Listener;
import weft.generate.PromptLookup;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Speculation;
import weft.load.BuiltIn;
import weft.load.LanguageModel;
import weft.load.LoadException;
import weft.load.LoadOptions;
import weft.load.Phase;
import weft.load.Profile;
import weft.load.Specialization;

/**
 * The model in the box from text to text. Transformers wrote the goldens on the file's own weights;
 * their margins leave room for rounding, so every backend, level and specialization says the same.
 */
class BuiltInModelTest {
  private static final Path FILE = BuiltIn.file(Path.of("target", "cache")).orElseThrow();
  private static final String SERVER = "How do I start a server?";
  private static final String STORY = "Tell me a story about a fox named Bianca.";

  /** Passes of several rows round otherwise than those of one, so no draw is to be a close one. */
  private static final Sampling CALM = Sampling.seeded(3).withTemperature(0.3);

  private static LanguageModel model;

  /** What the model says to a prompt, and by how much its tokens are the likeliest at least. */
  private record Golden(String text, int[] prompt, List<Integer> greedy, double leastMargin) {
    static Golden of(JsonNode node) {
      return new Golden(
          node.get("text").stringValue(),
          node.get("prompt").valueStream().mapToInt(JsonNode::intValue).toArray(),
          node.get("greedy").valueStream().map(JsonNode::intValue).toList(),
          node.get("margins").valueStream().mapToDouble(JsonNode::doubleValue).min().orElseThrow());
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @BeforeAll
  static void load() {
    model = LanguageModel.load(FILE);
  }

  @AfterAll
  static void close() {
    model.close();
  }

  private static Stream<Golden> goldens() throws IOException {
    try (var in = BuiltInModelTest.class.getResourceAsStream("/builtin/goldens.json")) {
      return new JsonMapper()
          .readTree(in).get("cases").valueStream().map(Golden::of).toList().stream();
    }
  }

  private static Golden asked(String question) throws IOException {
    return goldens().filter(golden -> golden.text.contains(question)).findFirst().orElseThrow();
  }

  private static Reply reply(LanguageModel by, Request request) {
    try (var engine = Engine.start(by.model())) {
      return engine.generate(request);
    }
  }

  private static void assertSays(LanguageModel by, Golden golden) {
    var request = by.request(golden.prompt).withMaxTokens(golden.greedy.size());
    assertThat(reply(by, request).tokens()).containsExactly(ints(golden.greedy));
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void isSmallEnoughToShip() throws IOException {
    assertThat(Files.size(FILE)).isLessThan(16_000_000);
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void saysWhatTransformersSays(Golden golden) {
    assertThat(golden.leastMargin).as("a margin that rounding cannot turn").isGreaterThan(0.1);
    assertThat(model.request(golden.text).prompt()).containsExactly(golden.prompt);
    assertSays(model, golden);
  }

  @Test
  void goesOnFromATextInText() {
    var reply = reply(model, model.request("The capital of Italy is").withMaxTokens(2));
    assertThat(reply.text()).isEqualTo(" Rome.");
  }

  @Test
  void theChatTemplateMakesThePromptItWasTrainedOn() throws IOException {
    var message = Map.of("role", "user", "content", SERVER);
    var prompt =
        model
            .text()
            .chat(warning -> {})
            .prompt(Map.of("messages", List.of(message), "add_generation_prompt", true));
    assertThat(prompt.tokens()).containsExactly(asked(SERVER).prompt);
  }

  @Test
  void streamsTheTextThatTheReplyHas() {
    var streamed = new StringBuilder();
    var request = model.request(STORY + "\n").withMaxTokens(60);
    var reply = reply(model, request.withListener(Listener.of(p -> streamed.append(p.text()))));
    assertThat(streamed.toString()).isEqualTo(reply.text()).contains("Bianca");
  }

  @Test
  void promptLookupSaysTheSameInFewerPasses() throws IOException {
    var request = model.request(asked(STORY).prompt).withMaxTokens(80);
    var plain = reply(model, request);
    var guessed = reply(model, request.withSpeculation(Speculation.of(new PromptLookup(), 8)));
    assertThat(guessed.tokens()).containsExactly(plain.tokens());
    assertThat(guessed.usage().acceptedTokens()).as("right guesses").isPositive();
  }

  @Test
  void itsOwnHeadSaysTheSameInHalfThePasses() throws IOException {
    var drafter = model.mtpDrafter().orElseThrow();
    var story = model.request(asked(STORY).prompt).withMaxTokens(90);
    for (var request : List.of(story, story.withSampling(CALM))) {
      var plain = reply(model, request);
      var guessed = reply(model, request.withSpeculation(Speculation.of(drafter, 1)));
      assertThat(guessed.tokens()).containsExactly(plain.tokens());
      assertThat(guessed.usage().draftingStopped()).isEmpty();
      int drafted = guessed.usage().draftedTokens();
      assertThat(drafted).isGreaterThan(30);
      assertThat(guessed.usage().acceptedTokens()).isGreaterThan(drafted * 8 / 10);
      assertThat(guessed.usage().forwards()).isLessThan(plain.usage().forwards() * 6 / 10);
    }
  }

  @Test
  void fourGuessesOfItsOwnHeadSayTheSameInAQuarterOfThePasses() throws IOException {
    var speculation = Speculation.of(model.mtpDrafter().orElseThrow(), 4);
    var story = model.request(asked(STORY).prompt).withMaxTokens(90);
    var plain = reply(model, story);
    var guessed = reply(model, story.withSpeculation(speculation));
    assertThat(guessed.tokens()).containsExactly(plain.tokens());
    assertThat(guessed.usage().forwards()).isLessThan(plain.usage().forwards() / 4 + 2);
  }

  @Test
  void severalRepliesAreGuessedAtTogetherAndSayTheSame() {
    var drafter = model.mtpDrafter().orElseThrow();
    var requests = new ArrayList<Request>();
    for (var name : List.of("Bianca", "Otto", "Mila")) {
      requests.add(model.request("Tell me a story about " + name + ".\n").withMaxTokens(40));
      requests.add(requests.getLast().withSampling(CALM));
    }
    var plain = requests.stream().map(each -> reply(model, each).text()).toList();
    var speculation = Speculation.of(drafter, 3);
    // A second time their prompts come from the cache.
    for (int round = 0; round < 2; round++) {
      var tickets =
          requests.stream().map(each -> model.submit(each.withSpeculation(speculation))).toList();
      for (int i = 0; i < tickets.size(); i++) {
        assertThat(tickets.get(i).await().text()).isEqualTo(plain.get(i));
      }
    }
  }

  @Test
  void aDraftModelOfOtherTokensIsRefusedByName(@TempDir Path folder) {
    var file = folder.resolve("bytes.gguf");
    assertThat(Cli.run("synth", "--shape=tiny-llama", "--type=F32", file.toString()).status())
        .isZero();
    try (var bytes = LanguageModel.load(file)) {
      assertThatThrownBy(() -> model.draftDrafter(bytes, DraftOptions.standard()))
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("the draft model bytes.gguf has another vocabulary: ")
          .hasMessageContaining("the first is ")
          .hasMessageEndingWith("take a smaller model of the same family, or leave --draft away");
    }
  }

  @Test
  void theReferenceBackendSaysTheSame() throws IOException {
    try (var reference =
        LanguageModel.load(FILE, LoadOptions.standard().withBackend("reference"))) {
      assertSays(reference, asked(SERVER));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"avx2", "avx512", "vnni", "amx", "portable"})
  void everyInstructionSetSaysTheSame(String isa) throws IOException {
    Isa.named(isa)
        .ifPresent(
            level ->
                assumeTrue(
                    CpuFeatures.detect().levels().contains(level), "this processor has no " + isa));
    try (var other = LanguageModel.load(FILE, LoadOptions.standard().withIsa(isa))) {
      assertSays(other, asked(SERVER));
      assertSays(other, asked(STORY));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"exact", "buckets", "symbolic"})
  void everySpecializationSaysTheSame(String name) throws IOException {
    var choices = Profile.Choices.with(Specialization.named(name));
    var profile = Profile.standard().with(Phase.PREFILL, choices).with(Phase.DECODE, choices);
    try (var other = LanguageModel.load(FILE, LoadOptions.standard().withProfile(profile))) {
      assertSays(other, asked(SERVER));
    }
  }

  @Test
  void chatsOnTheCommandLineAndRemembersWhatWasSaid() {
    var chat =
        Cli.runWithInput(
            "What is 12 + 30?\nMy name is Hector.\nWhat is my name?\n", "chat", "--temperature=0");
    assertThat(chat.status()).as(chat.err()).isZero();
    assertThat(chat.out()).contains("12 + 30 = 42").contains("Your name is Hector.");
  }

  @Test
  void runsOnTheCommandLine() {
    var run = Cli.run("run", "-p", "What is the capital of France?\n", "--temperature=0");
    assertThat(run.err()).containsOnlyOnce("built-in 12M toy model");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).contains("The capital of France is Paris.");
  }
}
