package weft.serve.web;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/** Bodies that clients packed, unpacked within a limit: what goes in may be far smaller. */
final class Unpacked {
  private static final int CHUNK = 8192;

  private Unpacked() {}

  /** What was packed, by the word of its {@code Content-Encoding}. */
  static byte[] of(byte[] body, String coding, long largest) {
    try {
      return switch (coding.strip().toLowerCase(Locale.ROOT)) {
        case "", "identity" -> body;
        case "gzip", "x-gzip" -> all(new GZIPInputStream(new ByteArrayInputStream(body)), largest);
        case "deflate" -> all(new InflaterInputStream(new ByteArrayInputStream(body)), largest);
        default ->
            throw new ProblemException(
                new Problem.Packed(coding.length() <= 40 ? coding : coding.substring(0, 40)));
      };
    } catch (IOException e) {
      throw new ProblemException(
          new Problem.BadBody("is not packed as its 'Content-Encoding' says"), e);
    }
  }

  private static byte[] all(InputStream content, long largest) throws IOException {
    try (content) {
      var all = new ByteArrayOutputStream();
      var chunk = new byte[CHUNK];
      for (int count; (count = content.read(chunk)) >= 0; ) {
        all.write(chunk, 0, count);
        if (all.size() > largest) throw new ProblemException(new Problem.TooLarge(largest));
      }
      return all.toByteArray();
    }
  }
}
