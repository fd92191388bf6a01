package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.backend.BackendException;
import weft.format.Checkpoint;
import weft.format.Config;
import weft.format.FormatException;
import weft.format.Loading;
import weft.generate.Engine;
import weft.generate.GenerateException;
import weft.generate.Request;
import weft.quant.F32;

/** What happens to a model whose file changes, in a child process: it may not end. */
class ChangedFileTest {
  private static final Golden GOLDEN = new Golden("llama-untied");

  @TempDir Path folder;

  /** What is done to the file of a loaded model, and whether the model may go on. */
  private enum Change {
    CUT_SHORT(false) {
      @Override
      void to(Path file) throws IOException {
        cut(file);
      }
    },
    EMPTIED(false) {
      @Override
      void to(Path file) throws IOException {
        Files.write(file, new byte[0]);
      }
    },
    WRITTEN_OVER(false) {
      @Override
      void to(Path file) throws IOException {
        Files.write(file, Files.readAllBytes(file), StandardOpenOption.WRITE);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
      }
    },
    DELETED(true) {
      @Override
      void to(Path file) throws IOException {
        Files.delete(file);
      }
    },
    REPLACED(true) {
      @Override
      void to(Path file) throws IOException {
        var other = Files.write(file.resolveSibling("other"), new byte[100]);
        Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
      }
    };

    private final boolean isHarmless;

    Change(boolean isHarmless) {
      this.isHarmless = isHarmless;
    }

    abstract void to(Path file) throws IOException;

