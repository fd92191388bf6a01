package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
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
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;

/** The whole conformance kit on the CPU: the portable kernels and every level this machine has. */
class ConformanceTest {
  private static ConformanceKit kit;

  /** What the device takes by itself: all cores, or the caller alone for a small step. */
  private static final OptionalInt UNSET = OptionalInt.empty();

  @BeforeAll
  static void open() {
    kit = new ConformanceKit();
  }

  @AfterAll
  static void close() {
    kit.close();
  }

  static Stream<Arguments> configurations() {
    var portable = Stream.of(1, 3).map(n -> Arguments.of("portable", team(n), Precision.FLOATS));
    var teams = Stream.of(team(1), team(2), team(3), team(8), UNSET);
    var best = teams.map(team -> Arguments.of(Backend.Options.AUTO, team, Precision.BYTES));
    var lesser = levels().map(isa -> Arguments.of(isa.spelling(), team(2), Precision.BYTES));
    return Stream.of(portable, best, lesser).flatMap(s -> s);
  }

  private static OptionalInt team(int threads) {
    return OptionalInt.of(threads);
  }

  /** The levels below the best one of this machine, where it runs emitted code at all. */
  private static Stream<Isa> levels() {
    return switch (Host.probe()) {
      case Host.Emits(_, var best) -> Hosts.levels().stream().filter(isa -> isa != best);
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
  void computesEveryOpAsTheReferenceDoes(String isa, OptionalInt threads, Precision precision) {
    var standard = Backend.Options.standard().withIsa(isa);
    var options = threads.isEmpty() ? standard : standard.withThreads(threads.getAsInt());
    assertThat(kit.failures(ConformanceKit.backend("cpu"), options, precision)).isEmpty();
  }
}
