package weft.serve.openai;

import java.util.List;
import weft.serve.ask.Form;
import weft.serve.web.Fields;

/** The form of an answer: OpenAI's {@code response_format}, and what other servers take besides. */
final class Forms {
  /** Of a regular expression or a grammar. */
  static final int LONGEST_RULES = 256 << 10;

  private static final List<String> OTHERS = List.of("grammar", "regex", "json_schema");

  private Forms() {}

  static Form read(Fields body) {
    var others = OTHERS.stream().filter(body::has).toList();
    var format = body.object("response_format");
    if (others.size() + (format.isPresent() ? 1 : 0) > 1) {
      throw Fields.bad(others.getFirst(), "another form, too", "the only form of the answer");
    }
    if (body.has("grammar")) return new Form.Grammar(rules(body, "grammar"));
    if (body.has("regex")) return new Form.Pattern(rules(body, "regex"));
    if (body.has("json_schema")) {
      return new Form.Schema(body.object("json_schema").orElseThrow().node());
    }
    return format.map(Forms::format).orElseGet(Form.Free::new);
  }

  private static String rules(Fields body, String name) {
    var text = body.text(name).orElseThrow();
    if (text.isEmpty() || text.length() > LONGEST_RULES) {
      throw Fields.bad(
          body.path(name),
          "a string of " + text.length() + " characters",
          "a string of 1 to " + LONGEST_RULES + " characters");
    }
    return text;
  }

  private static Form format(Fields format) {
    format.required("type", "'text', 'json_object' or 'json_schema'");
    var type = format.word("type", List.of("text", "json_object", "json_schema")).orElseThrow();
    return switch (type) {
      case "json_object" ->
          // Some servers take the schema here, too.
          format
              .object("schema")
              .<Form>map(s -> new Form.Schema(s.node()))
              .orElse(new Form.AnyObject());
      case "json_schema" -> schema(format);
      default -> new Form.Free();
    };
  }

  private static Form schema(Fields format) {
    format.required("json_schema", "an object with a name and a schema");
    var named = format.object("json_schema").orElseThrow();
    named.flag("strict"); // a schema is kept or refused, strict or not
    var schema = named.required("schema", "a JSON schema");
    if (!schema.isObject() && !schema.isBoolean()) {
      throw named.wrong("schema", schema, "a JSON schema");
    }
    return new Form.Schema(schema);
  }
}
