package weft.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import weft.load.TextParts;
import weft.text.TextException;
import weft.text.jinja.TemplateException;

/** Turns messages into the prompt that a model's chat template makes of them. */
@Command(
    name = "render",
    description = {
      "Prints the prompt that a chat template makes of messages.",
      "MODEL may also be a .jinja file."
    })
final class RenderCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelArgument model;

  @Option(
      names = "--messages",
      required = true,
      paramLabel = "FILE",
      description = {
        "JSON: {\"messages\":[..],\"tools\":[..],\"add_generation_prompt\":bool} and any other"
            + " variable of the template; - is standard input."
      })
  private Path messages;

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description = "What strftime_now reads, like 2026-01-05T12:00:00 (default: the clock).")
  private @Nullable String now;

  @Option(
      names = "--json",
      description = "Print {\"prompt\":..}, or {\"error\":..} when the template fails.")
  private boolean isJson;

  RenderCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var clock = clock();
    var parts = TextParts.at(model.path(console));
    var variables = variables(parts);
    try {
      var prompt = parts.chatTemplate(console::say).withClock(clock).render(variables);
      if (isJson) {
        Json.print(console, Json.object().put("prompt", prompt));
      } else {
        console.out().println(prompt);
      }
      return 0;
    } catch (TemplateException | TextException e) {
      if (!isJson) throw e;
      Json.print(console, Json.object().put("error", e.getMessage()));
      return 1;
    }
  }

  /** The checkpoint's special tokens, and over them what the file says. */
  private Map<String, Object> variables(TextParts parts) {
    var source = messages.toString();
    var text = source.equals("-") ? TextInput.standard(console) : TextInput.file(messages);
    JsonNode given;
    try {
      given = Json.parse(text);
    } catch (JacksonException e) {
      throw new CliException(source + " is not JSON: " + e.getOriginalMessage(), e);
    }
    if (!given.isObject()) {
      throw new CliException(source + " is " + given.getNodeType() + ", expected an object");
    }
    var variables = new LinkedHashMap<String, Object>(parts.specialTokens());
    given.properties().forEach(entry -> variables.put(entry.getKey(), entry.getValue()));
    return variables;
  }

  private Clock clock() {
    if (now == null) return Clock.systemDefaultZone();
    var zone = ZoneId.systemDefault();
    try {
      var time = now.contains("T") ? LocalDateTime.parse(now) : LocalDate.parse(now).atStartOfDay();
      return Clock.fixed(time.atZone(zone).toInstant(), zone);
    } catch (DateTimeException e) {
      throw new UsageException("--now takes a time like 2026-01-05T12:00:00, got " + now);
    }
  }
}
