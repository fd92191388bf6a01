package weft.format;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MalformedGgufTest {
  private static final int F32 = 0;
  private static final int Q8_0 = 8;

  @TempDir Path folder;

  static Stream<Arguments> malformed() {
    return Stream.of(headers(), keys(), values(), tensors()).flatMap(part -> part);
  }

  private static Stream<Arguments> headers() {
    var big = GgufBytes.version(0x0300_0000).count(0).count(0);
    return Stream.of(
        broken(
            GgufBytes.of(0, 0).toBytes(),
            3,
            "header: magic needs 4 bytes at offset 0, but the file ends at 3"),
        broken(
            "PK\3\4 and more".getBytes(),
            10,
            "begins with bytes 504b0304, expected 47475546, the letters GGUF"),
        broken(GgufBytes.version(4), "version is 4, expected 1 to 3"),
        broken(GgufBytes.version(0), "version is 0, expected 1 to 3"),
        broken(big, "big-endian"),
        broken(
            GgufBytes.of(1L << 62, 0),
            "tensor count is 4611686018427387904, but the 8 bytes left of the file hold at most 0"),
        broken(GgufBytes.of(-1, 0), "tensor count is 18446744073709551615, over 2^63 - 1"),
        broken(GgufBytes.of(0, 1L << 40), "metadata key count is 1099511627776"),
        broken(GgufBytes.of(0, Long.MIN_VALUE), "metadata key count is 9223372036854775808"),
        broken(
            GgufBytes.version(1).count(0).count(0xFFFF_FFFFL), "metadata key count is 4294967295"));
  }

  private static Stream<Arguments> keys() {
    return Stream.of(
        broken(
            GgufBytes.of(0, 1).count(1L << 63).data(64, 64),
            "metadata key 1 of 1: key length is 9223372036854775808, over 2^63 - 1"),
        broken(
            GgufBytes.of(0, 1).count(1000).data(64, 64),
            "metadata key 1 of 1: key length is 1000, but the"),
        broken(GgufBytes.of(0, 1).count(0).data(64, 64), "key has 0 bytes, expected 1 to 65535"),
        broken(
            GgufBytes.of(0, 1).count(2).raw((byte) 0xC3, (byte) 0x28).data(64, 64),
            "metadata key 1 of 1: key is not UTF-8: bytes c328"),
        broken(
            GgufBytes.of(0, 2)
                .key("a", ValueType.UINT8)
                .number(1, 1)
                .key("a", ValueType.UINT8)
                .number(1, 1),
            "metadata 'a': the key is there twice"),
        broken(
            GgufBytes.of(0, 1).text("a\u001b[31m").u32(99).data(64, 64),
            "metadata 'a\\u001B[31m': value type is 99, expected 0 to 12 [UINT8,"));
  }

  private static Stream<Arguments> values() {
    var array = ValueType.ARRAY;
    var nested = GgufBytes.of(0, 1).key("a", array);
    for (int i = 0; i < 1000; i++) {
      nested.u32(array.id()).count(1);
    }
    var wide = GgufBytes.of(0, 1).key("a", array).u32(array.id()).count(1 << 17);
    for (int i = 0; i < 1 << 17; i++) {
      wide.u32(ValueType.UINT8.id()).count(0);
    }
    return Stream.of(
        broken(
            GgufBytes.of(0, 1).key("a", ValueType.BOOL).number(2, 1),
            "metadata 'a': a BOOL is 2, expected 0 or 1"),
        broken(
            GgufBytes.of(0, 1).key("a", array).u32(ValueType.BOOL.id()).count(2).number(0x0301, 2),
            "a BOOL is 3"),
        broken(
            GgufBytes.of(0, 1).key("a", ValueType.STRING).count(Long.MAX_VALUE).data(64, 64),
            "metadata 'a': value length is 9223372036854775807, but the"),
        broken(
            GgufBytes.of(0, 1)
                .key("a", array)
                .u32(ValueType.UINT64.id())
                .count(1L << 61)
                .data(64, 64),
            "metadata 'a': array length is 2305843009213693952, but the"),
        broken(
            GgufBytes.of(0, 1)
                .key("a", array)
                .u32(ValueType.STRING.id())
                .count(1L << 60)
                .data(64, 64),
            "array length is 1152921504606846976, but the"),
        broken(
            GgufBytes.of(0, 1)
                .key("a", array)
                .u32(ValueType.STRING.id())
                .count(1)
                .count(999)
                .data(64, 64),
            "text length is 999, but the"),
        broken(GgufBytes.of(0, 1).key("a", array).u32(77).count(1), "array element type is 77"),
        broken(nested, "arrays are nested more than 4 deep"),
        broken(wide, "array length is 131072, expected at most 65536"),
        broken(
            GgufBytes.of(0, 1).key("general.alignment", ValueType.STRING).text("32"),
            "metadata key 'general.alignment' is STRING '32', expected a whole number"),
        broken(alignment(0), "general.alignment is 0, expected a power of two from 1 to 1048576"),
        broken(alignment(48), "general.alignment is 48, expected a power of two"),
        broken(alignment(1L << 31), "general.alignment is 2147483648, expected a power of two"));
  }

  private static GgufBytes alignment(long value) {
    return GgufBytes.of(0, 1).key("general.alignment", ValueType.UINT32).u32(value);
  }

  private static Stream<Arguments> tensors() {
    return Stream.of(
        broken(tensor(F32, 0), "tensor 'w': dimension count is 0, expected 1 to 4"),
        broken(tensor(F32, 0, 1, 1, 1, 1, 1), "tensor 'w': dimension count is 5, expected 1 to 4"),
        broken(
            tensor(F32, 0, 4, 0), "tensor 'w': shape is [0, 4], expected dimensions of at least 1"),
        broken(
            tensor(F32, 0, -1), "tensor 'w': dimension 0 is 18446744073709551615, over 2^63 - 1"),
        broken(
            tensor(F32, 0, 1L << 31, 1L << 31, 4),
            "tensor 'w': shape [4, 2147483648, 2147483648] of F32 is more than 2^63 - 1 bytes"),
        broken(tensor(F32, 0, 1L << 61), "is more than 2^63 - 1 bytes"),
        broken(
            tensor(Q8_0, 0, 33), "tensor 'w': rows of 33 values are not whole Q8_0 blocks of 32"),
        broken(tensor(Q8_0, 0, 16, 2), "rows of 16 values are not whole Q8_0 blocks of 32"),
        broken(tensor(4, 0, 32), "tensor 'w': type is 4, which is no type that weft knows"),
        broken(tensor(-1, 0, 32), "type is 4294967295"),
        broken(tensor(F32, 16, 4), "tensor 'w': offset 16 is not a multiple of the alignment 32"),
        broken(tensor(F32, Long.MIN_VALUE, 4), "offset is 9223372036854775808, over 2^63 - 1"),
        broken(tensor(F32, 1L << 62, 4), "tensor 'w' has 16 bytes at offset 4611686018427387904"),
        broken(
            tensor(F32, 0, 1000),
            "tensor 'w' has 4000 bytes at offset 0 of the data, which starts at 64; the file ends at 128. Is it cut short?"),
        broken(
            GgufBytes.of(2, 0).tensor("w", F32, 0, 4).tensor("w", F32, 32, 4).data(32, 64),
            "tensor 'w' is there twice"),
        broken(
            GgufBytes.of(2, 0).tensor("a", F32, 32, 4).tensor("b", F32, 0, 16).data(32, 64),
            "tensors 'b' (bytes 0 to 64 of the data) and 'a' (bytes 32 to 48) overlap"),
        broken(
            GgufBytes.of(2, 0).tensor("a", F32, 0, 4).tensor("b", F32, 0, 4).data(32, 64),
            "tensors 'a' (bytes 0 to 16 of the data) and 'b' (bytes 0 to 16) overlap"));
  }

  private static GgufBytes tensor(int type, long offset, long... dimensions) {
    return GgufBytes.of(1, 0).tensor("w", type, offset, dimensions).data(32, 64);
  }

  private static Arguments broken(GgufBytes bytes, String message) {
    var all = bytes.toBytes();
    return broken(all, all.length, message);
  }

  private static Arguments broken(byte[] bytes, int length, String message) {
    return Arguments.of(Arrays.copyOf(bytes, length), message);
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("malformed")
  void isRefusedWithTheFieldAndTheExpectation(byte[] bytes, String message) throws Exception {
    var file = Files.write(folder.resolve("model.gguf"), bytes);

    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> Checkpoint.open(file).close())
        .withMessageStartingWith(file.toString())
        .withMessageContaining(message);
  }

  @Test
  void aHeaderAsLargeAsItsFileIsRefusedBeforeAnythingIsAllocatedForIt() throws Exception {
    var file =
        GgufBytes.of(0, 1)
            .key("a", ValueType.ARRAY)
            .u32(ValueType.UINT8.id())
            .count(1L << 31)
            .write(folder);
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), 3L << 30);
    }

    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> Checkpoint.open(file).close())
        .withMessageContaining("array length is 2147483648, but the")
        .withMessageContaining("bytes left of the part of the file that weft takes as header");
  }
}
