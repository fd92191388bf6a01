package weft.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people build on says what they must know of it. */
class ApiTest {
  private static final Path LIBRARY = Path.of("../weft-llm/src/main/java");

  /** A type of its own file: what is within another is that one's. */
  private static final Pattern TYPE =
      Pattern.compile(
          "(/\\*\\*(?:(?!\\*/).)*\\*/)\\n"
              + "(?:@[^\\n"
              + "]+\\n"
              + ")*public (?:sealed |final )*(class|interface) (\\w+)[^{]*\\{",
          Pattern.DOTALL);

  @ParameterizedTest
  @ValueSource(strings = {"load", "generate", "chat", "text", "text/tokenizer", "format"})
  void everyTypeSaysWhichThreadsMayUseIt(String room) throws IOException {
    var folder = LIBRARY.resolve("weft").resolve(room);
    assertThat(Files.readString(folder.resolve("package-info.java")))
        .as("of records, enums and exceptions")
        .contains("safe for all threads");
    var silent = new ArrayList<String>();
    try (var files = Files.list(folder)) {
      for (var file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        var type = TYPE.matcher(Files.readString(file));
        if (!type.find() || type.group(3).endsWith("Exception")) continue;
        if (!type.group(1).matches("(?s).*(threads?\\b|[Ii]mmutable).*")) silent.add(type.group(3));
      }
    }
    assertThat(silent).as("public types that say nothing of threads").isEmpty();
  }

  /** What grows is made by factories and withers, so that growing breaks nobody. */
  @Test
  void optionsAreNotRecords() {
    for (var name :
        List.of(
            "load/LoadOptions",
            "load/Profile",
            "generate/Request",
            "generate/Stops",
            "generate/Sampling",
            "generate/Penalties",
            "generate/Capacity",
            "generate/DraftOptions",
            "generate/Usage",
            "chat/ChatOptions",
            "chat/Message")) {
      assertThat(source(name))
          .contains("public final class")
          .doesNotContain("  public " + last(name) + "(");
    }
  }

  private static String source(String name) {
    try {
      return Files.readString(LIBRARY.resolve("weft").resolve(name + ".java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String last(String name) {
    return name.substring(name.indexOf('/') + 1);
  }
}
