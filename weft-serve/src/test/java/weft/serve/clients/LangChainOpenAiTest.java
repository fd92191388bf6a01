package weft.serve.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import weft.serve.Running;

/** LangChain4j's client of OpenAI's interface. */
class LangChainOpenAiTest {
  static final JsonObjectSchema SKY =
      JsonObjectSchema.builder()
          .addBooleanProperty("sunny")
          .addEnumProperty("sky", List.of("clear", "grey"))
          .required("sunny", "sky")
          .additionalProperties(false)
          .build();

  static final ToolSpecification LOOK =
      ToolSpecification.builder().name("look").description("Looks up.").parameters(SKY).build();

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static String address() {
    return "http://127.0.0.1:" + running.port() + "/v1";
  }

  private static OpenAiChatModel.OpenAiChatModelBuilder model() {
    return OpenAiChatModel.builder()
        .baseUrl(address())
        .apiKey("any")
        .modelName(Running.MODEL)
        .temperature(0.0)
        .maxRetries(0);
  }

  static ChatRequest.Builder question(int tokens) {
    return ChatRequest.builder()
        .messages(SystemMessage.from("Be brief."), UserMessage.from("Tell me a story."))
        .maxOutputTokens(tokens);
  }

  @Test
  void aChatIsAnsweredWholeOrStreamed() {
    var whole = model().build().chat(question(12).build());
    assertThat(whole.aiMessage().text()).isNotBlank();
    assertThat(whole.tokenUsage().outputTokenCount()).isBetween(1, 12);
    var streaming =
        OpenAiStreamingChatModel.builder()
            .baseUrl(address())
            .apiKey("any")
            .modelName(Running.MODEL)
            .temperature(0.0)
            .build();
    var heard = Heard.of(streaming, question(12).build());
    assertThat(heard.text()).isEqualTo(whole.aiMessage().text());
    assertThat(heard.end().tokenUsage().outputTokenCount())
        .isEqualTo(whole.tokenUsage().outputTokenCount());
  }

  @Test
  void aToolIsCalledAndItsResultHeard() {
    var asked = question(200).toolSpecifications(LOOK).toolChoice(ToolChoice.REQUIRED).build();
    var called = model().build().chat(asked).aiMessage();
    var call = called.toolExecutionRequests().getFirst();
    assertThat(call.name()).isEqualTo("look");
    assertThat(new JsonMapper().readTree(call.arguments()).get("sunny").isBoolean()).isTrue();
    var after =
        ChatRequest.builder()
            .messages(
                UserMessage.from("How is the sky?"),
                called,
                ToolExecutionResultMessage.from(call, "grey"))
            .toolSpecifications(LOOK)
            .maxOutputTokens(8)
            .build();
    assertThat(model().build().chat(after).aiMessage()).isNotNull();
  }

  @Test
  void anAnswerHasTheFormOfASchema() {
    var form =
        ResponseFormat.builder()
            .type(ResponseFormatType.JSON)
            .jsonSchema(JsonSchema.builder().name("sky").rootElement(SKY).build())
            .build();
    var strict = model().strictJsonSchema(true).build();
    var text = strict.chat(question(200).responseFormat(form).build()).aiMessage().text();
    assertThat(new JsonMapper().readTree(text).get("sky").stringValue()).isIn("clear", "grey");
  }

  @Test
  void textsHavePlaces() {
    var places =
        OpenAiEmbeddingModel.builder()
            .baseUrl(address())
            .apiKey("any")
            .modelName(Running.MODEL)
            .build()
            .embedAll(List.of(TextSegment.from("a cat"), TextSegment.from("a dog")));
    assertThat(places.content()).hasSize(2);
  }

  @Test
  void whatIsWrongHasItsException() {
    assertThatExceptionOfType(ModelNotFoundException.class)
        .isThrownBy(() -> model().modelName("other").build().chat("Hello"));
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> model().temperature(9.0).build().chat("Hello"));
  }
}
