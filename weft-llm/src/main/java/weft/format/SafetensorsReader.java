package weft.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one safetensors file: a JSON header, then the tensors' bytes without holes. */
final class SafetensorsReader {
  private static final int PREFIX = Long.BYTES;
  // The limit of the format's own implementation.
  private static final long LONGEST_HEADER = 100_000_000;
  private static final int MOST_TEXTS = 1 << 16;
  private static final String TEXTS = "__metadata__";

  private final MappedFile file;
  private final Map<String, MetadataValue> texts = new LinkedHashMap<>();
  private final List<SafetensorsEntry> entries = new ArrayList<>();

  /** What one file holds: its {@code __metadata__}, and its tensors in the order of their bytes. */
  record Contents(Map<String, MetadataValue> texts, List<StoredTensor> tensors) {}

  private SafetensorsReader(MappedFile file) {
    this.file = file;
  }

  static Contents read(MappedFile file) {
    return new SafetensorsReader(file).contents();
  }

  private Contents contents() {
    long headerLength = headerLength();
    var header = file.bytes().asSlice(PREFIX, headerLength).toArray(LittleEndian.BYTE);
    if (header.length == 0 || header[0] != '{') {
      throw file.broken("header: expected a JSON object, which begins with '{'");
    }
    JsonReader.object(file.path(), "header", header, this::field);
    return new Contents(texts, place(PREFIX + headerLength));
  }

  private long headerLength() {
    long size = file.bytes().byteSize();
    if (size < PREFIX) {
      throw file.broken("the file has %d bytes, expected 8 of header length".formatted(size));
    }
    long length = file.bytes().get(LittleEndian.LONG, 0);
    if (length < 0 || length > LONGEST_HEADER || length > size - PREFIX) {
      throw file.broken(
          "header length is %s, expected at most %d and no more than the %d bytes that follow"
              .formatted(Long.toUnsignedString(length), LONGEST_HEADER, size - PREFIX));
    }
    return length;
  }

  private void field(JsonReader reader, String name) {
    if (name.equals(TEXTS)) {
      reader.object(TEXTS, key -> text(reader, key));
      return;
    }
    if (entries.size() == Extents.MOST_TENSORS) {
      throw reader.broken("more than " + Extents.MOST_TENSORS + " tensors");
    }
    entries.add(SafetensorsEntry.read(reader, name));
  }

  private void text(JsonReader reader, String key) {
    if (texts.size() == MOST_TEXTS) {
      throw reader.broken(TEXTS + " has more than " + MOST_TEXTS + " entries");
    }
    var value = reader.string(TEXTS + " " + Quoted.text(key));
    texts.put(TEXTS + "." + key, new MetadataValue.Text(value));
  }

  private List<StoredTensor> place(long start) {
    entries.sort(
        Comparator.comparingLong(SafetensorsEntry::from).thenComparingLong(SafetensorsEntry::to));
    var extents = new Extents(file, start);
    var tensors = new ArrayList<StoredTensor>();
    long end = 0;
    for (SafetensorsEntry entry : entries) {
      if (entry.from() != end) {
        throw file.broken(
            "tensor %s begins at byte %d of the data, expected %d, where the one before it ends: there may be no overlap and no hole"
                .formatted(Quoted.text(entry.name()), entry.from(), end));
      }
      var bytes = extents.claim(entry.name(), entry.from(), entry.to() - entry.from());
      tensors.add(new StoredTensor(entry.name(), entry.type(), entry.shape(), bytes));
      end = entry.to();
    }
    if (start + end != file.bytes().byteSize()) {
      throw file.broken(
          "the tensors end at byte %d, but the file has %d: there may be nothing after them"
              .formatted(start + end, file.bytes().byteSize()));
    }
    return tensors;
  }
}
