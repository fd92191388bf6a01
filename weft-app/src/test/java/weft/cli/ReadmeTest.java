package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is true: its program compiles and tells a story. */
class ReadmeTest {
  private static final Path README = Path.of("../README.md");

  /** The one Java program of the README. */
  private static String program() throws IOException {
    var block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    var blocks = block.matcher(Files.readString(README)).results().map(r -> r.group(1)).toList();
    assertThat(blocks).hasSize(1);
    return blocks.getFirst();
  }

  @Test
  void theLibraryExampleCompilesAndRuns(@TempDir Path folder) throws Exception {
    compile(program(), folder);
    var out = new ByteArrayOutputStream();
    var before = System.out;
    try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      var main = loader.loadClass("Story").getMethod("main", String[].class);
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).length()).isGreaterThan(100);
  }

  private static void compile(String source, Path folder) {
    var file =
        new SimpleJavaFileObject(
            URI.create("string:///Story.java"), SimpleJavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    var problems = new java.io.StringWriter();
    boolean isCompiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                problems,
                null,
                null,
                List.of(
                    "-d", folder.toString(), "-classpath", System.getProperty("java.class.path")),
                null,
                List.of(file))
            .call();
    assertThat(isCompiled).as(problems.toString()).isTrue();
  }

  @Test
  void everyCommandOfTheReadmeExists() throws IOException {
    var used = Pattern.compile("^\\$ \\./weft ([a-z]+)", Pattern.MULTILINE);
    var commands =
        used.matcher(Files.readString(README)).results().map(r -> r.group(1)).distinct().toList();
    assertThat(commands).contains("run", "chat", "inspect", "explain", "bench");
    for (var command : commands) assertThat(Cli.run(command, "--help").status()).isZero();
  }
}
