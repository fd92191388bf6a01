package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.backend.Backend;
import weft.backend.CodeStore;
import weft.cuda.driver.Driver;
import weft.cuda.interpret.InterpretedDriver;
import weft.generate.Request;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/** Compiled kernels from process to process: found when they are this driver's, else made anew. */
class KernelCacheTest {
  private static final Path MODEL =
      Path.of(System.getProperty("weft.golden", "../weft-llm/src/test/resources/golden"))
          .resolve("hf/llama-untied");

  private final Map<String, byte[]> kept = new HashMap<>();
  private final CodeStore store =
      new CodeStore() {
        @Override
        public Optional<byte[]> find(String key) {
          return Optional.ofNullable(kept.get(key));
        }

        @Override
        public void keep(String key, byte[] code) {
          kept.put(key, code);
        }
      };

  /** How often a load and some steps on this driver had something compiled. */
  private int compilations(InterpretedDriver driver) {
    try (var device = new CudaDevice(driver, Backend.Options.standard().withCode(store))) {
      assertThat(TinyProgram.run(device)).doesNotContain(Float.NaN);
    }
    return driver.compilations();
  }

  private static InterpretedDriver driver(String name, int minor, int version) {
    return new InterpretedDriver(
        new Driver.Properties(name, 9, minor, 2, 227 << 10, 1L << 31, version));
  }

  @Test
  void theSecondLoadCompilesNothing() {
    assertThat(compilations(new InterpretedDriver())).isEqualTo(1);
    assertThat(kept).hasSize(1);
    assertThat(compilations(new InterpretedDriver())).isZero();
  }

  @Test
  void anotherDeviceOrDriverHasItsOwn() {
    for (var each :
        List.of(
            driver("H200", 0, 12_080),
            driver("H100", 0, 12_080),
            driver("H200", 1, 12_080),
            driver("H200", 0, 13_000))) {
      assertThat(compilations(each)).as("%s", each.properties()).isEqualTo(1);
    }
    assertThat(kept).hasSize(4);
    assertThat(compilations(driver("H200", 0, 12_080))).isZero();
  }

  @Test
  void codeThatTheDriverRefusesIsReplaced() {
    compilations(new InterpretedDriver());
    kept.replaceAll((_, _) -> new byte[] {1, 2, 3});
    assertThat(compilations(new InterpretedDriver())).isEqualTo(1);
    assertThat(compilations(new InterpretedDriver())).isZero();
  }

  @TempDir Path folder;

  /** How often a model's load and reply had kernels compiled, with what was warned of. */
  private int compilations(List<String> warnings) {
    var driver = new InterpretedDriver();
    var options =
        LoadOptions.standard()
            .withBackend("interpreted")
            .withProgramCache(folder)
            .withListeners(warnings::add, _ -> {});
    InterpretedBackend.with(
        () -> driver,
        () -> {
          try (var model = LanguageModel.load(MODEL, options)) {
            model.generate(Request.of(1, 2, 3).withMaxTokens(2));
          }
        });
    return driver.compilations();
  }

  @Test
  void aModelsSecondStartCompilesNothingAndTrustsNoDamage() throws IOException {
    var warnings = new ArrayList<String>();
    assertThat(compilations(warnings)).isPositive();
    assertThat(compilations(warnings)).isZero();
    assertThat(warnings).isEmpty();
    try (var files = Files.list(folder)) {
      for (var entry : files.filter(file -> file.toString().endsWith(".code")).toList()) {
        var content = Files.readAllBytes(entry);
        content[content.length / 2] ^= 1;
        Files.write(entry, content);
      }
    }
    assertThat(compilations(warnings)).isPositive();
    assertThat(warnings)
        .isNotEmpty()
        .allMatch(warning -> warning.startsWith("the compiled code ") && warning.contains("seal"));
    warnings.clear();
    assertThat(compilations(warnings)).isZero();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aFolderThatCannotBeWrittenIsNoFailure() throws IOException {
    folder = Files.createFile(folder.resolve("a-file"));
    var warnings = new ArrayList<String>();
    assertThat(compilations(warnings)).isPositive();
    assertThat(warnings).singleElement().asString().contains("neither taken from");
  }
}
