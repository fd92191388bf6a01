package weft.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weft.text.ChatTemplate;
import weft.text.tokenizer.GgufVocabulary;
import weft.text.tokenizer.Tokenizer;

/** What a template writes of a call is read as that call, and a template gets what it can take. */
class CallFormatTest {
  private static final Map<String, Object> SCHEMA =
      Map.of(
          "type",
          "object",
          "properties",
          Map.of("city", Map.of("type", "string"), "days", Map.of("type", "integer")),
          "required",
          List.of("city"));

  private static final ChatOptions OPTIONS =
      ChatOptions.standard().withTools(List.of(Tool.of("weather", "tells it", SCHEMA)));

  /** They want variables of their own. */
  private static final Set<String> PECULIAR =
      Set.of(
          "CohereForAI-c4ai-command-r-plus-tool_use.jinja",
          "fireworks-ai-llama-3-firefunction-v2.jinja");

  private static final Tokenizer BYTES = bytes();

  private static Tokenizer bytes() {
    var tokens = new ArrayList<String>();
    for (int b = 0; b < 256; b++) tokens.add(Character.toString(b < 33 || b > 126 ? 256 + b : b));
    var types = new int[tokens.size()];
    Arrays.fill(types, 1);
    return Tokenizer.of(
        new GgufVocabulary(
            "gpt2",
            "gpt-2",
            tokens,
            types,
            new float[0],
            List.of(),
            Map.of(),
            Map.of(),
            new byte[0]));
  }

  private static Part.Call call(String id, String city) {
    var arguments = new LinkedHashMap<String, Object>();
    arguments.put("city", city);
    arguments.put("days", 3);
    return new Part.Call(id, "weather", arguments);
  }

  private static ChatPrompts prompts(String template) {
    return new ChatPrompts(
        ChatTemplate.compile(template), BYTES, Map.of("bos_token", "<s>", "eos_token", "</s>"));
  }

  private static String prompt(ChatPrompts prompts, List<Message> messages) {
    return prompts.prompt(messages, OPTIONS, ChatPrompts.Prompt.NONE, all -> Sights.NONE).text();
  }

  /** What a model would have said, had it said what its template writes of this call. */
  private static Message readAgain(ChatPrompts prompts, Part.Call call) {
    var asked = List.of(Message.system("be brief"), Message.user("how is it in Bonn?"));
    var before = prompts.prompt(asked, OPTIONS, ChatPrompts.Prompt.NONE, all -> Sights.NONE);
    var answered = new ArrayList<>(asked);
    answered.add(Message.of(Message.ASSISTANT, call));
    answered.add(Message.tool(call, "sunny"));
    var after = prompt(prompts, answered);
    int same = 0;
    int length = Math.min(before.text().length(), after.length());
    while (same < length && before.text().charAt(same) == after.charAt(same)) same++;
    // Tags that begin alike do not belong to the prompt.
    while (same > 0 && ">]\n".indexOf(after.charAt(same - 1)) < 0) same--;
    var reader =
        prompts.reader(new ChatPrompts.Prompt("", new int[0], 0, List.of()), OPTIONS, _ -> {});
    reader.add(after.substring(same));
    reader.end();
    return reader.message();
  }

  @TestFactory
  Stream<DynamicTest> callsInRealTemplatesAreRead() throws IOException {
    return Stream.of(
            Map.entry("Qwen-Qwen2.5-7B-Instruct", CallFormat.TAGGED_JSON),
            Map.entry("Qwen-Qwen3-0.6B", CallFormat.TAGGED_JSON),
            Map.entry("Qwen-QwQ-32B", CallFormat.TAGGED_JSON),
            Map.entry("NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", CallFormat.TAGGED_JSON),
            Map.entry("NousResearch-Hermes-3-Llama-3.1-8B-tool_use", CallFormat.TAGGED_JSON),
            Map.entry("ibm-granite-granite-4.0", CallFormat.TAGGED_JSON),
            Map.entry("Qwen3-Coder", CallFormat.TAGGED_PARAMETERS),
            Map.entry("Qwen3.5-4B", CallFormat.TAGGED_PARAMETERS),
            Map.entry("meta-llama-Llama-3.1-8B-Instruct", CallFormat.BARE_JSON),
            Map.entry("meta-llama-Llama-3.2-3B-Instruct", CallFormat.BARE_JSON),
            Map.entry("meta-llama-Llama-3.3-70B-Instruct", CallFormat.BARE_JSON),
            Map.entry("mistralai-Mistral-Nemo-Instruct-2407", CallFormat.MISTRAL_LIST),
            Map.entry("Mistral-Small-3.2-24B-Instruct-2506", CallFormat.MISTRAL_NAMED),
            Map.entry("mistralai-Ministral-3-14B-Reasoning-2512", CallFormat.MISTRAL_NAMED),
            Map.entry("google-gemma-4-31B-it", CallFormat.GEMMA),
            Map.entry("google-gemma-2-2b-it", CallFormat.TAUGHT),
            Map.entry("GLM-4.6", CallFormat.TAUGHT),
            Map.entry("HuggingFaceTB-SmolLM3-3B", CallFormat.TAUGHT),
            Map.entry("microsoft-Phi-3.5-mini-instruct", CallFormat.TAUGHT))
        .map(each -> dynamicTest(each.getKey(), () -> check(each.getKey(), each.getValue())));
  }

  private static void check(String name, CallFormat format) throws IOException {
    var source = template(name);
    assertThat(CallFormat.of(source)).isEqualTo(format);
    var call = call("toolu_1234", "Bonn \"am\" <Rhein>");
    var calls = readAgain(prompts(source), call).calls();
    assertThat(calls).singleElement().extracting(Part.Call::name).isEqualTo("weather");
    assertThat(calls.getFirst().arguments()).isEqualTo(call.arguments());
  }

