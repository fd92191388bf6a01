package weft.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a command left on its two streams, and its exit status. */
record Cli(int status, String out, String err) {
  private static final Path GOLDENS = Path.of("../weft-llm/src/test/resources/golden");

  /** A small checkpoint with random weights. */
  static String golden(String name) {
    return GOLDENS.resolve(name).toString();
  }

  static Cli run(String... args) {
    return runWithInput("", args);
  }

  static Cli runWithInput(String input, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            Output.ofResults(out),
            Output.ofRemarks(err),
            Settings.plain(Path.of("target", "cache")));
    int status = Commands.run(console, args);
    return new Cli(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The one document on standard output; anything else there is an error. */
  JsonNode json() {
    return new JsonMapper()
        .rebuild()
        .enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build()
        .readTree(out);
  }
}
