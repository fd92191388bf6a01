package weft.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import weft.text.jinja.TemplateException;

/**
 * Real templates against what Transformers makes of them, from the shared folder beside the
 * repository.
 */
final class ChatTemplateGoldensTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TestFactory
  Stream<DynamicTest> rendersAsTransformersDoes() throws IOException {
    Path folder = folder();
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".jsonl")).sorted().toList()) {
        int line = 0;
        for (String row : Files.readAllLines(file)) {
          line++;
          JsonNode golden = JSON.readTree(row);
          if (!golden.path("quirk").isString()) {
            tests.add(dynamicTest(file.getFileName() + ":" + line, () -> check(folder, golden)));
          }
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(200);
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> parsesEveryTemplate() throws IOException {
    Path folder = folder().resolve("llama.cpp-all");
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(path -> path.toString().endsWith(".jinja")).sorted().toList().stream()
          .map(
              file ->
                  dynamicTest(
                      file.getFileName().toString(),
                      () -> ChatTemplate.compile(Files.readString(file))));
    }
  }

  private static void check(Path folder, JsonNode golden) throws IOException {
    String source =
        golden.has("template_str")
            ? golden.get("template_str").stringValue()
            : Files.readString(folder.resolve(golden.get("template").stringValue()));
    LocalDateTime now = LocalDateTime.parse(golden.get("strftime_now").stringValue());
    Clock clock = Clock.fixed(now.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    ObjectNode variables = variables(folder, golden);
    if (golden.get("expected").isString()) {
      String rendered = ChatTemplate.compile(source).withClock(clock).render(variables);
      assertThat(rendered).isEqualTo(golden.get("expected").stringValue());
      return;
    }
    assertThatCode(() -> ChatTemplate.compile(source).withClock(clock).render(variables))
        .isInstanceOfSatisfying(
            TemplateException.class,
            failure -> {
              if (golden.get("error_kind").stringValue().equals("raise_exception")) {
                assertThat(failure.kind()).isEqualTo(TemplateException.Kind.RAISED);
                assertThat(failure.getMessage()).isEqualTo(golden.get("error").stringValue());
              } else {
                assertThat(failure.kind())
                    .isIn(TemplateException.Kind.RUNTIME, TemplateException.Kind.SYNTAX);
                assertThat(failure.reason()).isEqualTo(golden.get("error").stringValue());
              }
            });
  }

  private static ObjectNode variables(Path folder, JsonNode golden) throws IOException {
    if (golden.has("context")) {
      ObjectNode context =
          (ObjectNode)
              JSON.readTree(Files.readString(folder.resolve(golden.get("context").stringValue())));
      return context;
    }
    ObjectNode variables = JSON.createObjectNode();
    variables.set("messages", golden.get("messages"));
    variables.set("tools", golden.get("tools"));
    golden
        .get("special_tokens")
        .properties()
        .forEach(entry -> variables.set(entry.getKey(), entry.getValue()));
    golden
        .get("kwargs")
        .properties()
        .forEach(entry -> variables.set(entry.getKey(), entry.getValue()));
    return variables;
  }

  private static Path folder() {
    Path here = Path.of("").toAbsolutePath();
    for (Path folder = here; folder != null; folder = folder.getParent()) {
      Path candidate = folder.resolveSibling("shared").resolve("text/chat-templates");
      if (Files.isDirectory(candidate)) {
        return candidate;
      }
    }
    assumeTrue(false, "SKIPPED: no shared/text/chat-templates beside any folder above " + here);
    throw new UncheckedIOException(new IOException("unreachable"));
  }
}
