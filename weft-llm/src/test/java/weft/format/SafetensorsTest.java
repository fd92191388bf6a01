package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.quant.StorageType;

class SafetensorsTest {
  @TempDir Path folder;

  @BeforeEach
  void writeConfig() throws IOException {
    Files.writeString(folder.resolve("config.json"), "{\"model_type\": \"llama\"}");
  }

  private Path write(String name, String header, int dataBytes) {
    return SafetensorsBytes.write(folder.resolve(name), header, dataBytes);
  }

  @ParameterizedTest
  @CsvSource({
    "BOOL,4", "U8,4", "I8,4", "F8_E4M3,4", "F8_E5M2,4", "F8_E8M0,4", "I16,8", "U16,8", "F16,8",
    "BF16,8", "I32,16", "U32,16", "F32,16", "F64,32", "I64,32", "U64,32", "C64,32", "F4,2",
    "F6_E2M3,3", "F6_E3M2,3"
  })
  void listsEveryDtype(String dtype, int bytes) {
    var file =
        write(
            "one.safetensors",
            "{\"t\":{\"dtype\":\"%s\",\"shape\":[2,2],\"data_offsets\":[0,%d]}}"
                .formatted(dtype, bytes),
            bytes);

    try (var checkpoint = Checkpoint.open(file)) {
      var tensor = checkpoint.tensor("t").orElseThrow();
      assertThat(tensor.type()).isEqualTo(StorageType.valueOf(dtype));
      assertThat(tensor.shape()).containsExactly(2L, 2L);
      assertThat(tensor.bytes().byteSize()).isEqualTo(bytes);
    }
  }

  @Test
  void ordersTensorsByTheirBytesAndReadsScalarsAndEmptyOnes() {
    var file =
        write(
            "one.safetensors",
            """
            {"__metadata__":{"format":"pt"},
             "second":{"shape":[1],"data_offsets":[4,8],"dtype":"F32","extra":{"a":[1]}},
             "empty":{"dtype":"F32","shape":[0,9223372036854775807],"data_offsets":[8,8]},
             "scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}  \
            """,
            8);

    try (var checkpoint = Checkpoint.open(file)) {
      assertThat(checkpoint.tensors().sequencedKeySet())
          .containsExactly("scalar", "second", "empty");
      assertThat(checkpoint.tensor("scalar").orElseThrow().shape()).isEmpty();
      assertThat(checkpoint.tensor("scalar").orElseThrow().values()).isEqualTo(1);
      assertThat(checkpoint.tensor("empty").orElseThrow().values()).isZero();
      assertThat(checkpoint.metadata().string("__metadata__.format")).contains("pt");
      assertThat(checkpoint.fileBytes()).isEqualTo(file.toFile().length());
    }
  }

  /** Found by fuzzing: the product of the other dimensions is beyond a long. */
  @Test
  void aTensorThatIsNothingAlongOneAxisHasNoValuesWhateverTheOthersAre() {
    var header =
        "{\"a\":{\"dtype\":\"F64\",\"shape\":[3,4378388029995576248,0],\"data_offsets\":[0,0]}}";
    try (var checkpoint = Checkpoint.open(write("a.safetensors", header, 0))) {
      assertThat(checkpoint.tensor("a").orElseThrow().values()).isZero();
    }
  }

  @Test
  void opensShardsByTheIndex() throws IOException {
    write("model-2.safetensors", tensor("b", 8), 8);
    write("model-1.safetensors", tensor("a", 4), 4);
    index("\"a\":\"model-1.safetensors\",\"b\":\"model-2.safetensors\"");

    try (var checkpoint = Checkpoint.open(folder)) {
      assertThat(checkpoint.tensors().sequencedKeySet()).containsExactly("a", "b");
      assertThat(checkpoint.metadata().string("model_type")).contains("llama");
    }
  }

