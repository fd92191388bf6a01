package weft.cli;

import java.io.StringWriter;
import java.time.Duration;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BigIntegerNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.FloatNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import weft.generate.Finish;
import weft.generate.Usage;

/** Documents for {@code --json}: fields come out in the order they were put. */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  static ArrayNode array(int[] values) {
    var array = array();
    for (int value : values) array.add(value);
    return array;
  }

  static ArrayNode array(float[] values) {
    var array = array();
    for (float value : values) array.add(value);
    return array;
  }

  /** Milliseconds with three digits behind the point, which is as exact as the clock is. */
  static double milliseconds(Duration time) {
    return Math.round(time.toNanos() / 1e3) / 1e3;
  }

  /** What a reply took, by the words of the APIs that most clients know, and by guesses. */
  static ObjectNode usage(Usage usage) {
    var costs = object();
    costs.put("prompt_tokens", usage.promptTokens());
    costs.put("completion_tokens", usage.generatedTokens());
    costs.put("total_tokens", usage.promptTokens() + usage.generatedTokens());
    costs.put("drafted", usage.draftedTokens());
    costs.put("accepted", usage.acceptedTokens());
    costs.put("forwards", usage.forwards());
    if (usage.draftedTokens() > 0) {
      var drafted = costs.putArray("drafted_by_depth");
      usage.guesses().drafted().forEach(drafted::add);
      var accepted = costs.putArray("accepted_by_depth");
      usage.guesses().accepted().forEach(accepted::add);
      costs.put("tokens_per_pass", usage.tokensPerPass());
    }
    usage.draftingStopped().ifPresent(why -> costs.put("drafting_stopped", why));
    return costs;
  }

  /** Why a reply ended, by the words of the APIs that most clients know. */
  static String reason(Finish finish) {
    return switch (finish) {
      case STOP, STOPPED_BY_CALLBACK -> "stop";
      case LENGTH -> "length";
      case CANCELLED -> "cancelled";
    };
  }

  /** Reads one document; anything behind it is an error. */
  static JsonNode parse(String text) {
    return Parsing.MAPPER.readTree(text);
  }

  /** The same, with every digit of its numbers. */
  static JsonNode parseExactly(String text) {
    return Parsing.EXACT.readTree(text);
  }

  /** Loaded by those who parse alone. */
  private static final class Parsing {
    private static final JsonMapper MAPPER =
        JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private static final JsonMapper EXACT =
        MAPPER.rebuild().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  }

  /** Prints one document and the end of its line. */
  static void print(Console console, JsonNode document) {
    console.out().println(text(document));
  }

  /** A document on one line. */
  static String text(JsonNode document) {
    var text = new StringWriter();
    try (var out = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      write(document, out);
    }
    return text.toString();
  }

  /** By hand, since setting up a mapper takes longer than most documents. */
  private static void write(JsonNode node, JsonGenerator out) {
    switch (node) {
      case ObjectNode object -> {
        out.writeStartObject();
        for (var field : object.properties()) {
          out.writeName(field.getKey());
          write(field.getValue(), out);
        }
        out.writeEndObject();
      }
      case ArrayNode array -> {
        out.writeStartArray();
        for (var element : array) write(element, out);
        out.writeEndArray();
      }
      case StringNode string -> out.writeString(string.stringValue());
      case BooleanNode flag -> out.writeBoolean(flag.booleanValue());
      case IntNode number -> out.writeNumber(number.intValue());
      case LongNode number -> out.writeNumber(number.longValue());
      case BigIntegerNode number -> out.writeNumber(number.bigIntegerValue());
      case FloatNode number -> out.writeNumber(number.floatValue());
      case DoubleNode number -> out.writeNumber(number.doubleValue());
      case NullNode _ -> out.writeNull();
      default -> throw new AssertionError("no document has a " + node.getNodeType());
    }
  }
}
