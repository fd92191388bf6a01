package weft.serve.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaEmbeddingModel;
import dev.langchain4j.model.ollama.OllamaModel;
import dev.langchain4j.model.ollama.OllamaModels;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import weft.serve.Running;

/** LangChain4j's client of Ollama's interface. */
class LangChainOllamaTest {
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
    return "http://127.0.0.1:" + running.port();
  }

  private static OllamaChatModel.OllamaChatModelBuilder model() {
    return OllamaChatModel.builder()
        .baseUrl(address())
        .modelName(Running.MODEL)
        .temperature(0.0)
        .numPredict(200)
        .maxRetries(0);
  }

  @Test
  void aChatIsAnsweredWholeOrStreamed() {
    var question = LangChainOpenAiTest.question(12).build();
    var whole = model().build().chat(question);
    assertThat(whole.aiMessage().text()).isNotBlank();
    assertThat(whole.tokenUsage().outputTokenCount()).isBetween(1, 12);
    var streaming =
        OllamaStreamingChatModel.builder()
            .baseUrl(address())
            .modelName(Running.MODEL)
            .temperature(0.0)
            .build();
    assertThat(Heard.of(streaming, question).text()).isEqualTo(whole.aiMessage().text());
  }

  @Test
  void toolsAreOffered() {
    var asked =
        LangChainOpenAiTest.question(8)
            .toolSpecifications(LangChainOpenAiTest.LOOK)
            .toolChoice(ToolChoice.AUTO)
            .build();
    assertThat(model().build().chat(asked).aiMessage()).isNotNull();
  }

  @Test
  void anAnswerHasTheFormOfASchema() {
    var form =
        ResponseFormat.builder()
            .type(ResponseFormatType.JSON)
            .jsonSchema(
                JsonSchema.builder().name("sky").rootElement(LangChainOpenAiTest.SKY).build())
            .build();
    var asked = LangChainOpenAiTest.question(200).responseFormat(form).build();
    var text = model().build().chat(asked).aiMessage().text();
    assertThat(new JsonMapper().readTree(text).get("sky").stringValue()).isIn("clear", "grey");
  }

  @Test
  void textsHavePlaces() {
    var places =
        OllamaEmbeddingModel.builder()
            .baseUrl(address())
            .modelName(Running.MODEL)
            .build()
            .embedAll(List.of(TextSegment.from("a cat"), TextSegment.from("a dog")));
    assertThat(places.content()).hasSize(2);
  }

  @Test
  void modelsAreListedAndShown() {
    var models = OllamaModels.builder().baseUrl(address()).maxRetries(0).build();
    assertThat(models.availableModels().content().stream().map(OllamaModel::getName))
        .containsExactly(Running.MODEL);
    assertThat(models.modelCard(Running.MODEL).content().getDetails().getFormat())
        .isEqualTo("gguf");
    model().build().chat("Hello");
    assertThat(models.runningModels().content()).hasSize(1);
  }

  @Test
  void anUnknownModelHasItsException() {
    assertThatExceptionOfType(ModelNotFoundException.class)
        .isThrownBy(() -> model().modelName("other").build().chat("Hello"));
  }
}
