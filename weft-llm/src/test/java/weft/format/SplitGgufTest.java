package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.quant.StorageType;

class SplitGgufTest {
  @TempDir Path folder;

  /** One file of a split with one tensor that holds the file's number. */
  private Path part(int index, int files, GgufWriter keys, String tensor) {
    var path = folder.resolve("m-%05d-of-%05d.gguf".formatted(index + 1, files));
    keys.tensor(
            tensor, StorageType.F32, List.of(1L), bytes -> bytes.set(LittleEndian.FLOAT, 0, index))
        .write(path);
    return path;
  }

  private static GgufWriter keys(int index, int files, int tensors) {
    return new GgufWriter()
        .put("split.no", new MetadataValue.Whole(ValueType.UINT16, index))
        .put("split.count", new MetadataValue.Whole(ValueType.UINT16, files))
        .put("split.tensors.count", new MetadataValue.Whole(ValueType.INT32, tensors));
  }

  private Path threeParts() {
    for (int i = 2; i > 0; i--) {
      part(i, 3, keys(i, 3, 3), "t" + i);
    }
    return part(0, 3, keys(0, 3, 3).string("general.name", "split"), "t0");
  }

  @Test
  void opensAllFilesFromTheFirst() throws Exception {
    var first = threeParts();

    try (var checkpoint = Checkpoint.open(first)) {
      assertThat(checkpoint.metadata().string("general.name")).contains("split");
      assertThat(checkpoint.tensors().sequencedKeySet()).containsExactly("t0", "t1", "t2");
      assertThat(checkpoint.tensor("t2").orElseThrow().bytes().get(LittleEndian.FLOAT, 0))
          .isEqualTo(2f);
      assertThat(checkpoint.fileBytes()).isGreaterThan(2 * Files.size(first));
    }
  }

  @Test
  void namesAMissingFile() throws Exception {
    var first = threeParts();
    Files.delete(folder.resolve("m-00002-of-00003.gguf"));

    assertRefused(first, "m-00002-of-00003.gguf does not exist");
  }

  @Test
  void refusesToStartInTheMiddle() {
    threeParts();

    assertRefused(
        folder.resolve("m-00002-of-00003.gguf"),
        "split.no is 1, expected 0: open the first file of the split");
  }

  @Test
  void refusesAFileOfAnotherSplit() {
    var first = threeParts();
    part(1, 3, keys(1, 4, 3), "t1");

    assertRefused(first, "split.count is 4, but the first file says 3");
  }

  @Test
  void refusesFilesInTheWrongOrder() {
    var first = threeParts();
    part(1, 3, keys(2, 3, 3), "t1");

    assertRefused(first, "m-00002-of-00003.gguf: split.no is 2, expected 1");
  }

  @Test
  void refusesAFileWithoutItsNumber() {
    var first = threeParts();
    part(1, 3, new GgufWriter(), "t1");

    assertRefused(first, "m-00002-of-00003.gguf: no metadata key 'split.count'");
  }

  @Test
  void refusesATensorInTwoFiles() {
    var first = threeParts();
    part(2, 3, keys(2, 3, 3), "t1");

    assertRefused(first, "m-00003-of-00003.gguf: tensor 't1' is there twice");
  }

  @Test
  void refusesAnotherTotalOfTensors() {
    var first = threeParts();
    part(0, 3, keys(0, 3, 7), "t0");

    assertRefused(first, "split.tensors.count is 7, but the files hold 3 tensors");
  }

  @Test
  void refusesANameThatDoesNotLeadToTheOthers() throws Exception {
    var renamed = Files.move(threeParts(), folder.resolve("model.gguf"));

    assertRefused(renamed, "its name must end in -00001-of-00003.gguf");
  }

  @Test
  void refusesAbsurdCounts() {
    part(0, 1, keys(0, 0, 1), "t0");
    assertRefused(folder.resolve("m-00001-of-00001.gguf"), "split.count is 0, expected 1 to 99999");

    var huge = new MetadataValue.Whole(ValueType.INT64, Long.MAX_VALUE);
    part(0, 1, new GgufWriter().uint32("split.no", 0).put("split.count", huge), "t0");
    assertRefused(
        folder.resolve("m-00001-of-00001.gguf"), "split.count is 9223372036854775807, expected 1");
  }

  @Test
  void aSplitOfOneIsAPlainFile() {
    var only = part(0, 1, keys(0, 1, 1), "t0");

    try (var checkpoint = Checkpoint.open(only)) {
      assertThat(checkpoint.tensors()).hasSize(1);
    }
  }

  private static void assertRefused(Path path, String message) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> Checkpoint.open(path).close())
        .withMessageContaining(message);
  }
}
