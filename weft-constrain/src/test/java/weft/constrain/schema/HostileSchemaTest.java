package weft.constrain.schema;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weft.constrain.ConstrainException;

/** Schemas made to cost more than they say: refused after a bounded number of steps. */
final class HostileSchemaTest {
  private static String many(
      int count, String separator, java.util.function.IntFunction<String> one) {
    return IntStream.range(0, count).mapToObj(one).collect(Collectors.joining(separator));
  }

  private static void assertRefused(String schema) {
    assertThatThrownBy(() -> JsonSchema.compile(schema)).isInstanceOf(ConstrainException.class);
  }

  @Test
  void productsOfAlternativesAreBounded() {
    assertRefused(
        "{\"type\":\"object\",\"allOf\":["
            + many(
                20,
                ",",
                i ->
                    "{\"anyOf\":[{\"required\":[\"a%1$d\"]},{\"required\":[\"b%1$d\"]}]}"
                        .formatted(i))
            + "]}");
    assertRefused(
        "{\"oneOf\":["
            + many(
                20,
                ",",
                i ->
                    "{\"type\":\"object\",\"properties\":{"
                        + many(20, ",", j -> "\"p%d\":{\"minLength\":%d}".formatted(j, i + j))
                        + "}}")
            + "]}");
  }

  @Test
  void chainsOfReferencesDoNotDouble() {
    assertRefused(
        "{\"$ref\":\"#/$defs/d0\",\"$defs\":{"
            + many(
                300,
                ",",
                i -> "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"}]}".formatted(i, i + 1))
            + ",\"d300\":{}}}");
    assertRefused("{\"anyOf\":[{\"$ref\":\"#\"},{\"type\":\"null\"}]}");
    assertRefused("{\"not\":{\"$ref\":\"#\"}}");
  }

  @Test
  void nestingIsBounded() {
    assertRefused("{\"items\":".repeat(400) + "{}" + "}".repeat(400));
    assertRefused("[".repeat(100_000));
  }

  @Test
  void patternsThatMultiplyAreBounded() {
    assertRefused(
        "{\"type\":\"object\",\"patternProperties\":{"
            + many(24, ",", i -> "\"(a|b)*%s(a|b){%d}\":{\"minLength\":%d}".formatted("a", i, i))
            + "}}");
  }

  @Test
  void countsThatMultiplyAreBounded() {
    assertRefused(
        "{\"type\":\"object\",\"minProperties\":100000000,\"properties\":{\"a\":{},\"b\":{}}}");
    assertRefused(
        "{\"type\":\"array\",\"contains\":{\"const\":1},\"minContains\":1000000,\"maxContains\":2000000}");
  }
}
