package weft.serve.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.UnauthorizedException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionNamedToolChoice;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolChoiceOption;
import com.openai.models.completions.CompletionCreateParams;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.models.Model;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ToolChoiceOptions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import weft.serve.Running;

/** OpenAI's own client for Java finds what it knows from its vendor. */
class OpenAiJavaTest {
  private static Running running;
  private static OpenAIClient client;

  /** What an answer must look like; the client makes a schema of it. */
  public record Weather(boolean sunny, Sky sky) {
    /** What there is to see. */
    public enum Sky {
      CLEAR,
      GREY
    }
  }

  /** A tool; the client makes its definition of it. */
  public record Look(Weather.Sky at) {}

  @BeforeAll
  static void start() {
    running = Running.start();
    client = client("any");
  }

  private static OpenAIClient client(String key) {
    return OpenAIOkHttpClient.builder()
        .baseUrl("http://127.0.0.1:" + running.port() + "/v1")
        .apiKey(key)
        .maxRetries(0)
        .build();
  }

  @AfterAll
  static void stop() {
    client.close();
    running.close();
  }

  private static ChatCompletionCreateParams.Builder question() {
    return ChatCompletionCreateParams.builder()
        .model(Running.MODEL)
        .addSystemMessage("Be brief.")
        .addUserMessage("Tell me a story.")
        .temperature(0)
        .maxCompletionTokens(12);
  }

  @Test
  void aChatIsAnswered() {
    var answer = client.chat().completions().create(question().build()).validate();
    var choice = answer.choices().getFirst();
    assertThat(choice.message().content().orElseThrow()).isNotBlank();
    assertThat(choice.finishReason().asString()).isIn("stop", "length");
    assertThat(answer.usage().orElseThrow().completionTokens()).isBetween(1L, 12L);
  }

  @Test
  void aStreamAddsUpToTheSame() {
    var whole = client.chat().completions().create(question().build());
    var sum = ChatCompletionAccumulator.create();
    var options = ChatCompletionStreamOptions.builder().includeUsage(true).build();
    try (var stream =
        client.chat().completions().createStreaming(question().streamOptions(options).build())) {
      stream.stream().forEach(chunk -> sum.accumulate(chunk.validate()));
    }
    var streamed = sum.chatCompletion();
    assertThat(streamed.choices().getFirst().message().content())
        .isEqualTo(whole.choices().getFirst().message().content());
    assertThat(streamed.usage().orElseThrow().completionTokens())
        .isEqualTo(whole.usage().orElseThrow().completionTokens());
  }

  @Test
  void whatIsLeftInMidStreamIsOver() {
    var endless = question().maxCompletionTokens(100_000).build();
    for (int i = 0; i < 20; i++) {
      try (var stream = client.chat().completions().createStreaming(endless)) {
        assertThat(stream.stream().findFirst()).isPresent();
      }
    }
    assertThat(client.chat().completions().create(question().build()).choices()).hasSize(1);
  }

  @Test
  void anAnswerHasTheFormOfAClass() {
    var asked = question().responseFormat(Weather.class).maxCompletionTokens(200).build();
    var answer = client.chat().completions().create(asked);
    assertThat(answer.choices().getFirst().message().content().orElseThrow().sky()).isNotNull();
  }

  @Test
  void aToolThatMustBeCalledIs() {
    var asked =
        question()
            .addTool(Look.class)
            .toolChoice(ChatCompletionToolChoiceOption.Auto.REQUIRED)
            .maxCompletionTokens(200)
            .build();
    var choice = client.chat().completions().create(asked).validate().choices().getFirst();
    assertThat(choice.finishReason().asString()).isEqualTo("tool_calls");
    var call = choice.message().toolCalls().orElseThrow().getFirst().asFunction();
    assertThat(call.function().name()).isEqualTo("Look");
    assertThat(call.function().arguments(Look.class).at()).isNotNull();
  }

  @Test
  void aToolByItsNameIsCalledInAStream() {
    var named =
        ChatCompletionNamedToolChoice.builder()
            .function(ChatCompletionNamedToolChoice.Function.builder().name("Look").build())
            .build();
    var asked = question().addTool(Look.class).toolChoice(named).maxCompletionTokens(200).build();
    var sum = ChatCompletionAccumulator.create();
    try (var stream = client.chat().completions().createStreaming(asked)) {
      stream.stream().forEach(sum::accumulate);
    }
    var message = sum.chatCompletion().choices().getFirst().message();
    var call = message.toolCalls().orElseThrow().getFirst().asFunction();
    assertThat(call.function().arguments(Look.class).at()).isNotNull();
  }

