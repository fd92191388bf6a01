package weft.quant;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The packed and decoded samples under {@code resources/quants}; its README says what each is. */
final class QuantSamples {
  static final int VALUES = 7 * 256;

  private QuantSamples() {}

  static Optional<byte[]> bytes(String file) {
    try (var stream = QuantSamples.class.getResourceAsStream("/quants/" + file)) {
      return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static float[] floats(String file) {
    var bytes = bytes(file).orElseThrow(() -> new AssertionError("no sample " + file));
    var floats = new float[bytes.length / Float.BYTES];
    MemorySegment.copy(MemorySegment.ofArray(bytes), Bytes.FLOAT, 0, floats, 0, floats.length);
    return floats;
  }
}