  @TestFactory
  Stream<DynamicTest> everyTemplateTakesCallsAndResults() throws IOException {
    try (var files = Files.list(folder())) {
      var all =
          files
              .filter(file -> file.toString().endsWith(".jinja"))
              .filter(file -> !PECULIAR.contains(file.getFileName().toString()))
              .sorted()
              .toList();
      return all.stream()
          .map(file -> dynamicTest(file.getFileName().toString(), () -> takes(file)));
    }
  }

  private static void takes(Path file) throws IOException {
    var prompts = prompts(Files.readString(file));
    var first = call("a", "Bonn");
    var second = call("b", "Oslo");
    var messages =
        List.of(
            Message.system("be brief"),
            Message.user("how is it?"),
            Message.of(Message.ASSISTANT, new Part.Text("I look."), first, second),
            Message.tool(first, "sunny-one"),
            Message.tool(second, "rainy-two"),
            Message.assistant("fine"),
            Message.user("thanks"));
    assertThat(prompt(prompts, messages))
        .contains("weather", "Bonn", "Oslo", "sunny-one", "rainy-two", "thanks");
  }

  private static Path folder() {
    var folder = Path.of("..", "..", "shared", "text", "chat-templates", "llama.cpp-all");
    assumeTrue(Files.isDirectory(folder), "the shared folder with templates is not there");
    return folder;
  }

  private static String template(String name) throws IOException {
    return Files.readString(folder().resolve(name + ".jinja"));
  }

  @Test
  void toolsAreTaughtWhereATemplateKnowsNone() {
    var prompts =
        prompts(
            "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}"
                + "{% endif %}{% if loop.index0 % 2 != (m.role == 'assistant')|int %}"
                + "{{ raise_exception('not in turn') }}{% endif %}[{{ m.role }}]{{ m.content }}{% endfor %}");
    var call = call("a", "Bonn");
    var text =
        prompt(
            prompts,
            List.of(
                Message.system("be brief"),
                Message.user("how is it?"),
                Message.of(Message.ASSISTANT, new Part.Text("I look."), call),
                Message.tool(call, "sunny"),
                Message.user("well?")));
    assertThat(text)
        .startsWith("[user]be brief\n\nYou can call these tools:\n\n{\"type\":\"function\"")
        .endsWith(
            "how is it?[assistant]I look.\n{\"name\": \"weather\", \"parameters\":"
                + " {\"city\":\"Bonn\",\"days\":3}}[user]Result of weather:\nsunny\n\nwell?");
  }

  @Test
  void nobodyIsToldOfToolsThatMayNotBeCalled() {
    var prompts = prompts("{% for m in messages %}{{ m.content }}{% endfor %}{{ tools }}");
    var silent = OPTIONS.withToolChoice(ToolChoice.NONE);
    var messages = List.of(Message.user("x"));
    assertThat(prompts.prompt(messages, silent, ChatPrompts.Prompt.NONE, all -> Sights.NONE).text())
        .isEqualTo("xNone");
  }

  @Test
  void whatTheModelHasBegunToSayIsGoneOnWith() {
    var prompts =
        prompts(
            "{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}"
                + "{% if add_generation_prompt %}<assistant>{% endif %}");
    var silent = ChatOptions.standard();
    var messages = List.of(Message.user("x"), Message.assistant("It is"));
    assertThat(prompts.prompt(messages, silent, ChatPrompts.Prompt.NONE, all -> Sights.NONE).text())
        .isEqualTo("<user>x</><assistant>It is");
    var dropping = prompts("{% for m in messages %}<{{ m.role }}>{% endfor %}");
    assertThat(
            dropping.prompt(messages, silent, ChatPrompts.Prompt.NONE, all -> Sights.NONE).text())
        .isEqualTo("<user><assistant>");
  }

  @ParameterizedTest
  @EnumSource(CallFormat.class)
  void namesOfCallsAreWhatATemplateTakes(CallFormat format) {
    var id = CallIds.fresh(format);
    assertThat(CallIds.fitted(id, format)).isEqualTo(id);
    assertThat(CallIds.fresh(format)).isNotEqualTo(id);
    var other = CallIds.fitted("toolu_0123456789", format);
    assertThat(CallIds.fitted("toolu_0123456789", format)).isEqualTo(other);
    assertThat(CallIds.fitted("toolu_0123456788", format)).isNotEqualTo(other);
  }

  @Test
  void oneCallIsEnoughWhereNoMoreAreWanted() {
    var single = OPTIONS.withToolChoice(ToolChoice.AUTO.single());
    var heard = new ArrayList<Fragment>();
    var reader =
        new AnswerReader("", ThoughtTags.USUAL, CallFormat.TAGGED_JSON, single, heard::add);
    var call = "<tool_call>{\"name\": \"weather\", \"arguments\": {\"days\": 1}}</tool_call>";
    reader.add(call.substring(0, 20));
    assertThat(reader.isComplete()).isFalse();
    reader.add(call.substring(20) + call + " and so on");
    reader.end();
    assertThat(reader.isComplete()).isTrue();
    assertThat(reader.message().parts()).hasSize(1);
    assertThat(heard.getLast()).isEqualTo(new Fragment.CallEnds(0));
  }

  @Test
  void aCallThatIsCutOffIsNotMade() {
    var reader = new AnswerReader("", ThoughtTags.USUAL, CallFormat.TAGGED_JSON, OPTIONS, _ -> {});
    var text = "I look. <tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Bo";
    reader.add(text);
    reader.end();
    assertThat(reader.message().calls()).isEmpty();
    assertThat(reader.message().parts())
        .containsExactly(new Part.Text("I look."), new Part.Text(text.substring(8)));
  }
}
