package weft.bench.fuzz;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import weft.format.Checkpoint;
import weft.format.FormatException;
import weft.format.GgufWriter;
import weft.format.MetadataValue;
import weft.format.NumberArray;
import weft.format.StoredTensor;
import weft.format.TextArray;
import weft.format.ValueType;
import weft.quant.Encodings;

/** GGUF files: every view of one that opens can be read, and it can be written and read again. */
final class GgufTarget implements Target {
  private static final Path FILE = Path.of("fuzz.gguf");

  private static final Set<ValueType> WHOLES = EnumSet.range(ValueType.UINT8, ValueType.INT32);

  /** Beyond this a file is mostly the padding between its tensors. */
  private static final long LARGEST_COPY = 1 << 20;

  @Override
  public String name() {
    return "gguf";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(everyKindOfValue(), version2(), new GgufWriter().bytes());
  }

  private static byte[] everyKindOfValue() {
    var writer = new GgufWriter().uint32("general.alignment", 64);
    for (var type : WHOLES) {
      writer.put("one." + type, new MetadataValue.Whole(type, 1));
      writer.numbers("array." + type, NumberArray.of(type, 1, 2, 3));
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
    return writer.bytes();
  }

  private static byte[] version2() {
    byte[] file =
        new GgufWriter()
            .string("general.architecture", "llama")
            .uint32("split.count", 1)
            .tensor("a", Encodings.all().getFirst().type(), List.of(256L), _ -> {})
            .bytes();
    return ByteMutation.number(file, 4, 2, 4);
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return GgufMutation.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    try (var checkpoint = Checkpoint.of(FILE, input)) {
      checkpoint.tensors().values().forEach(GgufTarget::touch);
      if (copySize(checkpoint) <= LARGEST_COPY) writtenAgain(checkpoint);
    }
  }

  static void touch(StoredTensor tensor) {
    long size = tensor.bytes().byteSize();
    if (size > 0) {
      tensor.bytes().get(ValueLayout.JAVA_BYTE, 0);
      tensor.bytes().get(ValueLayout.JAVA_BYTE, size - 1);
    }
    if (tensor.type().bytes(tensor.values()) != size) {
      throw new Violation(
          tensor.name() + " has " + size + " bytes, which is not what its shape takes");
    }
  }

  private static long copySize(Checkpoint checkpoint) {
    long alignment = checkpoint.metadata().integer("general.alignment").orElse(32);
    return checkpoint.fileBytes() + alignment * (1L + checkpoint.tensors().size());
  }

  private static void writtenAgain(Checkpoint checkpoint) {
    byte[] once = written(checkpoint);
    try (var again = Checkpoint.of(FILE, once)) {
      if (!again.metadata().entries().keySet().equals(checkpoint.metadata().entries().keySet())
          || !again.tensors().keySet().equals(checkpoint.tensors().keySet())) {
        throw new Violation("keys or tensors are lost when the file is written and read again");
      }
      if (!Arrays.equals(once, written(again))) {
        throw new Violation("a file that was written and read again is written otherwise");
      }
    }
  }

  private static byte[] written(Checkpoint checkpoint) {
    var writer = new GgufWriter();
    checkpoint.metadata().entries().forEach(writer::put);
    checkpoint
        .tensors()
        .forEach(
            (name, tensor) ->
                writer.tensor(
                    name, tensor.type(), tensor.shape(), bytes -> bytes.copyFrom(tensor.bytes())));
    return writer.bytes();
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof FormatException;
  }

  @Override
  public long mostAllocated() {
    return 16L << 20;
  }
}
