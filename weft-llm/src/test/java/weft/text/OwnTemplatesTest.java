package weft.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.text.jinja.TemplateException;

/** Whole chat templates of our own against what Python's Jinja2 makes of them. */
final class OwnTemplatesTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-05T12:00:00Z"), ZoneOffset.UTC);

  @TestFactory
  Stream<DynamicTest> rendersAsTransformersWould() {
    return OwnText.rows("chats.jsonl").stream()
        .map(
            row ->
                dynamicTest(
                    row.get("template").stringValue() + ", " + row.get("chat").stringValue(),
                    () -> check(row)));
  }

  private static void check(JsonNode row) {
    var template =
        ChatTemplate.compile(OwnText.text("templates/" + row.get("template").stringValue()))
            .withClock(CLOCK);
    var variables = ((ObjectNode) row.get("variables")).put("bos_token", "<s>");
    variables.put("eos_token", "</s>");
    if (row.has("expected")) {
      assertThat(template.render(variables)).isEqualTo(row.get("expected").stringValue());
      return;
    }
    var failure = catchThrowableOfType(TemplateException.class, () -> template.render(variables));
    if (row.has("raised")) {
      assertThat(failure).hasMessage(row.get("raised").stringValue());
    }
    assertThat(failure.kind())
        .isEqualTo(
            row.has("raised") ? TemplateException.Kind.RAISED : TemplateException.Kind.RUNTIME);
  }
}
