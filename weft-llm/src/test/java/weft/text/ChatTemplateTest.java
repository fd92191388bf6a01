package weft.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import weft.text.jinja.Limits;
import weft.text.jinja.TemplateException;

final class ChatTemplateTest {
  private static final String TURNS =
      "{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>{% endfor %}"
          + "{% if add_generation_prompt %}<assistant>{% endif %}";

  @Test
  void rendersMapsAndJsonAlike() {
    ChatTemplate template =
        ChatTemplate.compile(TURNS + "{{ tools | tojson }}{{ n / 2 }}{{ none_ is none }}");
    String json =
        """
        {"messages": [{"role": "user", "content": "Hi é😀"}], "tools": [{"a": [1, 2.5, true, null]}],
         "n": 9007199254740993, "none_": null, "add_generation_prompt": true}
        """;
    Map<String, Object> map = new HashMap<>();
    map.put("messages", List.of(message("user", "Hi é😀")));
    map.put("tools", List.of(Map.of("a", Arrays.asList(1, 2.5, true, null))));
    map.put("n", 9007199254740993L);
    map.put("none_", null);
    map.put("add_generation_prompt", true);
    String expected =
        "<user>Hi é😀</user><assistant>[{\"a\": [1, 2.5, true, null]}]4503599627370496.0True";
    assertThat(template.render(new JsonMapper().readTree(json))).isEqualTo(expected);
    assertThat(template.render(map)).isEqualTo(expected);
  }

  @Test
  void definesToolsAndDocumentsAsNoneAndTheGenerationPromptAsFalse() {
    ChatTemplate template =
        ChatTemplate.compile(
            "{{ tools }} {{ documents }} {{ add_generation_prompt }} {{ bos_token }}");
    assertThat(template.render(Map.of("messages", List.of()))).isEqualTo("None None False ");
  }

  @Test
  void passesSpecialTokensAndAnyOtherVariable() {
    ChatTemplate template =
        ChatTemplate.compile(
            "{{ bos_token }}{{ 'think' if enable_thinking else 'quick' }}{{ eos_token }}");
    Map<String, ?> variables =
        Map.of(
            "messages",
            List.of(),
            "bos_token",
            "<s>",
            "eos_token",
            "</s>",
            "enable_thinking",
            false);
    assertThat(template.render(variables)).isEqualTo("<s>quick</s>");
  }

  @Test
  void readsTheGivenClock() {
    Clock clock = Clock.fixed(Instant.parse("2024-02-29T23:59:58Z"), ZoneOffset.UTC);
    ChatTemplate template =
        ChatTemplate.compile("{{ strftime_now('%d %b %Y, %A, %H:%M:%S') }}").withClock(clock);
    assertThat(template.render(Map.of("messages", List.of())))
        .isEqualTo("29 Feb 2024, Thursday, 23:59:58");
  }

  @Test
  void endsAfterTheFinalMessageWhenItIsContinued() {
    String rendered =
        ChatTemplate.compile(TURNS)
            .render(
                Map.of(
                    "messages", conversation("Sure, the answer "), "continue_final_message", true));
    assertThat(rendered).isEqualTo("<user>Hi</user><assistant>Sure, the answer ");
  }

  @Test
  void dropsTheSpacesOfAContinuedMessageWhereTheTemplateDoes() {
    String trimming = TURNS.replace("m.content", "m.content | trim");
    String rendered =
        ChatTemplate.compile(trimming)
            .render(Map.of("messages", conversation("  Sure,  "), "continue_final_message", true));
    assertThat(rendered).isEqualTo("<user>Hi</user><assistant>Sure,");
  }

  @Test
  void continuesTheLastTextPart() {
    String parts =
        "{% for m in messages %}{% for p in m.content %}[{{ p.text }}]{% endfor %}{% endfor %}";
    String json =
        """
        {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two "},
         {"type": "image"}]}], "continue_final_message": true}
        """;
    assertThat(ChatTemplate.compile(parts).render(new JsonMapper().readTree(json)))
        .isEqualTo("[one][two ");
  }

