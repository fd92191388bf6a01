package weft.serve.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionContentPart;
import com.openai.models.chat.completions.ChatCompletionContentPartImage;
import com.openai.models.chat.completions.ChatCompletionContentPartText;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.serve.Running;
import weft.serve.Seeing;

/** Images as real clients send them. */
class ImageClientsTest {
  private static final String IMAGE = Seeing.base64(Seeing.png(32, 48, 0xFFFFFF));

  /** "user: ", start, six rows, end, "What?", the end of the message, "assistant: ". */
  private static final int TOKENS = 6 + 1 + 6 + 1 + 5 + 1 + 11;

  @TempDir static Path folder;

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start(options -> options, Seeing.shelf(Seeing.write(folder)));
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static String address() {
    return "http://127.0.0.1:" + running.port();
  }

  @Test
  void openAis() {
    var url =
        ChatCompletionContentPartImage.ImageUrl.builder()
            .url("data:image/png;base64," + IMAGE)
            .build();
    var parts =
        List.of(
            ChatCompletionContentPart.ofImageUrl(
                ChatCompletionContentPartImage.builder().imageUrl(url).build()),
            ChatCompletionContentPart.ofText(
                ChatCompletionContentPartText.builder().text("What?").build()));
    var asked =
        ChatCompletionCreateParams.builder()
            .model(Seeing.MODEL)
            .addUserMessageOfArrayOfContentParts(parts)
            .maxCompletionTokens(2)
            .build();
    var client = OpenAIOkHttpClient.builder().baseUrl(address() + "/v1").apiKey("any").build();
    var answer = client.chat().completions().create(asked).validate();
    client.close();
    assertThat(answer.usage().orElseThrow().promptTokens()).isEqualTo(TOKENS);
  }

  private static UserMessage shown() {
    return UserMessage.from(ImageContent.from(IMAGE, "image/png"), TextContent.from("What?"));
  }

  @Test
  void langChainsForOpenAi() {
    var model =
        OpenAiChatModel.builder()
            .baseUrl(address() + "/v1")
            .apiKey("any")
            .modelName(Seeing.MODEL)
            .maxCompletionTokens(2)
            .build();
    assertThat(model.chat(shown()).tokenUsage().inputTokenCount()).isEqualTo(TOKENS);
  }

  @Test
  void langChainsForOllama() {
    var model =
        OllamaChatModel.builder().baseUrl(address()).modelName(Seeing.MODEL).numPredict(2).build();
    assertThat(model.chat(shown()).tokenUsage().inputTokenCount()).isEqualTo(TOKENS);
  }
}
