package weft.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import weft.constrain.ConstrainException;
import weft.constrain.Constraint;
import weft.constrain.Grammar;
import weft.constrain.Vocabulary;
import weft.generate.Mask;
import weft.text.tokenizer.GgufVocabulary;
import weft.text.tokenizer.Tokenizer;

/** Demanded calls are the texts that are read as such calls, and no others. */
class CallGrammarTest {
  private static final List<Tool> TOOLS =
      List.of(
          Tool.of("weather", "tells it", weather()),
          Tool.of("now", "the time", Map.of("type", "object", "properties", Map.of())));

  private static Map<String, Object> weather() {
    var properties = new LinkedHashMap<String, Object>();
    properties.put("city", Map.of("type", "string"));
    properties.put("days", Map.of("type", "integer", "minimum", 1, "maximum", 9));
    properties.put("unit", Map.of("type", "string", "enum", List.of("C", "F")));
    return Map.of("type", "object", "properties", properties, "required", List.of("city"));
  }

  private static boolean allows(Grammar grammar, String text) {
    var bytes = new ArrayList<byte[]>();
    for (int i = 0; i < 256; i++) bytes.add(new byte[] {(byte) i});
    bytes.add(new byte[0]);
    var matcher = Constraint.of(grammar, Vocabulary.of(bytes, Set.of(256))).matcher();
    return matcher.accept(text.getBytes(StandardCharsets.UTF_8)) && matcher.isComplete();
  }

  private static Grammar grammar(CallFormat format, ToolChoice choice) {
    return CallGrammar.of(format, TOOLS, choice, List.of());
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        Arguments.of(
            CallFormat.TAGGED_JSON,
            "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Bonn\", \"days\": 3}}\n</tool_call>"),
        Arguments.of(
            CallFormat.TAGGED_PARAMETERS,
            "<tool_call>\n<function=weather>\n<parameter=city>\nBonn\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>"),
        Arguments.of(
            CallFormat.BARE_JSON,
            "{\"name\": \"weather\", \"parameters\": {\"city\": \"Bonn\", \"days\": 3}}"),
        Arguments.of(
            CallFormat.TAUGHT,
            "{\"name\": \"weather\", \"parameters\": {\"city\": \"Bonn\", \"days\": 3}}"),
        Arguments.of(
            CallFormat.GEMMA,
            "{\"name\": \"weather\", \"parameters\": {\"city\": \"Bonn\", \"days\": 3}}"),
        Arguments.of(
            CallFormat.MISTRAL_LIST,
            "[TOOL_CALLS][{\"name\": \"weather\", \"arguments\": {\"city\": \"Bonn\", \"days\": 3}}]"),
        Arguments.of(
            CallFormat.MISTRAL_NAMED,
            "[TOOL_CALLS]weather[ARGS]{\"city\": \"Bonn\", \"days\": 3}"));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aDemandedCallIsReadAsThatCall(CallFormat format, String text) {
    for (var choice : List.of(ToolChoice.REQUIRED, ToolChoice.named("weather"))) {
      assertThat(allows(grammar(format, choice), text)).isTrue();
    }
    assertThat(allows(grammar(format, ToolChoice.named("now")), text)).isFalse();
    assertThat(allows(grammar(format, ToolChoice.REQUIRED), text.replace("3", "12"))).isFalse();
    assertThat(allows(grammar(format, ToolChoice.REQUIRED), text.replace("city", "town")))
        .isFalse();
    assertThat(allows(grammar(format, ToolChoice.REQUIRED), "Sure. " + text)).isFalse();
    assertThat(allows(grammar(format, ToolChoice.REQUIRED), "")).isFalse();
    var reader =
        new AnswerReader(
            "", ThoughtTags.USUAL, format, ChatOptions.standard().withTools(TOOLS), _ -> {});
    reader.add(text);
    reader.end();
    assertThat(reader.message().parts()).hasSize(1);
    assertThat(reader.message().calls().getFirst().json())
        .isEqualTo("{\"city\":\"Bonn\",\"days\":3}");
  }

  @Test
  void severalCallsAreAllowedUnlessOneIsWanted() {
    var two = "{\"name\": \"now\", \"parameters\": {}}\n{\"name\": \"now\", \"parameters\": {}}";
    assertThat(allows(grammar(CallFormat.TAUGHT, ToolChoice.REQUIRED), two)).isTrue();
    assertThat(allows(grammar(CallFormat.TAUGHT, ToolChoice.REQUIRED.single()), two)).isFalse();
  }

