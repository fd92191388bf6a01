package examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every example does what it says, as a program of its own: without flags, as its reader has it.
 */
@Timeout(300)
class ExamplesTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** No example needs it: programs that end soon start sooner with one compiler. */
  private static final String QUICK = "-XX:TieredStopAtLevel=1";

  @TempDir private Path folder;

  /** How a program is put before the JVM. */
  private enum Way {
    CLASS_PATH {
      @Override
      List<String> command(String program) {
        return List.of(JAVA, QUICK, "-cp", needed(), "examples." + program);
      }
    },
    MODULE_PATH {
      @Override
      List<String> command(String program) {
        return List.of(JAVA, QUICK, "-p", needed(), "-m", "weft.examples/examples." + program);
      }
    };

    abstract List<String> command(String program);
  }

  /** What the examples need at run time: Weft and Jackson, of all that tests have. */
  private static String needed() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Files.exists(Path.of(entry)))
        .filter(entry -> !entry.endsWith("test-classes"))
        .filter(entry -> isNamed(entry, "jackson", "weft", "examples"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A jar by its name, a folder of classes by its module's. */
  private static boolean isNamed(String entry, String... beginnings) {
    var path = Path.of(entry);
    var name =
        entry.endsWith(".jar") ? path.getFileName() : path.getParent().getParent().getFileName();
    return Stream.of(beginnings).anyMatch(name.toString()::startsWith);
  }

  private static String run(List<String> command, String... arguments) throws Exception {
    var all = new ArrayList<>(command);
    all.addAll(List.of(arguments));
    var process = new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  @ParameterizedTest
  @EnumSource
  void generate(Way way) throws Exception {
    assertThat(run(way.command("Generate"), "Once upon a time"))
        .startsWith("Once upon a time")
        .containsPattern("80 tokens in \\d+ ms\n$");
  }

  @ParameterizedTest
  @EnumSource
  void chat(Way way) throws Exception {
    assertThat(run(way.command("Chat")))
        .startsWith("> What is 12 + 30?\n12 + 30 = 42\n> Who are you?\nI am Weft Tiny");
  }

  @ParameterizedTest
  @EnumSource
  void manyClients(Way way) throws Exception {
    assertThat(run(way.command("ManyClients"), "5").split("client "))
        .hasSize(6)
        .allMatch(story -> story.isEmpty() || story.length() > 40);
  }

  @ParameterizedTest
  @EnumSource
  void batchFile(Way way) throws Exception {
    var in = Files.writeString(folder.resolve("in.txt"), "Once upon a time\n\nOne day\n");
    var out = folder.resolve("out.txt");
    assertThat(run(way.command("BatchFile"), in.toString(), out.toString()))
        .startsWith("2 replies");
    assertThat(Files.readAllLines(out)).hasSize(2).noneMatch(String::isBlank);
  }

  @ParameterizedTest
  @EnumSource
  void constrain(Way way) throws Exception {
    assertThat(run(way.command("Constrain"), "red", "green", "greenish").strip())
        .isIn("red", "green", "greenish");
  }

  @ParameterizedTest
  @EnumSource
  void webHandler(Way way) throws Exception {
    var command = new ArrayList<>(way.command("WebHandler"));
    command.add("0");
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      var connection = URI.create(lines.readLine()).toURL().openConnection();
      connection.setDoOutput(true);
      connection.getOutputStream().write("What is 12 + 30?".getBytes(StandardCharsets.UTF_8));
      var answer = connection.getInputStream().readAllBytes();
      assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("12 + 30 = 42");
      process.getOutputStream().close();
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroy();
    }
  }

  @Test
  void anImageOfJlinkNeedsNothingElse() throws Exception {
    var jlink = ToolProvider.findFirst("jlink");
    assumeTrue(jlink.isPresent(), "this JDK has no jlink");
    var image = folder.resolve("image");
    var said = new ByteArrayOutputStream();
    var log = new PrintStream(said, true, StandardCharsets.UTF_8);
    int status =
        jlink
            .get()
            .run(
                log,
                log,
                "--module-path",
                needed(),
                "--add-modules",
                "weft.examples,weft.builtin",
                "--output",
                image.toString());
    var words = said.toString(StandardCharsets.UTF_8);
    assumeTrue(!words.contains("java.base not found"), "this JDK has no modules to link: " + words);
    assertThat(status).as(words).isZero();
    var java = image.resolve("bin").resolve("java").toString();
    assertThat(run(List.of(java, "-m", "weft.examples/examples.Chat"))).contains("= 42");
    assertThat(run(List.of(java, "--list-modules"))).doesNotContain("vector");
    delete(image);
  }

  /** Links to the run-time's own files would hold up the folder's end. */
  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files
          .sorted((a, b) -> b.compareTo(a))
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  @Test
  void everyExampleIsTested() throws IOException {
    var methods =
        Arrays.stream(ExamplesTest.class.getDeclaredMethods())
            .map(method -> method.getName().toLowerCase(java.util.Locale.ROOT))
            .toList();
    try (var programs = Files.list(Path.of("src/main/java/examples"))) {
      assertThat(programs.map(file -> file.getFileName().toString()))
          .hasSize(6)
          .allSatisfy(
              name ->
                  assertThat(methods)
                      .contains(name.replace(".java", "").toLowerCase(java.util.Locale.ROOT)));
    }
  }
}
