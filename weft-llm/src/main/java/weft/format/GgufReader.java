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
  private static final int MOST_KEYS = 1 << 16;

  private final MappedFile file;
  private final Cursor cursor;

  /** What one file holds; a split checkpoint is several. */
  record Contents(Metadata metadata, List<StoredTensor> tensors) {}

  /** A tensor's entry in the header, before the start of the data is known. */
  private record Entry(
      String name, StorageType type, List<Long> shape, long offset, long byteSize) {}

  private GgufReader(MappedFile file, Cursor cursor) {
    this.file = file;
    this.cursor = cursor;
  }

  static Contents read(MappedFile file) {
    if (!file.isCopy()) {
      return new GgufReader(file, new Cursor(file, Cursor.LONGEST_HEADER)).contents();
    }
    // Metadata outlives the checkpoint, so it gets a copy of its own, once its length is known.
    var first = new GgufReader(file, Cursor.within(file));
    first.contents();
    return new GgufReader(file, new Cursor(file, first.cursor.position())).contents();
  }

  private Contents contents() {
    checkMagic();
    checkVersion();
    int tensorCount = cursor.count("tensor count", smallestEntry(), Extents.MOST_TENSORS);
    var metadata = new Metadata(file.path().toString(), metadata());
    long alignment = GgufRules.alignment(metadata);
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < tensorCount; i++) {
      entries.add(entry(i, tensorCount, alignment));
    }
    return new Contents(metadata, place(entries, alignment));
  }

  private void checkMagic() {
    var magic = cursor.copy(GgufRules.MAGIC.length, "magic");
    if (!Arrays.equals(magic, GgufRules.MAGIC)) {
      throw cursor.broken(
          "the file begins with bytes %s, expected 47475546, the letters GGUF"
              .formatted(HexFormat.of().formatHex(magic)));
    }
  }

  private void checkVersion() {
    int version = cursor.i32("version");
    if (1 <= Integer.reverseBytes(version)
        && Integer.reverseBytes(version) <= GgufRules.NEWEST_VERSION) {
      throw cursor.broken(
          "this is a big-endian GGUF; weft reads little-endian ones. Convert the file first.");
    }
    if (version < 1 || version > GgufRules.NEWEST_VERSION) {
      throw cursor.broken(
          "version is %s, expected 1 to %d"
              .formatted(Integer.toUnsignedString(version), GgufRules.NEWEST_VERSION));
    }
    cursor.countsAre(version == 1 ? Cursor.CountWidth.INT : Cursor.CountWidth.LONG);
  }

  /** Name length, dimension count, one dimension, type and offset: a name may not be empty. */
  private int smallestEntry() {
    return cursor.countBytes() + 1 + Integer.BYTES + cursor.countBytes() + Integer.BYTES + 8;
  }

  private SequencedMap<String, MetadataValue> metadata() {
    int smallestPair = cursor.countBytes() + 1 + Integer.BYTES + 1;
    int count = cursor.count("metadata key count", smallestPair, MOST_KEYS);
    var values = new GgufValues(cursor);
    var metadata = new LinkedHashMap<String, MetadataValue>();
    for (int i = 0; i < count; i++) {
      cursor.enter("metadata key %d of %d".formatted(i + 1, count));
      String key = cursor.name("key", GgufRules.LONGEST_NAME);
      cursor.enter("metadata " + Quoted.text(key));
      if (metadata.put(key, values.read()) != null) {
        throw cursor.broken("the key is there twice, expected each key once");
      }
    }
    return metadata;
  }

  private Entry entry(int index, int count, long alignment) {
    cursor.enter("tensor %d of %d".formatted(index + 1, count));
    String name = cursor.name("name", GgufRules.LONGEST_NAME);
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
    long byteSize = GgufRules.byteSize(type, shape, cursor::broken);
    long offset = cursor.offset("offset");
    if (offset % alignment != 0) {
      throw cursor.broken(
          "offset %d is not a multiple of the alignment %d".formatted(offset, alignment));
    }
    return new Entry(name, type, shape, offset, byteSize);
  }

  private List<Long> shape() {
    long dimensions = cursor.u32("dimension count");
    if (dimensions < 1 || dimensions > GgufRules.MOST_DIMENSIONS) {
      throw cursor.broken(
          "dimension count is %d, expected 1 to %d"
              .formatted(dimensions, GgufRules.MOST_DIMENSIONS));
    }
    var innermostFirst = new ArrayList<Long>();
    for (int i = 0; i < dimensions; i++) {
      innermostFirst.add(cursor.size("dimension " + i));
    }
    return innermostFirst.reversed();
  }

  private List<StoredTensor> place(List<Entry> entries, long alignment) {
    long start = GgufRules.align(cursor.position(), alignment);
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
