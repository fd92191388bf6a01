package weft.load;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import weft.format.Checkpoint;
import weft.format.GgufWriter;
import weft.format.MetadataValue;
import weft.format.StoredTensor;
import weft.format.ValueType;
import weft.quant.StorageType;

/** A GGUF checkpoint like another one, but for what is changed; owns the original. */
final class Altered implements AutoCloseable {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort HALF =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Checkpoint original;
  private final Map<String, MetadataValue> metadata;
  private final Map<String, StoredTensor> tensors;

  private Altered(Checkpoint original) {
    this.original = original;
    this.metadata = new LinkedHashMap<>(original.metadata().entries());
    this.tensors = new LinkedHashMap<>(original.tensors());
  }

  static Altered copyOf(Path gguf) {
    return new Altered(Checkpoint.open(gguf));
  }

  Altered without(String tensor) {
    tensors.remove(tensor);
    return this;
  }

  Altered withoutKey(String key) {
    metadata.remove(key);
    return this;
  }

  Altered saying(String key, String value) {
    metadata.put(key, new MetadataValue.Text(value));
    return this;
  }

  Altered saying(String key, int value) {
    metadata.put(key, new MetadataValue.Whole(ValueType.UINT32, value));
    return this;
  }

  Altered saying(String key, MetadataValue value) {
    metadata.put(key, value);
    return this;
  }

  /** The keys there are, in file order. */
  List<String> keys() {
    return List.copyOf(metadata.keySet());
  }

  long elements(String tensor) {
    return tensors.get(tensor).values();
  }

  List<String> tensors() {
    return List.copyOf(tensors.keySet());
  }

  Altered saying(String key, float value) {
    metadata.put(key, new MetadataValue.Real(ValueType.FLOAT32, value));
    return this;
  }

  /** The same bytes under another shape of as many elements. */
  Altered shaped(String tensor, Long... shape) {
    var old = tensors.get(tensor);
    tensors.put(tensor, new StoredTensor(tensor, old.type(), List.of(shape), old.bytes()));
    return this;
  }

  /** The tensor with some of its bytes written over by this number, as a little-endian float. */
  Altered with(String tensor, long offset, float value) {
    return with(tensor, bytes -> bytes.set(FLOAT, offset, value));
  }

  /** A block's scale made this number. */
  Altered withHalf(String tensor, long offset, float value) {
    return with(tensor, bytes -> bytes.set(HALF, offset, Float.floatToFloat16(value)));
  }

  Altered filled(String tensor, float value) {
    return with(
        tensor,
        bytes -> {
          for (long at = 0; at < bytes.byteSize(); at += Float.BYTES) bytes.set(FLOAT, at, value);
        });
  }

  /** The tensor with its bytes changed. */
  Altered with(String tensor, Consumer<MemorySegment> change) {
    var old = tensors.get(tensor);
    var bytes = MemorySegment.ofArray(old.bytes().toArray(ValueLayout.JAVA_BYTE));
    change.accept(bytes);
    tensors.put(tensor, new StoredTensor(tensor, old.type(), old.shape(), bytes));
    return this;
  }

  /** The names of its tensors. */
  List<String> names() {
    return List.copyOf(tensors.keySet());
  }

  /** Whether a tensor is numbers one after the other, of four bytes each. */
  boolean isFloats(String tensor) {
    return tensors.get(tensor).type() == StorageType.F32;
  }

  /** Writes the file and gives its path back. */
  Path write(Path to) {
    var writer = new GgufWriter();
    metadata.forEach(writer::put);
    tensors.forEach(
        (name, tensor) ->
            writer.tensor(
                name, tensor.type(), tensor.shape(), bytes -> bytes.copyFrom(tensor.bytes())));
    writer.write(to);
    return to;
  }

  @Override
  public void close() {
    original.close();
  }
}
