package weft.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import weft.quant.StorageType;

/**
 * The bytes of a GGUF file before its tensors, and where each tensor goes: {@code bytes} ends where
 * the tensors begin, and {@code offsets} count from the start of the file.
 */
record GgufHeader(byte[] bytes, List<Long> offsets, long fileSize) {
  /** One tensor to be; {@code shape} is outermost first. */
  record Entry(String name, StorageType type, List<Long> shape, long byteSize) {
    static Entry of(String name, StorageType type, List<Long> shape) {
      long byteSize =
          GgufRules.byteSize(
              type,
              shape,
              message -> new FormatException("tensor " + Quoted.text(name) + ": " + message));
      return new Entry(name, type, List.copyOf(shape), byteSize);
    }
  }

  static GgufHeader of(Map<String, MetadataValue> metadata, List<Entry> entries) {
    long alignment = GgufRules.alignment(new Metadata("the metadata to write", metadata));
    var out = new Output();
    out.bytes(GgufRules.MAGIC);
    out.number(GgufRules.NEWEST_VERSION, 4);
    out.number(entries.size(), 8);
    out.number(metadata.size(), 8);
    metadata.forEach(out::pair);
    var offsets = new ArrayList<Long>();
    long end = 0;
    for (Entry entry : entries) {
      offsets.add(end);
      out.entry(entry, end);
      end = GgufRules.align(Math.addExact(end, entry.byteSize()), alignment);
    }
    long start = GgufRules.align(out.size(), alignment);
    out.bytes(new byte[(int) (start - out.size())]);
    return new GgufHeader(
        out.toBytes(),
        offsets.stream().map(offset -> start + offset).toList(),
        Math.addExact(start, end));
  }

  /** Little-endian numbers and everything that GGUF makes of them. */
  private static final class Output {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    int size() {
      return bytes.size();
    }

    byte[] toBytes() {
      return bytes.toByteArray();
    }

    void bytes(byte[] some) {
      bytes.writeBytes(some);
    }

    void number(long value, int width) {
      for (int i = 0; i < width; i++) {
        bytes.write((int) (value >> 8 * i));
      }
    }

    void text(byte[] text) {
      number(text.length, 8);
      bytes(text);
    }

    void name(String name) {
      var text = name.getBytes(StandardCharsets.UTF_8);
      if (text.length == 0 || text.length > GgufRules.LONGEST_NAME) {
        throw new FormatException(
            "name %s has %d bytes, expected 1 to %d"
                .formatted(Quoted.text(name), text.length, GgufRules.LONGEST_NAME));
      }
      text(text);
    }

    void pair(String key, MetadataValue value) {
      name(key);
      number(typeOf(value).id(), 4);
      value(value);
    }

    void entry(Entry entry, long offset) {
      name(entry.name());
      number(entry.shape().size(), 4);
      entry.shape().reversed().forEach(dimension -> number(dimension, 8));
      number(ggufId(entry), 4);
      number(offset, 8);
    }

    private void value(MetadataValue value) {
      switch (value) {
        case MetadataValue.Whole(var type, var number) ->
            number(number, type.bytes().orElseThrow());
        case MetadataValue.Real(var type, var number) when type == ValueType.FLOAT32 ->
            number(Float.floatToRawIntBits((float) number), 4);
        case MetadataValue.Real(_, var number) -> number(Double.doubleToRawLongBits(number), 8);
        case MetadataValue.Flag(var flag) -> number(flag ? 1 : 0, 1);
        case MetadataValue.Text(var text) -> text(text.getBytes(StandardCharsets.UTF_8));
        case MetadataValue.Numbers(var array) -> {
          arrayHead(array.element(), array.size());
          bytes(array.packed().toArray(LittleEndian.BYTE));
        }
        case MetadataValue.Texts(var array) -> {
          arrayHead(ValueType.STRING, array.size());
          for (int i = 0; i < array.size(); i++) {
            text(array.bytes(i));
          }
        }
        case MetadataValue.Nested(var arrays) -> {
          arrayHead(ValueType.ARRAY, arrays.size());
          arrays.forEach(this::value);
        }
      }
    }

    private void arrayHead(ValueType element, int size) {
      number(element.id(), 4);
      number(size, 8);
    }

    private static ValueType typeOf(MetadataValue value) {
      return switch (value) {
        case MetadataValue.Whole(var type, _) -> type;
        case MetadataValue.Real(var type, _) -> type;
        case MetadataValue.Flag _ -> ValueType.BOOL;
        case MetadataValue.Text _ -> ValueType.STRING;
        case MetadataValue.Numbers _, MetadataValue.Texts _, MetadataValue.Nested _ ->
            ValueType.ARRAY;
      };
    }

    private static int ggufId(Entry entry) {
      return entry
          .type()
          .ggufId()
          .orElseThrow(
              () ->
                  new FormatException(
                      "tensor %s is %s, which GGUF has no number for"
                          .formatted(Quoted.text(entry.name()), entry.type())));
    }
  }
}