    static void cut(Path file) throws IOException {
      try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(4096);
      }
    }
  }

  /** The child: a line a case, and at last that it is still there. */
  public static void main(String[] args) throws IOException {
    var file = Path.of(args[0]);
    for (var kernels : List.of("reference", "portable", "auto")) {
      for (var change : Change.values()) {
        for (var loading : List.of(Loading.MAP, Loading.COPY)) {
          Files.deleteIfExists(file);
          Files.copy(GOLDEN.gguf("f32"), file);
          report(
              kernels + " " + change + " " + loading,
              () -> changed(file, kernels, change, loading));
        }
      }
    }
    Files.deleteIfExists(file);
    Files.copy(GOLDEN.gguf("f32"), file);
    report("within a reading", () -> cutWithinAReading(file));
    System.out.println("alive");
  }

  private interface Case {
    void run() throws IOException;
  }

  private static void report(String name, Case what) throws IOException {
    try {
      what.run();
      System.out.println(name + ": goes on");
    } catch (FormatException | GenerateException e) {
      System.out.println(name + ": " + e.getMessage());
    }
  }

  private static void changed(Path file, String kernels, Change change, Loading loading)
      throws IOException {
    var options = LoadOptions.standard().withThreads(2).withLoading(loading);
    options = kernels.equals("reference") ? options.withBackend(kernels) : options.withIsa(kernels);
    var c = GOLDEN.cases().get(1);
    try (var model = LanguageModel.load(file, options);
        var engine = Engine.start(model.model())) {
      engine.generate(Request.of(1).withMaxTokens(1));
      change.to(file);
      var reply = engine.generate(Request.of(c.prompt()).withMaxTokens(c.greedy().length));
      assertThat(reply.tokens()).isEqualTo(c.greedy());
    }
  }

  /** After the look at the file and before its end: the JVM's own error becomes the file's. */
  private static void cutWithinAReading(Path file) throws IOException {
    try (var checkpoint = Checkpoint.open(file)) {
      var tensor = checkpoint.tensor("output.weight").orElseThrow();
      checkpoint.reading(
          () -> {
            try {
              Change.cut(file);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            var row = new float[64];
            for (int i = 0; i < 1000; i++)
              new F32().decode(tensor.bytes(), 4L * 64 * i % tensor.bytes().byteSize(), row, 0, 64);
            return row;
          });
    }
  }

  @Test
  void aFileThatChangesIsAnExceptionAndNeverTheEnd() throws Exception {
    var lines = child();
    assertThat(lines).last().isEqualTo("alive");
    for (var line : lines.subList(0, lines.size() - 1)) {
      if (line.contains(Loading.COPY.name()) || harmless(line)) {
        assertThat(line).endsWith(": goes on");
      } else {
        assertThat(line).contains("changing.gguf was changed while it was in use: it ");
      }
    }
    assertThat(lines).anyMatch(l -> l.contains("has 4096 bytes now and had "));
    assertThat(lines)
        .anyMatch(l -> l.contains("was written at 2001-09-09T01:46:40Z and before at "));
    assertThat(lines).hasSize(3 * Change.values().length * 2 + 2);
  }

  private static boolean harmless(String line) {
    return Arrays.stream(Change.values())
        .anyMatch(change -> change.isHarmless && line.contains(change.name()));
  }

  private List<String> child() throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-cp",
                System.getProperty("java.class.path"),
                ChangedFileTest.class.getName(),
                folder.resolve("changing.gguf").toString())
            .redirectError(folder.resolve("errors").toFile())
            .start();
    var lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as(Files.readString(folder.resolve("errors"))).isZero();
    return lines;
  }

  @Test
  void aCopyAndALockGiveTheSameTokens() {
    var c = GOLDEN.cases().get(1);
    for (var path : List.of(GOLDEN.gguf("f32"), GOLDEN.transformers())) {
      for (var loading : Loading.values()) {
        var said = new ArrayList<String>();
        var options =
            LoadOptions.standard()
                .withThreads(2)
                .withLoading(loading)
                .withListeners(warning -> {}, said::add);
        try (var model = LanguageModel.load(path, options);
            var engine = Engine.start(model.model())) {
          var reply = engine.generate(Request.of(c.prompt()).withMaxTokens(4));
          assertThat(reply.tokens()).isEqualTo(Arrays.copyOf(c.greedy(), 4));
          assertThat(said.stream().anyMatch(line -> line.startsWith("copying ")))
              .isEqualTo(loading == Loading.COPY);
        }
      }
    }
  }

  @Test
  void aCopyKeepsItsVocabularyWhateverBecomesOfTheFile() throws IOException {
    var file = folder.resolve("vocabulary.gguf");
    Files.copy(GOLDEN.gguf("f32"), file);
    TextParts text;
    try (var copy =
        Checkpoint.copy(
            file, new Config.Embedded(), (bytes, arena) -> arena.allocate(bytes), said -> {})) {
      Change.cut(file);
      text = TextParts.of(copy);
    }
    assertThat(text.tokenizer().orElseThrow().vocabularySize()).isPositive();
  }

  @Test
  void aVocabularyThatIsCutShortIsAnException() throws IOException {
    var file = folder.resolve("vocabulary.gguf");
    Files.copy(GOLDEN.gguf("f32"), file);
    try (var mapped = Checkpoint.open(file)) {
      var text = TextParts.of(mapped);
      Change.cut(file);
      assertThatThrownBy(text::tokenizer)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("has 4096 bytes now");
    }
  }

  @Test
  void whereThereIsNoMemoryForACopyItIsSaid() {
    assertThatThrownBy(
            () ->
                Checkpoint.copy(
                    GOLDEN.gguf("f32"),
                    new Config.Embedded(),
                    (bytes, arena) -> {
                      throw new OutOfMemoryError("no room");
                    },
                    said -> {}))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("there is no memory for a copy")
        .hasMessageContaining("--load map");
  }

  @Test
  void theReferenceCannotLockAndSaysWhatCan() {
    var options = LoadOptions.standard().withBackend("reference").withLoading(Loading.LOCK);
    assertThatThrownBy(() -> LanguageModel.load(GOLDEN.gguf("f32"), options))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("cannot keep memory resident; use --load copy");
  }
}
