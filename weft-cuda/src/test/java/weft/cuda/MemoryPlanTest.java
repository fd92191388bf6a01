package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.KvType;
import weft.cuda.TroubledDriver.Trouble;
import weft.cuda.interpret.InterpretedDriver;
import weft.experts.ExpertBudget;
import weft.experts.ExpertMemory;
import weft.generate.Request;
import weft.load.Check;
import weft.load.LanguageModel;
import weft.load.LoadException;
import weft.load.LoadOptions;
import weft.load.MemoryFit;
import weft.load.Profile;

/** What a model takes of a device is known before it takes any, and what is said to fit does. */
class MemoryPlanTest {
  private static final Path MODEL =
      Path.of(System.getProperty("weft.golden", "../weft-llm/src/test/resources/golden"))
          .resolve("hf/llama-untied");

  private static final int CONTEXT = 4096;
  private static final long ROOMY = 1L << 31;

  private static final LoadOptions OPTIONS =
      LoadOptions.standard()
          .withBackend("interpreted")
          .withContextLength(CONTEXT)
          .withListeners(_ -> {}, _ -> {});

  /** A device of so much memory meanwhile. */
  private static TroubledDriver on(long bytes, Runnable meanwhile) {
    var driver = new TroubledDriver(new InterpretedDriver(bytes, 300), Trouble.ONCE, 0);
    InterpretedBackend.with(() -> driver, meanwhile);
    assertThat(driver.held()).isEmpty();
    return driver;
  }

  private static MemoryFit check(long bytes, LoadOptions options) {
    return check(MODEL, bytes, options);
  }

  private static MemoryFit check(Path model, long bytes, LoadOptions options) {
    var found = new MemoryFit[1];
    var driver = on(bytes, () -> found[0] = Check.of(model, options).memory());
    assertThat(driver.allocated()).as("a check takes nothing").isZero();
    assertThat(driver.uploads()).isZero();
    return found[0];
  }

  /** Loads with a device of so much memory and replies to a short text; gives what went wrong. */
  private static Throwable load(long bytes, LoadOptions options, Consumer<TroubledDriver> after) {
    var thrown = new Throwable[1];
    var driver =
        on(
            bytes,
            () ->
                thrown[0] =
                    catchThrowable(
                        () -> {
                          try (var model = LanguageModel.load(MODEL, options)) {
                            model.generate(Request.of(1, 2, 3).withMaxTokens(1));
                          }
                        }));
    after.accept(driver);
    return thrown[0];
  }

  @Test
  void thePlanIsWhatALoadTakes() {
    var driver = new TroubledDriver(new InterpretedDriver(), Trouble.ONCE, 0);
    try (var device = new CudaDevice(driver, Backend.Options.standard())) {
      var program = TinyProgram.of(device);
      try (var prepared = device.prepare(TinyProgram.weights())) {
        var demand = device.planner().orElseThrow().demand(List.of(program, program), prepared);
        assertThat(driver.allocated()).isZero();
        device.load(program, prepared).close();
        long one = driver.allocated();
        assertThat(demand.weights() + demand.programs().getFirst().bytes()).isEqualTo(one);
        device.load(program, prepared).close();
        assertThat(demand.programs().getLast().bytes()).isEqualTo(driver.allocated() - one);
        assertThat(demand.programs().getFirst().services()).hasSameSizeAs(program.steps());
      }
    }
  }

  /** A device that has room for so much beside weights and programs; a 64th is its workspace. */
  private static long device(MemoryFit fit, long beside) {
    long needed = fit.weights() + fit.programs() - ROOMY / 64 + beside;
    return Math.ceilDiv(needed * 64, 63L);
  }

  @Test
  void aModelThatDoesNotFitIsRefusedBeforeAnythingIsCopied() {
    var all = check(ROOMY, OPTIONS);
    assertThat(all.missing()).isEmpty();
    long tooSmall = device(all, 0) - all.weights();
    var thrown =
        load(
            tooSmall,
            OPTIONS,
            driver -> {
              assertThat(driver.allocated()).isZero();
              assertThat(driver.uploads()).isZero();
            });
    assertThat(thrown)
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("does not fit the memory of interpreter")
        .hasMessageContaining("weights take")
        .hasMessageContaining("--backend cpu");
  }

  @Test
  void whatIsSaidToFitDoes() {
    var all = check(ROOMY, OPTIONS);
    long half = device(all, all.text() / 2);
    var fit = check(half, OPTIONS);
    assertThat(fit.fitting()).isLessThan(CONTEXT).isPositive();
    var thrown = load(half, OPTIONS, driver -> assertThat(driver.allocated()).isZero());
    assertThat(thrown).isInstanceOf(LoadException.class);
    var context = Pattern.compile("--context (\\d+)").matcher(thrown.getMessage());
    assertThat(context.find()).as(thrown.getMessage()).isTrue();
    int said = Integer.parseInt(context.group(1));
    assertThat(load(half, OPTIONS.withContextLength(said), _ -> {})).isNull();
    assertThat(load(half, OPTIONS.withContextLength(said + 64), _ -> {}))
        .isInstanceOf(LoadException.class);
    assertThat(thrown).hasMessageContaining("kv = \"f16\"");
    var halves = OPTIONS.withProfile(Profile.standard().withKvType(KvType.F16));
    assertThat(load(half, halves, _ -> {})).isNull();
  }

  /** A mixture whose experts do not fit is given a budget by which it does. */
  @Test
  void expertsThatDoNotFitAreGivenABudgetThatDoes() {
    var mixture = CudaGoldenTest.GOLDEN.resolve("gguf/qwen3-moe-q8_0.gguf");
    var all = check(mixture, ROOMY, OPTIONS);
    long tooSmall = device(all, all.text()) - 100_000;
    var missing = check(mixture, tooSmall, OPTIONS).missing().orElseThrow();
    var budget = Pattern.compile("--expert-memory (\\d+)K, or --backend cpu").matcher(missing);
    assertThat(budget.find()).as(missing).isTrue();
    var bytes = new ExpertBudget.Bytes(Long.parseLong(budget.group(1)) << 10);
    var fitting = OPTIONS.withExperts(ExpertMemory.of(bytes));
    assertThat(check(mixture, tooSmall, fitting).missing()).isEmpty();
    on(
        tooSmall,
        () -> {
          try (var model = LanguageModel.load(mixture, fitting)) {
            model.generate(Request.of(1, 2, 3).withMaxTokens(1));
            assertThat(model.experts().orElseThrow().slots()).isGreaterThan(1);
          }
        });
  }

  /** A plan takes as long as a program to make: none is made where it could say but yes. */
  @Test
  void aSmallModelOnALargeDeviceIsNotPlanned() {
    on(
        100L << 30,
        () -> {
          try (var model = LanguageModel.load(MODEL, OPTIONS)) {
            assertThat(model.compilations()).isZero();
          }
        });
    on(
        ROOMY,
        () -> {
          try (var model = LanguageModel.load(MODEL, OPTIONS)) {
            assertThat(model.compilations()).isEqualTo(2);
          }
        });
  }

  /** Without a context that was asked for, any text is enough. */
  @Test
  void aLongContextIsNotHeldAgainstAModel() {
    var all = check(ROOMY, OPTIONS);
    long half = device(all, all.text() / 2);
    assertThat(load(half, LoadOptions.standard().withBackend("interpreted"), _ -> {})).isNull();
  }
}
