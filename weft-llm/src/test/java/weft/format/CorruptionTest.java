package weft.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.quant.Encodings;

/**
 * Wherever a good file ends too early, opening it is a {@link FormatException}; never another
 * exception, and never much memory. Other damage is the fuzzers' to find.
 */
class CorruptionTest {
  private static final long MOST_ALLOCATED = 16L << 20;

  @TempDir Path folder;

  /** A file to damage, what to open then, and how many of its first bytes are header. */
  record Victim(String name, String open, int header) {}

  static Stream<Victim> victims() {
    return Stream.of(
        new Victim("model.gguf", "model.gguf", 6_500),
        new Victim("small.gguf", "small.gguf", 3_000),
        new Victim("model.safetensors", "", 3_000),
        new Victim("model.safetensors.index.json", "", 1_000),
        new Victim("config.json", "", 1_000),
        new Victim("generation_config.json", "", 1_000));
  }

  private Path prepare(Victim victim) throws IOException {
    for (var name : new String[] {"config.json", "generation_config.json", "model.safetensors"}) {
      Files.copy(Goldens.FOLDER.resolve(name), folder.resolve(name));
    }
    Files.writeString(folder.resolve("model.safetensors.index.json"), index());
    Files.copy(Goldens.GGUF_Q8_0, folder.resolve("model.gguf"));
    everyKindOfValue().write(folder.resolve("small.gguf"));
    return folder.resolve(victim.name());
  }

  private static String index() {
    try (var golden = Checkpoint.open(Goldens.FOLDER)) {
      return golden.tensors().keySet().stream()
          .map(tensor -> "\"" + tensor + "\":\"model.safetensors\"")
          .collect(Collectors.joining(",", "{\"weight_map\":{", "}}"));
    }
  }

  private static GgufWriter everyKindOfValue() {
    var writer = new GgufWriter().uint32("general.alignment", 64);
    for (ValueType type : ValueType.values()) {
      if (type.isWhole()) {
        writer.put("one." + type, new MetadataValue.Whole(type, 1));
        writer.numbers("array." + type, NumberArray.of(type, 1, 2, 3));
      }
    }
    var texts = new MetadataValue.Texts(TextArray.of(List.of("", "a", "bc")));
    writer
        .float32("f", 1)
        .put("d", new MetadataValue.Real(ValueType.FLOAT64, 2))
        .bool("b", true)
        .numbers("bs", NumberArray.of(ValueType.BOOL, 0, 1))
        .put("nested", new MetadataValue.Nested(List.of(texts, texts)));
    for (var encoding : Encodings.all()) {
      if (encoding.type().ggufId().isPresent()) {
        long row = encoding.blockValues();
        writer.tensor("t." + encoding.name(), encoding.type(), List.of(1L, 2L, row), _ -> {});
      }
    }
    return writer;
  }

  @ParameterizedTest
  @MethodSource("victims")
  void survivesBeingCutAnywhere(Victim victim) throws IOException {
    var file = prepare(victim);
    int survived = 0;
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (long size = channel.size() - 1; size >= 0; size -= size > victim.header ? 997 : 1) {
        channel.truncate(size);
        survived += opens(victim) ? 1 : 0;
      }
    }
    // Only padding or white space at the end can be missed.
    assertThat(survived).isLessThan(2);
  }

  private boolean opens(Victim victim) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    boolean opened;
    try (var checkpoint = Checkpoint.open(folder.resolve(victim.open))) {
      checkpoint.tensors().values().forEach(CorruptionTest::touch);
      opened = true;
    } catch (FormatException e) {
      assertThat(e.getMessage()).startsWith(folder.toString());
      opened = false;
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
    return opened;
  }

  private static void touch(StoredTensor tensor) {
    long size = tensor.bytes().byteSize();
    if (size > 0) {
      tensor.bytes().get(LittleEndian.BYTE, 0);
      tensor.bytes().get(LittleEndian.BYTE, size - 1);
    }
    assertThat(tensor.type().bytes(tensor.values())).isEqualTo(size);
  }
}
