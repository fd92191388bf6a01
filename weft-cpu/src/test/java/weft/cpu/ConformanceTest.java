package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.backend.Backend;
import weft.backend.KvType;
import weft.conformance.ConformanceKit;
import weft.conformance.Precision;

/** The whole conformance kit on the CPU: the portable kernels and the best this machine runs. */
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
    return Stream.of(1, 2, 3, 8)
        .flatMap(
            threads ->
                Stream.of(
                    Arguments.of("portable", threads, Precision.FLOATS),
                    Arguments.of(Backend.Options.AUTO, threads, Precision.BYTES)));
  }

  @ParameterizedTest(name = "{0} kernels, {1} threads")
  @MethodSource("configurations")
  void computesEveryOpAsTheReferenceDoes(String isa, int threads, Precision precision) {
    var options = new Backend.Options(threads, isa, KvType.F32, Set.of());
    assertThat(kit.failures(ConformanceKit.backend("cpu"), options, precision)).isEmpty();
  }
}
