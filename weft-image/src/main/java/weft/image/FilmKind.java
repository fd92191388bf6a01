package weft.image;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Files of films, which are known to be refused with a word on what to do: nothing decodes them.
 */
enum FilmKind {
  MP4("MP4", 4, "66747970"),
  WEBM("WebM or Matroska", 0, "1A45DFA3"),
  AVI("AVI", 8, "41564920"),
  FLV("FLV", 0, "464C5601"),
  OGG("Ogg", 0, "4F676753"),
  MPEG("MPEG", 0, "000001BA"),
  MPEG_VIDEO("MPEG", 0, "000001B3"),
  WMV("Windows Media", 0, "3026B275");

  private final String spelling;
  private final int at;
  private final byte[] mark;

  FilmKind(String spelling, int at, String mark) {
    this.spelling = spelling;
    this.at = at;
    this.mark = HexFormat.of().parseHex(mark);
  }

  static Optional<FilmKind> of(byte[] file) {
    return Arrays.stream(values()).filter(kind -> kind.isIn(file)).findFirst();
  }

  private boolean isIn(byte[] file) {
    return file.length >= at + mark.length
        && Arrays.equals(file, at, at + mark.length, mark, 0, mark.length);
  }

  /** What is said to who gives one. */
  String refusal() {
    return "this is a film (%s), which cannot be decoded here; give its frames as pictures, or an animated GIF, PNG or WebP"
        .formatted(spelling);
  }
}