  @Test
  void textsGoOn() {
    var asked =
        CompletionCreateParams.builder()
            .model(Running.MODEL)
            .promptOfArrayOfStrings(List.of("Once upon a time", "Tim"))
            .maxTokens(5)
            .build();
    assertThat(client.completions().create(asked).validate().choices()).hasSize(2);
  }

  @Test
  void textsHavePlaces() {
    var asked =
        EmbeddingCreateParams.builder()
            .model(Running.MODEL)
            .inputOfArrayOfStrings(List.of("a cat", "a dog"))
            .build();
    var places = client.embeddings().create(asked).validate().data();
    assertThat(places).hasSize(2);
    assertThat(places.getFirst().embedding()).isNotEmpty();
  }

  @Test
  void modelsAreListed() {
    assertThat(client.models().list().autoPager().stream().map(Model::id))
        .containsExactly(Running.MODEL);
    assertThat(client.models().retrieve(Running.MODEL).validate().id()).isEqualTo(Running.MODEL);
  }

  @Test
  void aResponseIsAnsweredAndGoneOnFrom() {
    var first =
        client
            .responses()
            .create(
                ResponseCreateParams.builder()
                    .model(Running.MODEL)
                    .input("Tell me a story.")
                    .maxOutputTokens(16)
                    .build())
            .validate();
    assertThat(first.output()).isNotEmpty();
    var second =
        client
            .responses()
            .create(
                ResponseCreateParams.builder()
                    .model(Running.MODEL)
                    .previousResponseId(first.id())
                    .input("And then?")
                    .maxOutputTokens(16)
                    .build());
    assertThat(second.previousResponseId()).contains(first.id());
  }

  @Test
  void theEventsOfAResponseAddUp() {
    var sum = ResponseAccumulator.create();
    var asked =
        ResponseCreateParams.builder()
            .model(Running.MODEL)
            .input("Tell me a story.")
            .maxOutputTokens(16)
            .build();
    try (var stream = client.responses().createStreaming(asked)) {
      stream.stream().forEach(sum::accumulate);
    }
    assertThat(sum.response().status().orElseThrow())
        .isIn(ResponseStatus.COMPLETED, ResponseStatus.INCOMPLETE);
  }

  @Test
  void aResponseCallsATool() {
    var asked =
        ResponseCreateParams.builder()
            .model(Running.MODEL)
            .input("How is the sky?")
            .addTool(Look.class)
            .toolChoice(ToolChoiceOptions.REQUIRED)
            .maxOutputTokens(200)
            .build();
    var called =
        client.responses().create(asked).validate().output().stream()
            .flatMap(item -> item.functionCall().stream())
            .findFirst()
            .orElseThrow();
    assertThat(called.arguments(Look.class).at()).isNotNull();
  }

  @Test
  void whatIsWrongHasItsException() {
    var chat = client.chat().completions();
    assertThatExceptionOfType(NotFoundException.class)
        .isThrownBy(() -> chat.create(question().model("other").build()))
        .satisfies(e -> assertThat(e.code()).contains("model_not_found"));
    assertThatExceptionOfType(BadRequestException.class)
        .isThrownBy(() -> chat.create(question().temperature(3).build()))
        .satisfies(e -> assertThat(e.param()).contains("temperature"));
    var longest = question().addUserMessage("a b ".repeat(20_000)).build();
    assertThatExceptionOfType(BadRequestException.class)
        .isThrownBy(() -> chat.create(longest))
        .satisfies(e -> assertThat(e.code()).contains("context_length_exceeded"));
  }

  @Test
  void aKeyThatDoesNotOpenHasItsException() {
    try (var closed = Running.start(options -> options.withKeys(List.of("right")))) {
      var stranger =
          OpenAIOkHttpClient.builder()
              .baseUrl("http://127.0.0.1:" + closed.port() + "/v1")
              .apiKey("wrong")
              .maxRetries(0)
              .build();
      assertThatExceptionOfType(UnauthorizedException.class)
          .isThrownBy(() -> stranger.models().list())
          .satisfies(e -> assertThat(e.code()).contains("invalid_api_key"));
    }
  }
}
