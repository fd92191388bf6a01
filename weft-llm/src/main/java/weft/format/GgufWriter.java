package weft.format;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import weft.quant.StorageType;

/**
 * Writes a GGUF file of version 3: collect metadata and tensors, then {@link #write}.
 *
 * <p>Tensors are filled one at a time, straight into the mapped file, so that a checkpoint of any
 * size takes little memory. Belongs to one thread.
 */
public final class GgufWriter {
  private static final int RESERVED_AT_ONCE = 1 << 20;

  private final SequencedMap<String, MetadataValue> metadata = new LinkedHashMap<>();
  private final SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();

  /** Gives a tensor its content. */
  @FunctionalInterface
  public interface Source {
    /** Fills {@code bytes}, all zero so far, which are valid for this call only. */
    void fill(MemorySegment bytes);
  }

  private record Tensor(GgufHeader.Entry entry, Source source) {}

  public GgufWriter() {}

  public GgufWriter string(String key, String value) {
    return put(key, new MetadataValue.Text(value));
  }

  public GgufWriter uint32(String key, long value) {
    return put(key, new MetadataValue.Whole(ValueType.UINT32, value));
  }

  public GgufWriter float32(String key, float value) {
    return put(key, new MetadataValue.Real(ValueType.FLOAT32, value));
  }

  public GgufWriter bool(String key, boolean value) {
    return put(key, new MetadataValue.Flag(value));
  }

  public GgufWriter strings(String key, List<String> values) {
    return put(key, new MetadataValue.Texts(TextArray.of(values)));
  }

  public GgufWriter numbers(String key, NumberArray values) {
    return put(key, new MetadataValue.Numbers(values));
  }

  /** Adds a value of any type; a key may be put once. */
  public GgufWriter put(String key, MetadataValue value) {
    if (metadata.putIfAbsent(key, value) != null) {
      throw new FormatException("metadata " + Quoted.text(key) + " was put twice");
    }
    return this;
  }

  /** Adds a tensor with the dimensions of {@code shape}, outermost first. */
  public GgufWriter tensor(String name, StorageType type, List<Long> shape, Source source) {
    var tensor = new Tensor(GgufHeader.Entry.of(name, type, shape), source);
    if (tensors.putIfAbsent(name, tensor) != null) {
      throw new FormatException("tensor " + Quoted.text(name) + " was added twice");
    }
    return this;
  }

  /** Writes the file as {@link WholeFile} does: it is there when it is whole. */
  public void write(Path path) {
    WholeFile.write(path, this::writeAll);
  }

  private void writeAll(FileChannel channel) throws IOException {
    var header = GgufHeader.of(metadata, entries());
    write(channel, ByteBuffer.wrap(header.bytes()));
    reserve(channel, header.fileSize());
    int index = 0;
    for (Tensor tensor : tensors.values()) {
      long offset = header.offsets().get(index++);
      try (var arena = Arena.ofConfined()) {
        tensor.source.fill(channel.map(MapMode.READ_WRITE, offset, tensor.entry.byteSize(), arena));
      }
    }
  }

  /** The whole file in memory, for one that is small. */
  public byte[] bytes() {
    var header = GgufHeader.of(metadata, entries());
    if (header.fileSize() > Integer.MAX_VALUE) {
      throw new FormatException(
          "a file of %d bytes does not fit an array, write it to a path"
              .formatted(header.fileSize()));
    }
    var file = Arrays.copyOf(header.bytes(), (int) header.fileSize());
    int index = 0;
    for (Tensor tensor : tensors.values()) {
      long offset = header.offsets().get(index++);
      tensor.source.fill(MemorySegment.ofArray(file).asSlice(offset, tensor.entry.byteSize()));
    }
    return file;
  }

  /**
   * Fills the file with zeros up to its size. A full disk is an exception here; where it is met by
   * a store into mapped memory, it is a signal.
   */
  private static void reserve(FileChannel channel, long size) throws IOException {
    var zeros = ByteBuffer.allocateDirect(RESERVED_AT_ONCE);
    while (channel.position() < size) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), size - channel.position()));
      write(channel, zeros);
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private List<GgufHeader.Entry> entries() {
    var entries = new ArrayList<GgufHeader.Entry>();
    tensors.values().forEach(tensor -> entries.add(tensor.entry));
    return entries;
  }
}
