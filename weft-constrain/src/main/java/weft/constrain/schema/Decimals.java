package weft.constrain.schema;

import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;

/** Reads numbers of a schema, none so long that a few characters would stand for gigabytes. */
final class Decimals {
  private static final int LONGEST_NUMBER = 400;

  private Decimals() {}

  static BigDecimal of(JsonNode number) {
    var value = number.decimalValue().stripTrailingZeros();
    if (value.precision() > LONGEST_NUMBER || Math.abs((long) value.scale()) > LONGEST_NUMBER) {
      throw new Unplaced(
          "a number of the schema has more than "
              + LONGEST_NUMBER
              + " digits before or behind its point; make it shorter");
    }
    return value;
  }
}
