package weft.constrain.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weft.constrain.ConstrainException;

/** Random schemas mean to the grammar what they mean to a validator that takes them literally. */
final class RandomSchemaTest {
  private static final int SCHEMAS = 250;
  private static final int VALUES = 40;

  @Test
  void grammarsAgreeWithANaiveValidator() {
    int compared = 0;
    for (long seed = 0; seed < SCHEMAS; seed++) {
      var random = new RandomSchemas(seed);
      var schema = random.schema(3);
      try {
        var texts = SharedSchemas.reader(JsonSchema.compile(schema));
        for (int i = 0; i < VALUES; i++) {
          var value = random.value(3);
          boolean valid = NaiveValidator.isValid(schema, value);
          assertThat(texts.test(value))
              .as("%s of %s, seed %d", value, schema, seed)
              .isEqualTo(valid);
          compared++;
        }
      } catch (ConstrainException e) {
        assertThat(e).as("seed %d: %s", seed, schema).hasMessageContaining("no value at all");
        for (int i = 0; i < VALUES; i++) {
          var value = random.value(3);
          assertThat(NaiveValidator.isValid(schema, value))
              .as("%s of %s, seed %d", value, schema, seed)
              .isFalse();
        }
      }
    }
    assertThat(compared).isGreaterThan(SCHEMAS * VALUES / 2);
  }
}
