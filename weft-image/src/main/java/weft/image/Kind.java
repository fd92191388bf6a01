package weft.image;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** The kinds of files that are read, told by how they begin and never by a name. */
enum Kind {
  PNG("png", "89504E470D0A1A0A"),
  JPEG("jpeg", "FFD8FF"),
  GIF("gif", "47494638"),
  BMP("bmp", "424D"),
  WEBP("webp", "52494646"),
  TIFF("tiff", "49492A00", "4D4D002A");

  private final String reader;
  private final byte[][] beginnings;

  Kind(String reader, String... beginnings) {
    this.reader = reader;
    this.beginnings =
        Arrays.stream(beginnings).map(HexFormat.of()::parseHex).toArray(byte[][]::new);
  }

  /** What the reader is known by. */
  String reader() {
    return reader;
  }

  static Optional<Kind> of(byte[] file) {
    return Arrays.stream(values()).filter(kind -> kind.begins(file)).findFirst();
  }

  private boolean begins(byte[] file) {
    boolean fits = Arrays.stream(beginnings).anyMatch(beginning -> has(file, 0, beginning));
    // RIFF holds sounds and films too.
    return fits && (this != WEBP || has(file, 8, "WEBP".getBytes(StandardCharsets.US_ASCII)));
  }

  private static boolean has(byte[] file, int at, byte[] part) {
    return file.length >= at + part.length
        && Arrays.equals(file, at, at + part.length, part, 0, part.length);
  }
}
