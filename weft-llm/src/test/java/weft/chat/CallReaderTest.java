package weft.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is heard of a reply does not depend on how its text was cut. */
class CallReaderTest {
  private static final Map<String, Object> SCHEMA =
      Map.of(
          "type",
          "object",
          "properties",
          Map.of(
              "city", Map.of("type", "string"),
              "days", Map.of("type", "integer"),
              "any", Map.of(),
              "note", Map.of("type", List.of("string", "null"))));

  private static final List<Tool> TOOLS =
      List.of(
          Tool.of("weather", "tells it", SCHEMA),
          Tool.of("now", "the time", Map.of("type", "object")));

  /** What is said stands as it is, calls between braces, a cut one without its end. */
  private static String heard(CallFormat format, String prompt, List<String> pieces) {
    var out = new StringBuilder();
    var options = ChatOptions.standard().withTools(TOOLS);
    var reader =
        new AnswerReader(
            prompt,
            ThoughtTags.USUAL,
            format,
            options,
            fragment ->
                out.append(
                    switch (fragment) {
                      case Fragment.Said(var text) -> text;
                      case Fragment.Thought(var text) -> "~" + text + "~";
                      case Fragment.Tag _ -> "";
                      case Fragment.CallBegins(var index, _, var name) -> "«" + index + name + " ";
                      case Fragment.Arguments(_, var json) -> json;
                      case Fragment.CallEnds _ -> "»";
                    }));
    pieces.forEach(reader::add);
    reader.end();
    return out.toString().replace("~~", "");
  }

  private static Arguments row(CallFormat format, String reply, String heard) {
    return Arguments.of(format, reply, heard);
  }

