package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.generate.Generator;
import weft.generate.Request;

/** Compiled programs on disk: used when they are whole, rebuilt with a warning when not. */
class ProgramCacheTest {
  private static final Golden GOLDEN = new Golden("llama-untied");

  @TempDir Path folder;
  private final List<String> warnings = new ArrayList<>();

  /** How many programs a load and a reply compiled; the tokens are checked. */
  private int compilations() {
    warnings.clear();
    var options =
        LoadOptions.standard()
            .withThreads(2)
            .withProgramCache(folder)
            .withListeners(warnings::add, progress -> {});
    try (var model = LanguageModel.load(GOLDEN.gguf("f32"), options);
        var generator = new Generator(model.model())) {
      var c = GOLDEN.cases().get(1);
      var reply = generator.generate(Request.of(c.prompt()).withMaxTokens(c.greedy().length));
      assertThat(reply.tokens()).isEqualTo(c.greedy());
      return model.compilations();
    }
  }

  private List<Path> entries() throws IOException {
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  @Test
  void theSecondLoadCompilesNothing() throws IOException {
    assertThat(compilations()).as("one program a phase").isEqualTo(2);
    assertThat(entries()).hasSize(2).allMatch(entry -> entry.toString().endsWith(".weft"));
    assertThat(compilations()).isZero();
    assertThat(warnings).isEmpty();
  }

  /** A way to damage a file. */
  private record Damage(String name, Change change) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Change {
    byte[] of(byte[] content);
  }

  static Stream<Damage> damages() {
    return Stream.of(
        new Damage("empty", content -> new byte[0]),
        new Damage("cut in the middle", content -> Arrays.copyOf(content, content.length / 2)),
        new Damage("cut by a byte", content -> Arrays.copyOf(content, content.length - 1)),
        new Damage("longer by a line", content -> text(content, t -> t + "output x\n")),
        new Damage("no text at all", content -> noise(content.length)),
        new Damage(
            "another version",
            content -> text(content, t -> t.replaceFirst(" " + Version.TEXT + " ", " 0.0.9 "))),
        new Damage(
            "another format",
            content -> text(content, t -> t.replaceFirst("weft-program-1", "weft-program-2"))),
        new Damage("a bit flipped in the program", content -> flipped(content, content.length / 2)),
        new Damage("a bit flipped in the header", content -> flipped(content, 30)),
        new Damage(
            "a number changed",
            content ->
                text(content, t -> t.replaceFirst("bounds tokens=\\d+", "bounds tokens=3"))));
  }

  private static byte[] text(byte[] content, UnaryOperator<String> change) {
    return change
        .apply(new String(content, StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] noise(int length) {
    var noise = new byte[length];
    new SplittableRandom(5).nextBytes(noise);
    return noise;
  }

  private static byte[] flipped(byte[] content, int at) {
    content[at] ^= 4;
    return content;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void aDamagedEntryIsRebuiltWithOneWarning(Damage damage) throws IOException {
    compilations();
    var entry = entries().getFirst();
    var whole = Files.readAllBytes(entry);
    Files.write(entry, damage.change.of(whole.clone()));
    assertThat(compilations()).isEqualTo(1);
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("the compiled program " + entry + " is not usable (")
        .endsWith("; rebuilding it");
    assertThat(entry).hasBinaryContent(whole);
    assertThat(compilations()).isZero();
    assertThat(warnings).isEmpty();
  }

  @Test
  void anEntryUnderTheNameOfAnotherIsNotTakenForIt() throws IOException {
    compilations();
    var entries = entries();
    Files.write(entries.get(0), Files.readAllBytes(entries.get(1)));
    assertThat(compilations()).isEqualTo(1);
    assertThat(warnings).hasSize(1);
  }

  @Test
  void aFolderThatCannotBeWrittenIsAWarningNotAFailure() throws IOException {
    folder = Files.createFile(folder.resolve("a-file"));
    assertThat(compilations()).isEqualTo(2);
    assertThat(warnings)
        .hasSize(2)
        .allMatch(w -> w.startsWith("the compiled program could not be kept in"));
  }

  @Test
  void otherPassesTargetsAndSizesHaveOtherEntries() throws IOException {
    compilations();
    var options = LoadOptions.standard().withProgramCache(folder).withThreads(2);
    for (var other :
        List.of(
            options.withBackend("reference"),
            options.withIsa("portable"),
            options.withContextLength(100))) {
      int before = entries().size();
      try (var model = LanguageModel.load(GOLDEN.gguf("f32"), other);
          var generator = new Generator(model.model())) {
        generator.generate(Request.of(GOLDEN.cases().get(1).prompt()).withMaxTokens(2));
        assertThat(model.compilations()).isPositive();
      }
      assertThat(entries()).hasSizeGreaterThan(before);
    }
  }
}
