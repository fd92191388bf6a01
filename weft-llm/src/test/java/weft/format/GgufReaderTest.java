package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.quant.StorageType;

class GgufReaderTest {
  private static final int F32 = 0;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void readsEveryVersion(int version) {
    var file =
        GgufBytes.version(version)
            .count(1)
            .count(2)
            .key("general.architecture", ValueType.STRING)
            .text("llama")
            .key("tokens", ValueType.ARRAY)
            .u32(ValueType.STRING.id())
            .count(2)
            .text("a")
            .text("bc")
            .tensor("w", F32, 0, 3, 2)
            .data(32, 24)
            .write(folder);

    try (var checkpoint = Checkpoint.open(file)) {
      assertThat(checkpoint.metadata().string("general.architecture")).contains("llama");
      assertThat(checkpoint.metadata().strings("tokens")).contains(List.of("a", "bc"));
      checkpoint.metadata().unload();
      assertThat(checkpoint.metadata().strings("tokens")).contains(List.of("a", "bc"));
      var tensor = checkpoint.tensor("w").orElseThrow();
      assertThat(tensor.shape()).containsExactly(2L, 3L);
      assertThat(tensor.values()).isEqualTo(6);
      assertThat(tensor.bytes().byteSize()).isEqualTo(24);
    }
  }

  @Test
  void readsEveryScalarType() {
    var file =
        GgufBytes.of(0, 13)
            .key("u8", ValueType.UINT8)
            .number(0xFF, 1)
            .key("i8", ValueType.INT8)
            .number(-1, 1)
            .key("u16", ValueType.UINT16)
            .number(0xFFFF, 2)
            .key("i16", ValueType.INT16)
            .number(-2, 2)
            .key("u32", ValueType.UINT32)
            .u32(0xFFFF_FFFFL)
            .key("i32", ValueType.INT32)
            .u32(-3)
            .key("f32", ValueType.FLOAT32)
            .u32(Float.floatToRawIntBits(1.5f))
            .key("yes", ValueType.BOOL)
            .number(1, 1)
            .key("no", ValueType.BOOL)
            .number(0, 1)
            .key("text", ValueType.STRING)
            .text("grüß")
            .key("u64", ValueType.UINT64)
            .u64(-1)
            .key("i64", ValueType.INT64)
            .u64(Long.MIN_VALUE)
            .key("f64", ValueType.FLOAT64)
            .u64(Double.doubleToRawLongBits(Math.PI))
            .write(folder);

    try (var checkpoint = Checkpoint.open(file)) {
      var metadata = checkpoint.metadata();
      assertThat(metadata.integer("u8")).hasValue(255);
      assertThat(metadata.integer("i8")).hasValue(-1);
      assertThat(metadata.integer("u16")).hasValue(65535);
      assertThat(metadata.integer("i16")).hasValue(-2);
      assertThat(metadata.integer("u32")).hasValue(0xFFFF_FFFFL);
      assertThat(metadata.integer("i32")).hasValue(-3);
      assertThat(metadata.real("f32")).hasValue(1.5);
      assertThat(metadata.bool("yes")).contains(true);
      assertThat(metadata.bool("no")).contains(false);
      assertThat(metadata.string("text")).contains("grüß");
      assertThat(metadata.value("u64"))
          .contains(new MetadataValue.Whole(ValueType.UINT64, 0xFFFF_FFFF_FFFF_FFFFL));
      assertThat(metadata.integer("i64")).hasValue(Long.MIN_VALUE);
      assertThat(metadata.real("f64")).hasValue(Math.PI);
      assertThat(metadata.entries().sequencedKeySet()).startsWith("u8", "i8").endsWith("f64");
    }
  }

  @Test
  void keepsTokensThatAreNotUtf8() {
    byte[] half = {(byte) 0xE2, (byte) 0x82};
    var file =
        GgufBytes.of(0, 1)
            .key("tokens", ValueType.ARRAY)
            .u32(ValueType.STRING.id())
            .count(3)
            .count(2)
            .raw(half)
            .text("")
            .text("é")
            .write(folder);

    try (var checkpoint = Checkpoint.open(file)) {
      var tokens = checkpoint.metadata().texts("tokens").orElseThrow();
      assertThat(tokens.size()).isEqualTo(3);
      assertThat(tokens.bytes(0)).containsExactly(half);
      assertThat(tokens.string(0)).isEqualTo("�");
      assertThat(tokens.bytes(1)).isEmpty();
      assertThat(tokens.bytes(2)).containsExactly("é".getBytes(StandardCharsets.UTF_8));
      assertThat(tokens.strings()).containsExactly("�", "", "é");
    }
  }

  @Test
  void readsArraysOfArrays() {
    var file =
        GgufBytes.of(0, 1)
            .key("nested", ValueType.ARRAY)
            .u32(ValueType.ARRAY.id())
            .count(2)
            .u32(ValueType.INT16.id())
            .count(2)
            .number(7, 2)
            .number(-7, 2)
            .u32(ValueType.STRING.id())
            .count(1)
            .text("x")
            .write(folder);

    try (var checkpoint = Checkpoint.open(file)) {
      var nested = (MetadataValue.Nested) checkpoint.metadata().value("nested").orElseThrow();
      var numbers = (MetadataValue.Numbers) nested.arrays().getFirst();
      assertThat(numbers.array().integers()).containsExactly(7, -7);
      var texts = (MetadataValue.Texts) nested.arrays().getLast();
      assertThat(texts.array().strings()).containsExactly("x");
    }
  }

  @Test
  void honoursTheAlignmentKey() {
    var file =
        GgufBytes.of(2, 1)
            .key("general.alignment", ValueType.UINT32)
            .u32(64)
            .tensor("a", F32, 0, 1)
            .tensor("b", F32, 64, 1)
            .data(64, 64)
            .u32(Float.floatToRawIntBits(2f))
            .write(folder);

    try (var checkpoint = Checkpoint.open(file)) {
      assertThat(checkpoint.tensor("b").orElseThrow().bytes().get(LittleEndian.FLOAT, 0))
          .isEqualTo(2f);
    }
  }

  @Test
  void listsTypesThatItCannotDecode() {
    var iq1s = StorageType.IQ1_S;
    var file =
        GgufBytes.of(1, 0)
            .tensor("w", iq1s.ggufId().orElseThrow(), 0, 256)
            .data(32, iq1s.blockBytes())
            .write(folder);

    try (var checkpoint = Checkpoint.open(file)) {
      var tensor = checkpoint.tensor("w").orElseThrow();
      assertThat(tensor.type()).isEqualTo(iq1s);
      assertThatExceptionOfType(FormatException.class)
          .isThrownBy(tensor::encoding)
          .withMessageContaining(
              "'w' is stored as IQ1_S, which weft cannot decode; it reads [F32,");
    }
  }

  @Test
  void aFileWithoutTensorsNeedsNoPadding() {
    try (var checkpoint = Checkpoint.open(GgufBytes.of(0, 0).write(folder))) {
      assertThat(checkpoint.tensors()).isEmpty();
      assertThat(checkpoint.metadata().entries()).isEmpty();
    }
  }
}