  @Test
  void anOpenedThoughtIsClosedFirst() {
    var grammar =
        CallGrammar.of(
            CallFormat.TAUGHT, TOOLS, ToolChoice.named("now"), List.of(ThoughtTags.USUAL));
    var call = "{\"name\": \"now\", \"parameters\": {}}";
    assertThat(allows(grammar, "hm < 3\n</think>\n\n" + call)).isTrue();
    assertThat(allows(grammar, call)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(CallFormat.class)
  void aSchemaThatCannotBeKeptIsRefused(CallFormat format) {
    var odd =
        Map.of("type", "object", "properties", Map.of("x", Map.of("$ref", "http://elsewhere/")));
    var tools = List.of(Tool.of("odd", "", odd));
    assertThatThrownBy(() -> CallGrammar.of(format, tools, ToolChoice.REQUIRED, List.of()))
        .isInstanceOf(ConstrainException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"TAGGED_JSON", "TAGGED_PARAMETERS", "MISTRAL_LIST", "MISTRAL_NAMED"})
  void behindAMarkOnlyStrictToolsKeepToTheirSchemas(CallFormat format) {
    var text =
        calls()
            .filter(row -> row.get()[0] == format)
            .map(row -> (String) row.get()[1])
            .findFirst()
            .orElseThrow()
            .substring(format.mark().orElseThrow().length());
    var lenient = CallGrammar.behindMark(format, TOOLS);
    var strict =
        CallGrammar.behindMark(format, List.of(TOOLS.getFirst().strict(), TOOLS.getLast()));
    assertThat(allows(lenient, text)).isTrue();
    assertThat(allows(strict, text)).isTrue();
    assertThat(allows(lenient, text.replace("3", "12"))).isTrue();
    assertThat(allows(strict, text.replace("3", "12"))).isFalse();
    assertThat(allows(lenient, text.replace("weather", "other"))).isFalse();
  }

  @Test
  void aStrictCallIsMaskedFromItsMarkToItsEnd() {
    var tokenizer = bytesAnd("<tool_call>");
    var masks = new CallMasks(tokenizer, CallFormat.TAGGED_JSON, ThoughtTags.USUAL);
    var free = ChatOptions.standard().withTools(TOOLS);
    assertThat(masks.strict(free, Set.of(257))).isEmpty();
    var strict = free.withTools(List.of(TOOLS.getLast().strict()));
    var mask = masks.strict(strict, Set.of(257)).orElseThrow().get();
    assertThat(allowed(mask)).isEqualTo(258);
    mask.chosen('x');
    assertThat(mask.forced()).isEmpty();
    mask.chosen(256);
    assertThat(allowed(mask)).isEqualTo(1);
    var call = "\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";
    for (char c : call.toCharArray()) mask.chosen(c);
    assertThat(allowed(mask)).isEqualTo(258);
  }

  /** A token for each byte, one with a text of its own, and one that ends a reply. */
  private static Tokenizer bytesAnd(String mark) {
    var tokens = new ArrayList<String>();
    for (int b = 0; b < 256; b++) tokens.add(Character.toString(b < 33 || b > 126 ? 256 + b : b));
    tokens.addAll(List.of(mark, "<end>"));
    var types = new int[tokens.size()];
    Arrays.fill(types, 1);
    types[256] = 4;
    types[257] = 3;
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

  @Test
  void aBareCallIsKeptToItsSchemaOnceItNamesATool() {
    var masks = new CallMasks(bytesAnd("<other>"), CallFormat.BARE_JSON, ThoughtTags.USUAL);
    var options = ChatOptions.standard().withTools(List.of(TOOLS.getLast().strict()));
    var mask = masks.strict(options, Set.of(257)).orElseThrow().get();
    say(mask, "It is {\"name\": \"now\"");
    assertThat(allowed(mask)).as("no call where no line begins").isEqualTo(258);
    say(mask, "\n{\"name\": \"Bob\"");
    assertThat(allowed(mask)).as("another object").isEqualTo(258);
    say(mask, "}\n {\"name\":\"now\"");
    assertThat(allowed(mask)).as("a comma, or a blank before it").isEqualTo(3);
    say(mask, ", \"parameters\": {}}");
    assertThat(allowed(mask)).as("the call is whole").isEqualTo(258);
  }

  @Test
  void aMarkThatIsWrittenOutBeginsACall() {
    var masks = new CallMasks(bytesAnd("<other>"), CallFormat.TAGGED_JSON, ThoughtTags.USUAL);
    var options = ChatOptions.standard().withTools(List.of(TOOLS.getLast().strict()));
    var mask = masks.strict(options, Set.of(257)).orElseThrow().get();
    say(mask, "Well, <<tool_cal");
    assertThat(allowed(mask)).isEqualTo(258);
    say(mask, "l>");
    assertThat(allowed(mask)).isEqualTo(1);
    say(mask, "\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>");
    assertThat(allowed(mask)).isEqualTo(258);
  }

  private static void say(Mask mask, String text) {
    for (char c : text.toCharArray()) mask.chosen(c);
  }

  private static int allowed(Mask mask) {
    var logits = new float[258];
    mask.apply(logits);
    int count = 0;
    for (float logit : logits) if (logit == 0) count++;
    return count;
  }
}
