package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.quant.Encodings;
import weft.quant.StorageType;

class GgufWriterTest {
  @TempDir Path folder;

  @Test
  void writesWhatTheReaderReads() {
    var values = new float[3 * 64];
    for (int i = 0; i < values.length; i++) {
      values[i] = i - 90;
    }
    var file = folder.resolve("model.gguf");
    new GgufWriter()
        .string("general.architecture", "llama")
        .uint32("llama.block_count", 2)
        .float32("eps", 1e-5f)
        .bool("flag", true)
        .strings("tokens", List.of("a", "b"))
        .numbers("scores", NumberArray.ofFloats(0.5f, -1f))
        .numbers("types", NumberArray.of(ValueType.INT32, 1, -2))
        .put("nested", nested())
        .tensor("odd", StorageType.F32, List.of(3L), GgufWriterTest::countUp)
        .tensor(
            "packed",
            StorageType.Q8_0,
            List.of(3L, 64L),
            bytes -> Encodings.Q8_0.encode(values, 0, values.length, bytes, 0))
        .write(file);

    try (var checkpoint = Checkpoint.open(file)) {
      var metadata = checkpoint.metadata();
      assertThat(metadata.string("general.architecture")).contains("llama");
      assertThat(metadata.integer("llama.block_count")).hasValue(2);
      assertThat((float) metadata.real("eps").orElseThrow()).isEqualTo(1e-5f);
      assertThat(metadata.bool("flag")).contains(true);
      assertThat(metadata.strings("tokens")).contains(List.of("a", "b"));
      assertThat(metadata.reals("scores").orElseThrow()).containsExactly(0.5f, -1f);
      assertThat(metadata.integers("types").orElseThrow()).containsExactly(1, -2);
      assertThat(metadata.value("nested").orElseThrow().typeName()).isEqualTo("ARRAY[2]");
      assertThat(checkpoint.tensors().sequencedKeySet()).containsExactly("odd", "packed");
      assertThat(checkpoint.tensor("odd").orElseThrow().bytes().get(LittleEndian.FLOAT, 8))
          .isEqualTo(2f);
      var packed = checkpoint.tensor("packed").orElseThrow();
      assertThat(packed.shape()).containsExactly(3L, 64L);
      var decoded = new float[values.length];
      packed.encoding().decode(packed.bytes(), 0, decoded, 0, decoded.length);
      assertThat(decoded[0]).isCloseTo(-90f, within(0.5f));
      assertThat(decoded[191]).isCloseTo(101f, within(0.5f));
    }
  }

  private static MetadataValue nested() {
    return new MetadataValue.Nested(
        List.of(
            new MetadataValue.Numbers(NumberArray.ofDoubles(1, 2)),
            new MetadataValue.Texts(TextArray.ofBytes(List.of(new byte[] {(byte) 0xFF})))));
  }

  private static void countUp(MemorySegment bytes) {
    for (int i = 0; i < bytes.byteSize() / 4; i++) {
      bytes.setAtIndex(LittleEndian.FLOAT, i, i);
    }
  }

  @Test
  void copiesAGoldenToTheSameBytes() throws Exception {
    var copy = folder.resolve("copy.gguf");
    try (var golden = Checkpoint.open(Goldens.GGUF_Q8_0)) {
      var writer = new GgufWriter();
      golden.metadata().entries().forEach(writer::put);
      golden
          .tensors()
          .values()
          .forEach(
              tensor ->
                  writer.tensor(
                      tensor.name(),
                      tensor.type(),
                      tensor.shape(),
                      bytes -> bytes.copyFrom(tensor.bytes())));
      writer.write(copy);
    }

    assertThat(Files.mismatch(copy, Goldens.GGUF_Q8_0)).isEqualTo(-1);
  }

  @Test
  void leavesNothingWhenATensorFails() throws Exception {
    var writer =
        new GgufWriter()
            .tensor(
                "w",
                StorageType.F32,
                List.of(4L),
                _ -> {
                  throw new IllegalStateException("no weights");
                });

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> writer.write(folder.resolve("model.gguf")));
    try (var left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void refusesWhatTheFormatCannotHold() {
    var writer = new GgufWriter().uint32("key", 1);
    GgufWriter.Source zeros = _ -> {};
    writer.tensor("w", StorageType.F32, List.of(4L), zeros);

    assertRefused(() -> writer.uint32("key", 1), "metadata 'key' was put twice");
    assertRefused(
        () -> writer.tensor("w", StorageType.F32, List.of(4L), zeros),
        "tensor 'w' was added twice");
    assertRefused(
        () -> writer.tensor("q", StorageType.Q4_K, List.of(8L, 128L), zeros),
        "tensor 'q': rows of 128 values are not whole Q4_K blocks of 256");
    assertRefused(
        () -> writer.tensor("s", StorageType.F32, List.of(), zeros),
        "tensor 's': dimension count is 0, expected 1 to 4");
    assertRefused(
        () ->
            new GgufWriter()
                .tensor("f8", StorageType.F8_E4M3, List.of(4L), zeros)
                .write(folder.resolve("f8.gguf")),
        "tensor 'f8' is F8_E4M3, which GGUF has no number for");
    assertRefused(
        () -> new GgufWriter().uint32("general.alignment", 3).write(folder.resolve("a.gguf")),
        "general.alignment is 3, expected a power of two");
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(call)
        .withMessageContaining(message);
  }
}
