package weft.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Safetensors files from the text of their header. */
final class SafetensorsBytes {
  private SafetensorsBytes() {}

  static Path write(Path path, String header, int dataBytes) {
    var text = header.getBytes(StandardCharsets.UTF_8);
    var bytes =
        ByteBuffer.allocate(Long.BYTES + text.length + dataBytes)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(text.length)
            .put(text);
    try {
      return Files.write(path, bytes.array());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