  static Stream<Arguments> replies() {
    var hermes = CallFormat.TAGGED_JSON;
    var coder = CallFormat.TAGGED_PARAMETERS;
    var llama = CallFormat.BARE_JSON;
    var list = CallFormat.MISTRAL_LIST;
    var named = CallFormat.MISTRAL_NAMED;
    var gemma = CallFormat.GEMMA;
    var taught = CallFormat.TAUGHT;
    return Stream.of(
        row(hermes, "plain <b>text</b> < 3\n", "plain <b>text</b> < 3\n"),
        row(
            hermes,
            "Let me see.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Bonn\"}}\n</tool_call>",
            "Let me see.«0weather {\"city\": \"Bonn\"}»"),
        row(
            hermes,
            "<think>a <tool_call> b</think>\n\n<tool_call>{\"arguments\": {\"city\": \"}\\\"\"}, \"name\": \"weather\"}</tool_call>\n"
                + "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>\nthere",
            "~a <tool_call> b~«0weather {\"city\": \"}\\\"\"}»«1now {}»\nthere"),
        row(hermes, "<tool_call>\n{\"name\": \"now\"}\n</tool_call>", "«0now {}»"),
        row(
            hermes,
            "<tool_call>{\"name\": \"weather\", \"arguments\": \"{\\\"days\\\": 2}\"}</tool_call>",
            "«0weather {\"days\": 2}»"),
        row(
            hermes,
            "<tool_call>{\"name\": \"unknown\", \"arguments\": {}}</tool_call> x",
            "<tool_call>{\"name\": \"unknown\", \"arguments\": {}}</tool_call> x"),
        row(hermes, "the <tool_call> tag", "the <tool_call> tag"),
        row(hermes, "a <tool_cal", "a <tool_cal"),
        row(
            hermes,
            "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Bo",
            "«0weather {\"city\": \"Bo"),
        row(
            hermes,
            "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"a\nb\"}}",
            "«0weather {\"city\": \"a\\nb\"}»"),
        row(
            hermes,
            "<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"a\"}} and more",
            "«0weather {\"city\": \"a\"}» and more"),
        row(
            coder,
            "Sure.\n\n<tool_call>\n<function=weather>\n<parameter=city>\nNew\n\n<York>\n</parameter>\n"
                + "<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
            "Sure.«0weather {\"city\": \"New\\n\\n<York>\", \"days\": 3}»"),
        row(
            coder,
            "<function=weather><parameter=days>many</parameter><parameter=any>{\"a\": [1]}</parameter></function>",
            "«0weather {\"days\": \"many\", \"any\": {\"a\": [1]}}»"),
        row(
            coder,
            "<tool_call>\n<function=weather>\n<parameter=city>\nBonn\n<parameter=note>\nNone\n</function>\n</tool_call>\n"
                + "<tool_call>\n<function=now>\n</function>\n</tool_call>",
            "«0weather {\"city\": \"Bonn\", \"note\": null}»«1now {}»"),
        row(
            coder,
            "<tool_call>\n<function=weather>\n<parameter=city>\nBo\n</para",
            "«0weather {\"city\": \"Bo\\n</para"),
        row(coder, "<function=other>\n</function>", "<function=other>\n</function>"),
        row(
            llama,
            "{\"name\": \"weather\", \"parameters\": {\"city\": \"Bonn\"}}",
            "«0weather {\"city\": \"Bonn\"}»"),
        row(
            llama,
            "<|python_tag|>{\"type\": \"function\", \"name\": \"weather\", \"parameters\": {\"days\": 1}}; "
                + "{\"name\": \"now\", \"parameters\": {}}",
            "«0weather {\"days\": 1}»«1now {}»"),
        row(llama, "{\"name\": \"Ada\", \"age\": 36}", "{\"name\": \"Ada\", \"age\": 36}"),
        row(llama, "{\"name\": \"weather\"}", "{\"name\": \"weather\"}"),
        row(
            llama,
            "Use {\"name\": \"weather\", \"parameters\": {}} so.",
            "Use {\"name\": \"weather\", \"parameters\": {}} so."),
        row(
            list,
            "[TOOL_CALLS] [{\"name\": \"weather\", \"arguments\": {\"city\": \"Bonn\"}, \"id\": \"abcdefghi\"},"
                + " {\"name\": \"now\", \"arguments\": {}}]",
            "«0weather {\"city\": \"Bonn\"}»«1now {}»"),
        row(
            named,
            "Yes.[TOOL_CALLS]weather[CALL_ID]abcdefghi[ARGS]{\"city\": \"Bonn\"}[TOOL_CALLS]now[ARGS]{}",
            "Yes.«0weather {\"city\": \"Bonn\"}»«1now {}»"),
        row(named, "[TOOL_CALLS]weather{\"days\": 2}", "«0weather {\"days\": 2}»"),
        row(named, "[TOOL_CALLS]other[ARGS]{}", "[TOOL_CALLS]other[ARGS]{}"),
        row(
            gemma,
            "<|tool_call>call:weather{city:<|\"|>Bonn, \"a\"<|\"|>,days:2,any:[1,{b:true}]}<tool_call|>",
            "«0weather {\"city\": \"Bonn, \\\"a\\\"\", \"days\": 2, \"any\": [1, {\"b\": true}]}»"),
        row(gemma, "<|tool_call>call:now{}<tool_call|>", "«0now {}»"),
        row(
            taught,
            "I look.\n{\"name\": \"weather\", \"parameters\": {\"city\": \"Bonn\"}}\n{\"name\": \"now\", \"parameters\": {}}",
            "I look.«0weather {\"city\": \"Bonn\"}»«1now {}»"),
        row(
            taught,
            "```json\n[{\"name\": \"weather\", \"parameters\": {\"days\": 1}}, {\"name\": \"now\", \"parameters\": {}}]\n```",
            "«0weather {\"days\": 1}»«1now {}»"),
        row(
            taught,
            "```tool_code\nprint(weather(city='Bonn \"am\" Rhein', days=2, any=[1, None, {'a': True}]))\nnow()\n```",
            "«0weather {\"city\":\"Bonn \\\"am\\\" Rhein\",\"days\":2,\"any\":[1,null,{\"a\":true}]}»«1now {}»"),
        row(taught, "```python\nprint(1)\n```", "```python\nprint(1)\n```"),
        row(taught, "```json\n{\"a\": 1}\n```", "```json\n{\"a\": 1}\n```"),
        row(taught, "[1, 2]\n{x}\n", "[1, 2]\n{x}\n"));
  }

  @ParameterizedTest
  @MethodSource("replies")
  void callsAreReadHoweverTheTextIsCut(CallFormat format, String reply, String heard) {
    assertThat(heard(format, "", List.of(reply))).isEqualTo(heard);
    assertThat(heard(format, "", letters(reply))).isEqualTo(heard);
    for (int cut = 1; cut < reply.length(); cut++) {
      assertThat(heard(format, "", List.of(reply.substring(0, cut), reply.substring(cut))))
          .describedAs("cut at %d", cut)
          .isEqualTo(heard);
    }
  }

  private static List<String> letters(String text) {
    var letters = new ArrayList<String>();
    for (int i = 0; i < text.length(); i++) letters.add(text.substring(i, i + 1));
    return letters;
  }
}
