package weft.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Our own small templates against what Python's Jinja2 3.1.6 makes of them in the environment that
 * Transformers sets up. Rows without variables use goldens-variables.json; {@code fails} quotes
 * Python's error for the reader, only that there is one is checked.
 */
final class GoldensTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-05T12:00:00Z"), ZoneOffset.UTC);

  @TestFactory
  Stream<DynamicTest> rendersAsJinja2Does() throws IOException {
    JsonNode shared = JSON.readTree(String.join("\n", lines("goldens-variables.json")));
    List<JsonNode> rows = lines("goldens.jsonl").stream().map(JSON::readTree).toList();
    assertThat(rows).hasSizeGreaterThan(1000);
    return IntStream.range(0, rows.size())
        .mapToObj(
            i -> {
              JsonNode row = rows.get(i);
              JsonNode variables = row.has("variables") ? row.get("variables") : shared;
              return dynamicTest("line " + (i + 1), () -> check(row, variables));
            });
  }

  private static void check(JsonNode row, JsonNode variables) {
    String source = row.get("template").stringValue();
    if (row.has("expected")) {
      assertThat(render(source, variables)).as(source).isEqualTo(row.get("expected").stringValue());
    } else if (row.has("raised")) {
      assertThatThrownBy(() -> render(source, variables))
          .isInstanceOf(TemplateException.class)
          .hasMessage(row.get("raised").stringValue())
          .extracting(failure -> ((TemplateException) failure).kind())
          .isEqualTo(TemplateException.Kind.RAISED);
    } else {
      assertThatThrownBy(() -> render(source, variables))
          .as(source + " fails with " + row.get("fails").stringValue())
          .isInstanceOf(TemplateException.class)
          .extracting(failure -> ((TemplateException) failure).kind())
          .isNotEqualTo(TemplateException.Kind.RAISED);
    }
  }

  private static String render(String source, JsonNode variables) {
    Map<String, JsonNode> map = new LinkedHashMap<>();
    variables.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    return Template.compile(source).render(map, Limits.DEFAULT, CLOCK);
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream stream = GoldensTest.class.getResourceAsStream(resource)) {
      assertThat(stream).as(resource).isNotNull();
      return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
          .lines()
          .toList();
    }
  }
}
