package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.LinkedHashMap;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MetadataTest {
  private final Metadata metadata = metadata();

  private static Metadata metadata() {
    var values = new LinkedHashMap<String, MetadataValue>();
    values.put("text", new MetadataValue.Text("x"));
    values.put("int", new MetadataValue.Whole(ValueType.INT32, -3));
    values.put("big", new MetadataValue.Whole(ValueType.UINT64, Long.MIN_VALUE));
    values.put("real", new MetadataValue.Real(ValueType.FLOAT32, 1.5));
    values.put("flag", new MetadataValue.Flag(true));
    values.put("texts", new MetadataValue.Texts(TextArray.of(List.of("a", "b"))));
    values.put("bytes", new MetadataValue.Numbers(NumberArray.of(ValueType.UINT8, 200, 1)));
    values.put("bigs", new MetadataValue.Numbers(NumberArray.of(ValueType.UINT64, 1, -1)));
    values.put("floats", new MetadataValue.Numbers(NumberArray.ofFloats(0.5f)));
    values.put("none", new MetadataValue.Numbers(NumberArray.ofFloats()));
    return new Metadata("m.gguf", values);
  }

  @Test
  void absentKeysAreEmpty() {
    assertThat(metadata.has("gone")).isFalse();
    assertThat(metadata.value("gone")).isEmpty();
    assertThat(metadata.string("gone")).isEmpty();
    assertThat(metadata.integer("gone")).isEmpty();
    assertThat(metadata.count("gone")).isEmpty();
    assertThat(metadata.real("gone")).isEmpty();
    assertThat(metadata.bool("gone")).isEmpty();
    assertThat(metadata.integers("gone")).isEmpty();
    assertThat(metadata.texts("gone")).isEmpty();
    assertWrong(
        () -> metadata.string("gone").orElseThrow(metadata.absent("gone")),
        "m.gguf: no metadata key 'gone', which this model needs");
  }

  @Test
  void wholeNumbersCountAsReals() {
    assertThat(metadata.real("int")).hasValue(-3);
    assertThat(metadata.reals("bytes").orElseThrow()).containsExactly(200f, 1f);
    assertThat(metadata.reals("bigs").orElseThrow()).containsExactly(1f, 0x1p64f);
  }

  @Test
  void anEmptyArrayIsAnEmptyArrayOfAnything() {
    assertThat(metadata.integers("none").orElseThrow()).isEmpty();
    assertThat(metadata.reals("none").orElseThrow()).isEmpty();
    assertThat(metadata.bools("none").orElseThrow()).isEmpty();
    assertThat(metadata.strings("none").orElseThrow()).isEmpty();
  }

  @Test
  void wrongTypesNameTheKeyTheTypeMetAndTheTypeWanted() {
    assertWrong(
        () -> metadata.string("int"), "m.gguf: metadata key 'int' is INT32 -3, expected a STRING");
    assertWrong(() -> metadata.integer("text"), "'text' is STRING 'x', expected a whole number");
    assertWrong(() -> metadata.integer("real"), "'real' is FLOAT32 1.5, expected a whole number");
    assertWrong(() -> metadata.integer("big"), "'big' is UINT64 9223372036854775808, expected");
    assertWrong(() -> metadata.count("int"), "'int' is -3, expected 0 to 2^31 - 1");
    assertWrong(() -> metadata.real("texts"), "'texts' is STRING[2], expected a number");
    assertWrong(() -> metadata.bool("int"), "'int' is INT32 -3, expected a BOOL");
    assertWrong(() -> metadata.integers("floats"), "'floats' is FLOAT32[1], expected an array of");
    assertWrong(() -> metadata.integers("bigs"), "'bigs' is UINT64[2], expected an array of whole");
    assertWrong(() -> metadata.integers("texts"), "'texts' is STRING[2], expected an array of");
    assertWrong(() -> metadata.reals("flag"), "'flag' is BOOL true, expected an array of numbers");
    assertWrong(() -> metadata.bools("bytes"), "'bytes' is UINT8[2], expected an array of BOOL");
    assertWrong(() -> metadata.texts("int"), "'int' is INT32 -3, expected an array of STRING");
  }

  private static void assertWrong(ThrowingCallable call, String message) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(call)
        .withMessageContaining(message);
  }
}
