package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderCommandTest {
  @TempDir Path folder;

  private String template(String source) throws IOException {
    return Files.writeString(folder.resolve("chat.jinja"), source).toString();
  }

  private Cli render(String template, String messages, String... more) throws IOException {
    var file = Files.writeString(folder.resolve("messages.json"), messages);
    var args = new java.util.ArrayList<String>();
    args.addAll(java.util.List.of("render", template, "--messages", file.toString()));
    args.addAll(java.util.List.of(more));
    return Cli.run(args.toArray(String[]::new));
  }

  @Test
  void printsThePrompt() throws IOException {
    var template =
        template(
            "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
                + "{% if add_generation_prompt %}[assistant]{% endif %}");
    var messages =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"add_generation_prompt\":true}";
    assertThat(render(template, messages, "--json").json().get("prompt").stringValue())
        .isEqualTo("[user]Hi[assistant]");
    assertThat(render(template, messages).out()).isEqualTo("[user]Hi[assistant]\n");
  }

  @Test
  void whatATemplateRaisesIsADocumentAndStatusOne() throws IOException {
    var template = template("{{ raise_exception('Roles must alternate') }}");
    var result = render(template, "{\"messages\":[]}", "--json");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEqualTo("{\"error\":\"Roles must alternate\"}\n");
    var plain = render(template, "{\"messages\":[]}");
    assertThat(plain.status()).isEqualTo(1);
    assertThat(plain.err()).isEqualTo("weft: Roles must alternate\n");
  }

  @Test
  void theClockCanBeFixed() throws IOException {
    var template = template("{{ strftime_now('%Y-%m-%d %H:%M') }}");
    assertThat(render(template, "{\"messages\":[]}", "--now", "2026-01-05T12:34:00").out())
        .isEqualTo("2026-01-05 12:34\n");
    assertThat(render(template, "{\"messages\":[]}", "--now", "2026-01-05").out())
        .isEqualTo("2026-01-05 00:00\n");
    var wrong = render(template, "{\"messages\":[]}", "--now", "yesterday");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("--now takes a time like");
  }

  @Test
  void specialTokensComeFromTheCheckpointUnlessTheFileNamesThem() throws IOException {
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        """
        {"bos_token":{"content":"<s>"},"eos_token":"</s>",
         "chat_template":[{"name":"tools","template":"no"},
                          {"name":"default","template":"{{ bos_token }}{{ eos_token }}"}]}
        """);
    var model = folder.toString();
    assertThat(render(model, "{\"messages\":[]}").out()).isEqualTo("<s></s>\n");
    assertThat(render(model, "{\"messages\":[],\"bos_token\":\"<b>\"}").out())
        .isEqualTo("<b></s>\n");
  }

  @Test
  void withoutATemplateWeftsOwnIsUsedAndSaid() throws IOException {
    var result =
        render(
            Cli.golden("gguf/llama-untied-f32.gguf"),
            "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}");
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("User: Hi");
    assertThat(result.err()).contains("no chat template").contains("plain");
  }

  @Test
  void messagesThatAreNoJsonAreAClearError() throws IOException {
    var template = template("x");
    assertThat(render(template, "{\"messages\":").err()).contains("messages.json is not JSON");
    assertThat(render(template, "[]").err()).contains("expected an object");
  }

  @Test
  void anEndlessTemplateEndsSoon() throws IOException {
    var template =
        template(
            "{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}");
    var result = render(template, "{\"messages\":[]}", "--json");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.json().get("error").stringValue()).contains("line 1");
  }
}