  @Test
  void continuesTheLastMessageEvenIfItsTextComesEarlierToo() {
    List<Map<String, String>> messages =
        List.of(message("user", "again"), message("assistant", "again"));
    String twice = TURNS + "{{ messages[0].content }}";
    assertThat(
            ChatTemplate.compile(twice)
                .render(Map.of("messages", messages, "continue_final_message", true)))
        .isEqualTo("<user>again</user><assistant>again");
  }

  @Test
  void refusesToContinueWhatIsNotThere() {
    ChatTemplate template = ChatTemplate.compile(TURNS);
    assertThatThrownBy(
            () -> template.render(Map.of("messages", List.of(), "continue_final_message", true)))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("no message to continue");
    assertThatThrownBy(
            () ->
                template.render(
                    Map.of(
                        "messages",
                        List.of(Map.of("role", "assistant")),
                        "continue_final_message",
                        true)))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("no text content");
    assertThatThrownBy(
            () ->
                ChatTemplate.compile("{{ messages[0].content }}")
                    .render(
                        Map.of("messages", conversation("Sure"), "continue_final_message", true)))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("does not appear");
    assertThatThrownBy(
            () ->
                template.render(
                    Map.of(
                        "messages",
                        conversation("Sure"),
                        "continue_final_message",
                        true,
                        "add_generation_prompt",
                        true)))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("set only one");
  }

  @Test
  void asksForMessages() {
    assertThatThrownBy(() -> ChatTemplate.compile(TURNS).render(Map.of()))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("messages");
  }

  @Test
  void refusesVariablesThatAreNoData() {
    assertThatThrownBy(
            () -> ChatTemplate.compile(TURNS).render(Map.of("messages", new StringBuilder())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.StringBuilder");
  }

  @Test
  void obeysItsLimits() {
    ChatTemplate template =
        ChatTemplate.compile("{% for i in range(1000) %}x{% endfor %}")
            .withLimits(new Limits(100, 100, 1000, 1000, Duration.ofSeconds(1)));
    assertThatThrownBy(() -> template.render(Map.of("messages", List.of())))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("steps");
  }

  @Test
  void offersStylesForCheckpointsWithoutATemplate() {
    assertThat(ChatTemplate.styles())
        .containsExactlyInAnyOrder("chatml", "headers", "turns", "instructions", "plain");
    assertThat(styled("chatml"))
        .isEqualTo(
            "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n"
                + "<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n");
    assertThat(styled("headers"))
        .isEqualTo(
            "<s><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n"
                + "Hi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nHello<|eot_id|>"
                + "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n");
    assertThat(styled("turns"))
        .isEqualTo(
            "<s><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\nHello<end_of_turn>\n"
                + "<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n");
    assertThat(styled("instructions"))
        .isEqualTo(
            "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi [/INST] Hello </s>[INST] Bye [/INST]");
    assertThat(styled("plain"))
        .isEqualTo("<s>Be brief.\n\nUser: Hi\nAssistant: Hello\nUser: Bye\nAssistant:");
  }

  @Test
  void namesTheStylesItHasWhenAskedForAnother() {
    assertThatThrownBy(() -> ChatTemplate.ofStyle("baroque"))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("baroque")
        .hasMessageContaining("chatml");
  }

  private static String styled(String style) {
    List<Map<String, String>> messages =
        List.of(
            message("system", "Be brief."),
            message("user", "Hi"),
            message("assistant", "Hello"),
            message("user", "Bye"));
    return ChatTemplate.ofStyle(style)
        .render(
            Map.of(
                "messages",
                messages,
                "bos_token",
                "<s>",
                "eos_token",
                "</s>",
                "add_generation_prompt",
                true));
  }

  private static List<Map<String, String>> conversation(String answer) {
    return List.of(message("user", "Hi"), message("assistant", answer));
  }

  private static Map<String, String> message(String role, String content) {
    return Map.of("role", role, "content", content);
  }
}