  @Test
  void theIndexDecidesBetweenTwoTensorsOfOneName() throws IOException {
    write("model-1.safetensors", tensor("a", 4), 4);
    write(
        "model-2.safetensors",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
            + "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[8,9]}}",
        9);
    index("\"a\":\"model-1.safetensors\",\"b\":\"model-2.safetensors\"");

    try (var checkpoint = Checkpoint.open(folder)) {
      assertThat(checkpoint.tensor("a").orElseThrow().bytes().byteSize()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../x.safetensors",
        "/etc/x.safetensors",
        "a/x.safetensors",
        "..\\\\x.safetensors",
        ".hidden.safetensors",
        "x.bin",
        "",
        "x\\u0000.safetensors"
      })
  void aShardCannotLieOutsideTheFolder(String shard) throws IOException {
    index("\"a\":\"" + shard + "\"");

    assertRefused(folder, "expected the name of a .safetensors file in this folder");
  }

  @Test
  void namesWhatIsMissing() throws IOException {
    assertRefused(folder, "has neither model.safetensors nor model.safetensors.index.json");

    index("\"a\":\"model-1.safetensors\"");
    assertRefused(folder, "model-1.safetensors does not exist");

    write("model-1.safetensors", tensor("other", 4), 4);
    assertRefused(
        folder, "weight_map puts 'a' into model-1.safetensors, but that file has no such");

    Files.delete(folder.resolve("config.json"));
    assertRefused(folder, "config.json does not exist");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                        | the document is an array, expected an object",
        "{}                        | weight_map is missing or empty",
        "{\"weight_map\":[]}       | weight_map is an array, expected an object",
        "{\"weight_map\":{\"a\":1}}| weight_map 'a' is '1', expected a string",
        "{\"weight_map\":{\"a\":\"x.safetensors\",\"a\":\"y.safetensors\"}} | Duplicate",
        "{\"weight_map\":{}} {}    | more than one JSON value",
      })
  void refusesABrokenIndex(String json, String message) throws IOException {
    Files.writeString(folder.resolve("model.safetensors.index.json"), json);

    assertRefused(folder, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]          | header: expected a JSON object, which begins with '{'",
        "` {}`       | header: expected a JSON object, which begins with '{'",
        "``          | header: expected a JSON object, which begins with '{'",
        "{           | header: not the JSON that weft reads",
        "{} {}       | more than one JSON value",
        "{\"t\":1}   | tensor 't' is '1', expected an object",
        "{\"t\":null}| tensor 't' is 'null', expected an object",
        "{\"t\":{}}  | tensor 't': no dtype",
        "{\"t\":{\"dtype\":\"F32\"}} | tensor 't': no shape",
        "{\"t\":{\"dtype\":\"F32\",\"shape\":[1]}} | tensor 't': no data_offsets",
        "{\"t\":{\"dtype\":\"Q8_0\"}} | tensor 't': dtype is 'Q8_0', expected one of [F32, F16,",
        "{\"t\":{\"dtype\":3}} | tensor 't': dtype is '3', expected a string",
        "{\"t\":{\"shape\":[-1]}} | tensor 't': shape is -1, expected 0 to 2^63 - 1",
        "{\"t\":{\"shape\":[9223372036854775808]}} | shape is 9223372036854775808, expected 0 to",
        "{\"t\":{\"shape\":[1.5]}} | tensor 't': shape is '1.5', expected a whole number",
        "{\"t\":{\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}} | shape has more than 16 numbers",
        "{\"t\":{\"shape\":[[1]]}} | tensor 't': shape is an array, expected a whole number",
        "{\"t\":{\"data_offsets\":[0,1,2]}} | data_offsets has more than 2 numbers",
        "{\"t\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}} | Duplicate",
        "{\"__metadata__\":{\"a\":1}} | __metadata__ 'a' is '1', expected a string",
        "{\"__metadata__\":[]} | __metadata__ is an array, expected an object",
      })
  void refusesABrokenHeader(String header, String message) {
    assertRefused(write("bad.safetensors", header, 0), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "F32 | [1]   | [0]   | data_offsets are [0], expected a start and an end",
        "F32 | [1]   | [4,0] | data_offsets are [4, 0], expected a start and an end",
        "F32 | [2]   | [0,4] | data_offsets [0, 4] hold 4 bytes, but shape [2] of F32 takes 8",
        "F32 | [4611686018427387904,4] | [0,4] | is more than 2^63 - 1 bytes",
        "F32 | [4611686018427387904]   | [0,4] | is more than 2^63 - 1 bytes",
        "F4  | [3]   | [0,1] | 3 values are not a whole number of F4 blocks of 2",
        "F32 | [2]   | [0,8] | has 8 bytes at offset 0 of the data, which starts at",
        "U8  | [2]   | [1,3] | begins at byte 1 of the data, expected 0",
        "U8  | [2]   | [9223372036854775805,9223372036854775807] | begins at byte 922337203685477",
        "U8  | [2]   | [0,2] | the tensors end at byte",
      })
  void refusesByteRangesThatCannotBe(String dtype, String shape, String range, String message) {
    var header =
        "{\"t\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":%s}}"
            .formatted(dtype, shape, range);

    assertRefused(write("bad.safetensors", header, 4), message);
  }

  @Test
  void refusesOverlapsAndHoles() {
    var two =
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
            + "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[%d,%d]}}";

    assertRefused(
        write("bad.safetensors", two.formatted(2, 4), 4),
        "tensor 'b' begins at byte 2 of the data, expected 4, where the one before it ends");
    assertRefused(
        write("bad.safetensors", two.formatted(6, 8), 8),
        "tensor 'b' begins at byte 6 of the data, expected 4");
    assertRefused(
        write("bad.safetensors", tensor("t", 4) + "{\"t\":1}", 4), "more than one JSON value");
    assertRefused(
        write(
            "bad.safetensors", tensor("t", 2).replace("}}", "},") + tensor("t", 2).substring(1), 2),
        "Duplicate");
  }

  @Test
  void refusesHeaderLengthsThatCannotBe() throws IOException {
    var file = folder.resolve("bad.safetensors");
    Files.write(file, new byte[7]);
    assertRefused(file, "the file has 7 bytes, expected 8 of header length");

    for (byte top : new byte[] {0x7F, (byte) 0x80, (byte) 0xFF}) {
      Files.write(file, new byte[] {0, 0, 0, 0, 0, 0, 0, top, '{', '}'});
      assertRefused(file, "expected at most 100000000 and no more than the 2 bytes that follow");
    }
  }

  @Test
  void refusesHeadersThatAreNotUtf8OrTooDeep() throws IOException {
    var file = folder.resolve("bad.safetensors");
    Files.write(file, new byte[] {6, 0, 0, 0, 0, 0, 0, 0, '{', '"', (byte) 0xFF, '"', ':', '}'});
    assertRefused(file, "header: not the JSON that weft reads");

    Files.write(file, new byte[] {4, 0, 0, 0, 0, 0, 0, 0, '{', 0, '}', 0});
    assertRefused(file, "header: not the JSON that weft reads");

    var deep = "{\"t\":{\"x\":" + "[".repeat(5000) + "]".repeat(5000) + "}}";
    assertRefused(write("bad.safetensors", deep, 0), "nesting depth");
  }

  private static String tensor(String name, int bytes) {
    return "{\"%s\":{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[0,%d]}}"
        .formatted(name, bytes, bytes);
  }

  private void index(String weightMap) throws IOException {
    Files.writeString(
        folder.resolve("model.safetensors.index.json"),
        "{\"metadata\":{\"total_size\":1},\"weight_map\":{" + weightMap + "}}");
  }

  private static void assertRefused(Path path, String message) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> Checkpoint.open(path).close())
        .withMessageContaining(message);
  }
}
