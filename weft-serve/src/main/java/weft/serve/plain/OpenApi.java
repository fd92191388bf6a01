package weft.serve.plain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.input.SmallInput;
import weft.serve.web.Json;
import weft.serve.web.Missing;
import weft.serve.web.Route;
import weft.serve.web.Talks;

/**
 * What there is, as an OpenAPI document: every route with its parameters, and the bodies as the
 * dialects read them. Those are written down by a test that listens while they read.
 */
final class OpenApi {
  private static final Pattern BRACES = Pattern.compile("\\{(\\w+)(?:\\.\\.\\.)?}");

  private static final int LONGEST_BODIES = 1 << 20;

  private OpenApi() {}

  /** What is posted at each route: its schema, and an example. */
  private static JsonNode bodies() {
    try (var in = OpenApi.class.getResourceAsStream("bodies.json")) {
      return Json.read(SmallInput.stream(Objects.requireNonNull(in), "bodies", LONGEST_BODIES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ObjectNode document(List<Route> routes) {
    var bodies = bodies();
    var document = Json.object().put("openapi", "3.1.0");
    document
        .putObject("info")
        .put("title", "Weft")
        .put("version", "1")
        .put("description", "Language models behind the interfaces that clients already speak.");
    var paths = document.putObject("paths");
    for (var route : routes) {
      if (route.handler() instanceof Missing || route.handler() instanceof Talks) continue;
      var path = BRACES.matcher(route.path()).replaceAll("{$1}");
      var entry = (ObjectNode) paths.get(path);
      if (entry == null) entry = paths.putObject(path);
      entry.set(
          route.method().toLowerCase(Locale.ROOT), operation(route, bodies.path(route.path())));
    }
    var security = document.putArray("security");
    security.addObject(); // where no key is wanted
    security.addObject().putArray("bearer");
    security.addObject().putArray("key");
    var schemes = document.putObject("components").putObject("securitySchemes");
    schemes.putObject("bearer").put("type", "http").put("scheme", "bearer");
    schemes.putObject("key").put("type", "apiKey").put("in", "header").put("name", "x-api-key");
    return document;
  }

  private static ObjectNode operation(Route route, JsonNode posted) {
    var operation = Json.object();
    operation.put("operationId", name(route));
    var braces = BRACES.matcher(route.path());
    while (braces.find()) {
      operation
          .withArray("parameters")
          .addObject()
          .put("name", braces.group(1))
          .put("in", "path")
          .put("required", true)
          .putObject("schema")
          .put("type", "string");
    }
    if (route.method().equals("POST") && posted.isObject()) {
      operation
          .putObject("requestBody")
          .put("required", true)
          .putObject("content")
          .set("application/json", posted);
    }
    var responses = operation.putObject("responses");
    var content = json(responses.putObject("200").put("description", "What was asked for"));
    if (posted.at("/schema/properties").has("stream")) {
      var type = route.path().startsWith("/api/") ? "application/x-ndjson" : "text/event-stream";
      content.putObject(type).putObject("schema").put("type", "string");
    }
    json(responses.putObject("default").put("description", "What is wrong with the request"));
    return operation;
  }

  private static ObjectNode json(ObjectNode holder) {
    var content = holder.putObject("content");
    content.putObject("application/json").putObject("schema");
    return content;
  }

  private static String name(Route route) {
    var words = route.path().replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_|_$", "");
    return route.method().toLowerCase(Locale.ROOT) + "_" + words;
  }
}
