package weft.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A GGUF file put together field by field, so that any field can be wrong. */
final class GgufBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final int countWidth;

  private GgufBytes(int version) {
    countWidth = version == 1 ? 4 : 8;
    raw("GGUF".getBytes(StandardCharsets.UTF_8)).u32(version);
  }

  /** A file of a version up to and without its counts. */
  static GgufBytes version(int version) {
    return new GgufBytes(version);
  }

  /** A file of version 3 with its counts. */
  static GgufBytes of(long tensors, long keys) {
    return version(3).count(tensors).count(keys);
  }

  GgufBytes raw(byte... some) {
    bytes.writeBytes(some);
    return this;
  }

  GgufBytes number(long value, int width) {
    for (int i = 0; i < width; i++) {
      bytes.write((int) (value >> 8 * i));
    }
    return this;
  }

  GgufBytes u32(long value) {
    return number(value, 4);
  }

  GgufBytes u64(long value) {
    return number(value, 8);
  }

  GgufBytes count(long value) {
    return number(value, countWidth);
  }

  GgufBytes text(String text) {
    var utf8 = text.getBytes(StandardCharsets.UTF_8);
    return count(utf8.length).raw(utf8);
  }

  GgufBytes key(String key, ValueType type) {
    return text(key).u32(type.id());
  }

  /** A tensor's entry; dimensions innermost first, as the file has them. */
  GgufBytes tensor(String name, int type, long offset, long... dimensions) {
    text(name).u32(dimensions.length);
    for (long dimension : dimensions) {
      count(dimension);
    }
    return u32(type).u64(offset);
  }

  /** Zeros up to a multiple of {@code alignment}, then {@code count} bytes of data. */
  GgufBytes data(int alignment, int count) {
    while (bytes.size() % alignment != 0) {
      bytes.write(0);
    }
    return raw(new byte[count]);
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  Path write(Path folder) {
    return write(folder, "model.gguf");
  }

  Path write(Path folder, String name) {
    try {
      return Files.write(folder.resolve(name), toBytes());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
