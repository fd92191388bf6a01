package weft.format;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import weft.quant.StorageType;

/** Reads one GGUF file of version 1, 2 or 3: its metadata and where its tensors lie. */
final class GgufReader {
  private static final byte[] MAGIC = {'G', 'G', 'U', 'F'};
  private static final int NEWEST_VERSION = 3;
  private static final int MOST_KEYS = 1 << 16;
  private static final int MOST_DIMENSIONS = 4;
  private static final int LONGEST_NAME = 65_535;
  private static final long DEFAULT_ALIGNMENT = 32;
  private static final long LARGEST_ALIGNMENT = 1 << 20;

  private final MappedFile file;
  private final Cursor cursor;

  /** What one file holds; a split checkpoint is several. */
  record Contents(Metadata metadata, List<StoredTensor> tensors) {}

  /** A tensor's entry in the header, before the start of the data is known. */
  private record Entry(
      String name, StorageType type, List<Long> shape, long offset, long byteSize) {}

  private GgufReader(MappedFile file) {
    this.file = file;
    this.cursor = new Cursor(file);
  }

  static Contents read(MappedFile file) {
    return new GgufReader(file).contents();
  }

  private Contents contents() {
    checkMagic();
    checkVersion();
    int tensorCount = cursor.count("tensor count", smallestEntry());
    if (tensorCount > Extents.MOST_TENSORS) {
      throw cursor.broken(
          "tensor count is %d, expected at most %d".formatted(tensorCount, Extents.MOST_TENSORS));
    }
    var metadata = new Metadata(file.path().toString(), metadata());
    long alignment = alignment(metadata);
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < tensorCount; i++) {
      entries.add(entry(i, tensorCount, alignment));
    }
    return new Contents(metadata, place(entries, alignment));
  }

  private void checkMagic() {
    var magic = cursor.copy(MAGIC.length, "magic");
    if (!Arrays.equals(magic, MAGIC)) {
      throw cursor.broken(
          "the file begins with bytes %s, expected 47475546, the letters GGUF"
              .formatted(HexFormat.of().formatHex(magic)));
    }
  }

  private void checkVersion() {
    int version = cursor.i32("version");
    if (1 <= Integer.reverseBytes(version) && Integer.reverseBytes(version) <= NEWEST_VERSION) {
      throw cursor.broken(
          "this is a big-endian GGUF; weft reads little-endian ones. Convert the file first.");
    }
    if (version < 1 || version > NEWEST_VERSION) {
      throw cursor.broken(
          "version is %s, expected 1 to %d"
              .formatted(Integer.toUnsignedString(version), NEWEST_VERSION));
    }
    cursor.countsAre(version == 1 ? Cursor.CountWidth.INT : Cursor.CountWidth.LONG);
  }

  /** Name length, dimension count, one dimension, type and offset: a name may not be empty. */
  private int smallestEntry() {
    return cursor.countBytes() + 1 + Integer.BYTES + cursor.countBytes() + Integer.BYTES + 8;
  }

  private SequencedMap<String, MetadataValue> metadata() {
    int smallestPair = cursor.countBytes() + 1 + Integer.BYTES + 1;
    int count = cursor.count("metadata key count", smallestPair);
    if (count > MOST_KEYS) {
      throw cursor.broken(
          "metadata key count is %d, expected at most %d".formatted(count, MOST_KEYS));
    }
    var values = new GgufValues(cursor);
    var metadata = new LinkedHashMap<String, MetadataValue>();
    for (int i = 0; i < count; i++) {
      cursor.enter("metadata key %d of %d".formatted(i + 1, count));
      String key = cursor.name("key", LONGEST_NAME);
      cursor.enter("metadata " + Quoted.text(key));
      if (metadata.put(key, values.read()) != null) {
        throw cursor.broken("the key is there twice, expected each key once");
      }
    }
    return metadata;
  }

  private long alignment(Metadata metadata) {
    long alignment = metadata.integer("general.alignment").orElse(DEFAULT_ALIGNMENT);
    if (alignment < 1 || alignment > LARGEST_ALIGNMENT || Long.bitCount(alignment) != 1) {
      throw file.broken(
          "general.alignment is %d, expected a power of two from 1 to %d"
              .formatted(alignment, LARGEST_ALIGNMENT));
    }
    return alignment;
  }

  private Entry entry(int index, int count, long alignment) {
    cursor.enter("tensor %d of %d".formatted(index + 1, count));
    String name = cursor.name("name", LONGEST_NAME);
    cursor.enter("tensor " + Quoted.text(name));
    var shape = shape();
    int id = cursor.i32("type");
    var type =
        StorageType.byGgufId(id)
            .orElseThrow(
                () ->
                    cursor.broken(
                        "type is %s, which is no type that weft knows"
                            .formatted(Integer.toUnsignedString(id))));
    if (shape.getLast() % type.blockValues() != 0) {
      throw cursor.broken(
          "rows of %d values are not whole %s blocks of %d"
              .formatted(shape.getLast(), type, type.blockValues()));
    }
    long byteSize = byteSize(type, shape);
    long offset = cursor.offset("offset");
    if (offset % alignment != 0) {
      throw cursor.broken(
          "offset %d is not a multiple of the alignment %d".formatted(offset, alignment));
    }
    return new Entry(name, type, shape, offset, byteSize);
  }

  private List<Long> shape() {
    long dimensions = cursor.u32("dimension count");
    if (dimensions < 1 || dimensions > MOST_DIMENSIONS) {
      throw cursor.broken(
          "dimension count is %d, expected 1 to %d".formatted(dimensions, MOST_DIMENSIONS));
    }
    var innermostFirst = new ArrayList<Long>();
    for (int i = 0; i < dimensions; i++) {
      long dimension = cursor.size("dimension " + i);
      if (dimension < 1) {
        throw cursor.broken("dimension %d is 0, expected at least 1".formatted(i));
      }
      innermostFirst.add(dimension);
    }
    return innermostFirst.reversed();
  }

  private long byteSize(StorageType type, List<Long> shape) {
    try {
      return type.bytes(shape.stream().reduce(1L, Math::multiplyExact));
    } catch (ArithmeticException _) {
      throw cursor.broken("shape %s of %s is more than 2^63 - 1 bytes".formatted(shape, type));
    }
  }

  private List<StoredTensor> place(List<Entry> entries, long alignment) {
    long start = Math.ceilDiv(cursor.position(), alignment) * alignment;
    var extents = new Extents(file, start);
    var tensors = new ArrayList<StoredTensor>();
    for (Entry entry : entries) {
      MemorySegment bytes = extents.claim(entry.name(), entry.offset(), entry.byteSize());
      tensors.add(new StoredTensor(entry.name(), entry.type(), entry.shape(), bytes));
    }
    extents.checkDisjoint();
    return tensors;
  }
}
