package weft.serve.batch;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import weft.input.LineFile;
import weft.serve.ask.ProblemException;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/** A line of a batch: a request, or what is wrong with it. */
sealed interface BatchLine {
  /** Of a line; the same as the server's usual bound for a body. */
  int LONGEST_LINE = 32 << 20;

  /** Of {@code custom_id}, in characters. */
  int LONGEST_ID = 1024;

  int number();

  /** A request: which answer is which is told by {@code id}. */
  record Asked(int number, String id, String path, JsonNode body) implements BatchLine {}

  /**
   * A line that is no request.
   *
   * @param id its {@code custom_id}, where it has one
   * @param code as the vendor calls such
   */
  record Wrong(int number, Optional<String> id, String code, String message) implements BatchLine {}

  /** Reads a line, whose {@code url} must be one of {@code paths}. */
  static BatchLine of(LineFile.Line line, List<String> paths) {
    int number = line.number();
    if (line.isCut()) {
      return wrong(number, "line_too_long", "the line has more than %d bytes", LONGEST_LINE);
    }
    JsonNode document;
    try {
      document = Json.read(line.bytes());
    } catch (ProblemException e) {
      return wrong(number, "invalid_json_line", "the line is no JSON");
    }
    if (!document.isObject()) {
      return wrong(number, "invalid_json_line", "the line is no JSON object");
    }
    return read(number, Fields.of(document), paths);
  }

  private static BatchLine read(int number, Fields line, List<String> paths) {
    var given = line.field("custom_id");
    var id = given.filter(JsonNode::isString).map(JsonNode::stringValue);
    if (id.isEmpty() || id.get().isEmpty() || id.get().length() > LONGEST_ID) {
      return wrong(
          number, "missing_custom_id", "'custom_id' must be a string of 1 to %d", LONGEST_ID);
    }
    try {
      line.required("method", "POST");
      line.word("method", List.of("POST"));
      line.required("url", "one of " + paths);
      var path = line.word("url", paths).orElseThrow();
      line.required("body", "an object");
      return new Asked(number, id.get(), path, line.object("body").orElseThrow().node());
    } catch (ProblemException e) {
      return new Wrong(number, id, "invalid_request_line", e.problem().sentence());
    }
  }

  private static Wrong wrong(int number, String code, String message, Object... values) {
    return new Wrong(number, Optional.empty(), code, message.formatted(values));
  }
}
