package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.backend.Backend;
import weft.conformance.ConformanceKit;
import weft.conformance.Precision;
import weft.cpu.asm.Host;
import weft.cpu.asm.Isa;

/** The whole conformance kit on the CPU: the portable kernels and every level this machine has. */
class ConformanceTest {
  private static ConformanceKit kit;

  @BeforeAll
  static void open() {
    kit = new ConformanceKit();
  }

  @AfterAll
  static void close() {
    kit.close();
  }

  static Stream<Arguments> configurations() {
    var portable = Stream.of(1, 3).map(n -> Arguments.of("portable", n, Precision.FLOATS));
    var best =
        Stream.of(1, 2, 3, 8).map(n -> Arguments.of(Backend.Options.AUTO, n, Precision.BYTES));
    var lesser = levels().map(isa -> Arguments.of(isa.spelling(), 2, Precision.BYTES));
    return Stream.of(portable, best, lesser).flatMap(s -> s);
  }

  /** The levels below the best one of this machine, where it runs emitted code at all. */
  private static Stream<Isa> levels() {
    return switch (Host.probe()) {
      case Host.Emits(_, var best) ->
          Arrays.stream(Isa.values()).filter(isa -> best.includes(isa) && isa != best);
      case Host.Refuses _ -> Stream.empty();
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"portable", Backend.Options.AUTO})
  void refusesWhatIsNotItsOwn(String isa) {
    var options = Backend.Options.standard().withThreads(2).withIsa(isa);
    assertThat(kit.refusals(ConformanceKit.backend("cpu"), options)).isEmpty();
  }

  @ParameterizedTest(name = "{0} kernels, {1} threads")
  @MethodSource("configurations")
  void computesEveryOpAsTheReferenceDoes(String isa, int threads, Precision precision) {
    var options = Backend.Options.standard().withThreads(threads).withIsa(isa);
    assertThat(kit.failures(ConformanceKit.backend("cpu"), options, precision)).isEmpty();
  }
}
