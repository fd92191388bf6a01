package weft.cuda;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.cuda.TroubledDriver.Trouble;
import weft.cuda.interpret.InterpretedDriver;
import weft.generate.GenerateException;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/** Whatever call of the driver fails: one exception says so, and all that was taken is back. */
class TroublesTest {
  private static final Path MODEL =
      Path.of(System.getProperty("weft.golden", "../weft-llm/src/test/resources/golden"))
          .resolve("hf/llama-untied");

  /** How a model says that it does without steps ahead. */
  private static final String NOT_AHEAD = "steps are not told before they are asked for: ";

  private static void use(TroubledDriver driver) {
    try (var device = new CudaDevice(driver, Backend.Options.standard())) {
      TinyProgram.run(device);
    }
  }

  @Test
  void manyOpensLeaveNothing() {
    // A thousand take the interpreter a minute: weft-bench/cuda-kit --interpreted has them.
    for (int i = 0; i < (KitSettings.hasTime() ? 1000 : 15); i++) {
      var memory = new InterpretedDriver();
      var driver = new TroubledDriver(memory, Trouble.ONCE, 0);
      use(driver);
      assertThat(driver.held()).isEmpty();
      assertThat(memory.allocations()).isZero();
    }
  }

  /** Every call there is, one after the other. */
  @ParameterizedTest
  @EnumSource(Trouble.class)
  void everyCallMayFail(Trouble trouble) {
    int at = 1;
    while (true) {
      var driver = new TroubledDriver(new InterpretedDriver(), trouble, at);
      var thrown = catchThrowable(() -> use(driver));
      assertThat(driver.held()).as("after %s at call %d", trouble, at).isEmpty();
      if (!driver.hasFailed()) {
        assertThat(thrown).isNull();
        break;
      }
      // A wait on the way out has nobody who could do anything about it.
      if (thrown != null) {
        assertThat(thrown).as("call %d", at).isInstanceOf(BackendException.class);
      }
      at++;
    }
    assertThat(at).as("calls that were tried").isGreaterThan(30);
  }

  private static LanguageModel load(Consumer<String> warnings) {
    return LanguageModel.load(
        MODEL, LoadOptions.standard().withBackend("interpreted").withListeners(warnings, _ -> {}));
  }

  private static void reply(Consumer<String> warnings) {
    try (var model = load(warnings)) {
      model.generate(Request.of(1, 2, 3).withMaxTokens(3));
    }
  }

  private static void reply() {
    reply(_ -> {});
  }

  /**
   * A whole model, which fails somewhere, is reported, and can be opened again; of a step that
   * nobody has asked for yet, memory that is missing is no failure.
   */
  @ParameterizedTest
  @EnumSource(Trouble.class)
  void aModelThatLosesItsDeviceEndsItsRequestAndOpensAgain(Trouble trouble) {
    var well = new TroubledDriver(new InterpretedDriver(), trouble, 0);
    InterpretedBackend.with(() -> well, TroublesTest::reply);
    var random = new Random(Long.getLong("weft.cuda.seed", 18));
    var failures = new ArrayList<Throwable>();
    var places = random.ints(8, 1, well.calls() - 1).boxed().collect(toCollection(ArrayList::new));
    // The device's first call, and one within the reply.
    places.addAll(List.of(1, well.calls() - 4));
    for (int at : places) {
      var driver = new TroubledDriver(new InterpretedDriver(), trouble, at);
      var thrown = new Throwable[1];
      var warnings = new ArrayList<String>();
      InterpretedBackend.with(
          () -> driver, () -> thrown[0] = catchThrowable(() -> reply(warnings::add)));
      assertThat(driver.held()).as("after %s at call %d", trouble, at).isEmpty();
      assertThat(driver.hasFailed()).isTrue();
      if (thrown[0] == null && warnings.stream().anyMatch(w -> w.startsWith(NOT_AHEAD))) continue;
      assertThat(thrown[0])
          .as("call %d", at)
          .isInstanceOfAny(BackendException.class, GenerateException.class);
      failures.add(thrown[0]);
    }
    assertThat(failures).hasAtLeastOneElementOfType(GenerateException.class);
    reply();
  }

  private static final Request LONG = Request.of(1, 2, 3).withMaxTokens(8).ignoringEnds();

  private static int[] expected() {
    try (var model = LanguageModel.load(MODEL, LoadOptions.standard().withBackend("reference"))) {
      return model.generate(LONG).tokens();
    }
  }

  /** A step that is told ahead has a program of its own. */
  @Test
  void aReplyGoesOnWhereTheProgramOfTheNextStepFindsNoMemory() {
    var driver = new TroubledDriver(new InterpretedDriver(), Trouble.ONCE, 0);
    var warnings = new ArrayList<String>();
    var expected = expected();
    InterpretedBackend.with(
        () -> driver,
        () -> {
          try (var model = load(warnings::add)) {
            // Nobody knows what follows a token that is drawn, so there is one program a size.
            model.generate(LONG.withSampling(Sampling.seeded(3)));
            driver.fill();
            assertThat(model.generate(LONG).tokens()).containsExactly(expected);
            assertThat(model.generate(LONG).tokens()).containsExactly(expected);
          }
        });
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst()).startsWith(NOT_AHEAD + "the test's device has no ");
    assertThat(driver.held()).isEmpty();
  }

  /** All steps of one row but the first are told ahead. */
  @Test
  void aReplyGoesOnWhereTheGraphOfTheNextStepFindsNoMemory() {
    var well = new TroubledDriver(new InterpretedDriver(), Trouble.ONCE, 0);
    var expected = expected();
    InterpretedBackend.with(() -> well, () -> assertThat(tokens(_ -> {})).isEqualTo(expected));
    assertThat(well.graphs()).hasSize(2);
    for (int at : well.graphs()) {
      var driver = new TroubledDriver(new InterpretedDriver(), Trouble.ONCE, at);
      var warnings = new ArrayList<String>();
      InterpretedBackend.with(
          () -> driver, () -> assertThat(tokens(warnings::add)).isEqualTo(expected));
      assertThat(driver.hasFailed()).isTrue();
      assertThat(warnings).hasSize(1);
      assertThat(warnings.getFirst()).startsWith(NOT_AHEAD + "the test's device has no ");
      assertThat(driver.held()).isEmpty();
    }
  }

  private static int[] tokens(Consumer<String> warnings) {
    try (var model = load(warnings)) {
      return model.generate(LONG).tokens();
    }
  }
}
