package weft.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import weft.load.LoadOptions;

/** What {@code /openapi.json} says of bodies is what the dialects read, and what they refuse. */
class BodiesTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final Path WRITTEN = Path.of("src/main/resources/weft/serve/plain/bodies.json");

  private static final String TOOL =
      """
      {"type":"function","function":{"name":"clock","description":"The time","strict":false,
       "parameters":{"type":"object","properties":{"zone":{"type":"string"}}}}}""";

  /** Requests with all that a route reads within others; the first is the example. */
  private static final Map<String, List<String>> EXAMPLES = new LinkedHashMap<>();

  static {
    EXAMPLES.put(
        "/v1/chat/completions",
        List.of(
            """
            {"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"}],
             "max_completion_tokens":2}""",
            """
            {"messages":[{"role":"user","content":"Hi"},
              {"role":"assistant","reasoning_content":"so","content":"","tool_calls":[{"id":"c1","type":"function",
               "function":{"name":"clock","arguments":"{}"}}]},
              {"role":"tool","tool_call_id":"c1","content":"noon"},{"role":"user","content":"Thanks"}],
             "tools":[%s],"tool_choice":"auto","stream":true,"stream_options":{"include_usage":true},
             "chat_template_kwargs":{"enable_thinking":false},
             "response_format":{"type":"text"},"max_tokens":1}"""
                .formatted(TOOL)));
    EXAMPLES.put(
        "/v1/chat/completions/input_tokens",
        List.of("{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}"));
    EXAMPLES.put(
        "/v1/completions",
        List.of(
            "{\"prompt\":\"Once upon a time\",\"max_tokens\":2}",
            """
            {"prompt":["One"],"stream":true,"stream_options":{"include_usage":true},
             "response_format":{"type":"text"},"echo":true,"logprobs":1,"max_tokens":1}"""));
    EXAMPLES.put("/v1/embeddings", List.of("{\"input\":[\"A text\"]}"));
    EXAMPLES.put(
        "/v1/responses",
        List.of(
            "{\"input\":\"Hello\",\"max_output_tokens\":2}",
            """
            {"input":[{"type":"message","role":"user","content":"Hi"}],"instructions":"Be brief.",
             "tools":[{"type":"function","name":"clock","parameters":{"type":"object"}}],"tool_choice":"auto",
             "text":{"format":{"type":"text"}},"reasoning":{"effort":"low"},
             "max_output_tokens":1}"""));
    EXAMPLES.put("/v1/responses/compact", List.of("{\"model\":\"weft-tiny\",\"input\":\"Hello\"}"));
    EXAMPLES.put("/v1/responses/input_tokens", List.of("{\"input\":\"Hello\"}"));
    EXAMPLES.put(
        "/v1/messages",
        List.of(
            """
            {"max_tokens":2,"messages":[{"role":"user","content":"Hello"}]}""",
            """
            {"max_tokens":1,"system":"Be brief.","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}],
             "tools":[{"name":"clock","description":"The time","input_schema":{"type":"object"}}],
             "tool_choice":{"type":"auto"},"thinking":{"type":"disabled"}}"""));
    EXAMPLES.put(
        "/v1/messages/count_tokens",
        List.of("{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}"));
    EXAMPLES.put(
        "/api/chat",
        List.of(
            "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"stream\":false,\"options\":{\"num_predict\":2}}",
            "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"tools\":[%s],\"stream\":false,\"options\":{\"num_predict\":1}}"
                .formatted(TOOL)));
    EXAMPLES.put(
        "/api/generate",
        List.of(
            "{\"prompt\":\"Once upon a time\",\"stream\":false,\"options\":{\"num_predict\":2}}"));
    EXAMPLES.put("/api/embed", List.of("{\"input\":[\"A text\"]}"));
    EXAMPLES.put("/api/embeddings", List.of("{\"prompt\":\"A text\"}"));
    EXAMPLES.put("/api/show", List.of("{\"model\":\"weft-tiny\"}"));
    EXAMPLES.put(
        "/completion",
        List.of(
            "{\"prompt\":\"Once upon a time\",\"n_predict\":2}",
            "{\"prompt\":\"Once\",\"logit_bias\":[[3,-1]],\"n_predict\":1}"));
    EXAMPLES.put("/tokenize", List.of("{\"content\":\"Hello\"}"));
    EXAMPLES.put("/detokenize", List.of("{\"tokens\":[3,4]}"));
    EXAMPLES.put(
        "/apply-template", List.of("{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}"));
  }

  private static final Map<String, HeardBody> heard = new TreeMap<>();
  private static final Set<String> seen = ConcurrentHashMap.newKeySet();
  private static volatile boolean isLearning = true;
  private static Running running;

  @BeforeAll
  static void start() {
    running =
        Running.start(
            options -> options.withReading(BodiesTest::hear),
            Running.shelf(LoadOptions.standard()));
    EXAMPLES.forEach(
        (path, bodies) -> {
          for (var body : bodies) {
            var answer = running.post(path, body);
            assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(200);
            synchronized (heard) {
              if (heard.containsKey(path)) heard.get(path).end();
            }
          }
        });
    isLearning = false;
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static void hear(String place, java.util.function.Supplier<ObjectNode> schema) {
    int blank = place.indexOf(' ');
    seen.add(place);
    if (!isLearning) return;
    synchronized (heard) {
      heard
          .computeIfAbsent(place.substring(0, blank), path -> new HeardBody())
          .field(place.substring(blank + 1), schema.get());
    }
  }

  @Test
  void theDocumentSaysWhatIsRead() throws IOException {
    var document = MAPPER.createObjectNode();
    EXAMPLES.forEach(
        (path, bodies) -> {
          var body = document.putObject(path);
          body.set("schema", heard.get(path).schema());
          body.set("example", MAPPER.readTree(bodies.getFirst()));
        });
    var text = MAPPER.writeValueAsString(document) + "\n";
    var made = Path.of("target", "bodies.json");
    Files.writeString(made, text);
    assertThat(MAPPER.readTree(WRITTEN.toFile()))
        .as("%s, which is now read otherwise; copy %s there", WRITTEN, made)
        .isEqualTo(MAPPER.readTree(text));
  }

  @Test
  void everyRouteThatTakesABodySaysWhich() {
    var paths = running.get("/openapi.json").json().get("paths");
    Set<String> posted =
        paths.properties().stream()
            .filter(path -> path.getValue().has("post"))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    // Nothing is read of it.
    posted.remove("/v1/responses/{id}/cancel");
    assertThat(posted).isEqualTo(EXAMPLES.keySet());
    assertThat(posted)
        .allSatisfy(path -> assertThat(schema(paths, path).get("properties").size()).isPositive());
  }

  private static JsonNode schema(JsonNode paths, String path) {
    return paths.get(path).at("/post/requestBody/content/application~1json/schema");
  }

  @Test
  void whatIsNotAsTheDocumentSaysIsRefusedByName() {
    var paths = running.get("/openapi.json").json().get("paths");
    EXAMPLES.forEach(
        (path, bodies) -> {
          for (var property : schema(paths, path).get("properties").properties()) {
            var type = property.getValue().path("type").asString("");
            if (type.isEmpty()) continue;
            var body = (ObjectNode) MAPPER.readTree(bodies.getFirst());
            var name = property.getKey();
            if (type.equals("string")) body.put(name, 5);
            else body.put(name, "nonsense");
            seen.clear();
            var answer = running.post(path, body.toString());
            // Of two names for one thing the first that is there is read.
            if (answer.status() == 200 && !seen.contains(path + " " + name)) continue;
            assertThat(answer.status())
                .as("%s %s: %s", path, name, answer.body())
                .isBetween(400, 404);
            assertThat(answer.body()).as(path).contains(name);
          }
        });
  }
}
