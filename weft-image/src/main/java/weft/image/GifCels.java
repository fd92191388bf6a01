package weft.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The pictures of a GIF file, found block by block; a file that is cut off ends the list. */
final class GifCels {
  private static final int HEAD = 13;
  private static final int EXTENSION = 0x21;
  private static final int PICTURE = 0x2C;
  private static final int PICTURE_HEAD = 10;

  /** The extension that says how the next picture is shown, behind its two marks and its length. */
  private static final int CONTROL = 0xF9;

  private static final int CONTROL_BYTES = 8;
  private static final int END = 0x3B;

  /** Where a part of a file begins and ends. */
  private record Part(int from, int to) {
    private static final Part NONE = new Part(0, 0);

    boolean isNone() {
      return to == 0;
    }
  }

  private final byte[] file;
  private final int colours;
  private final List<Cel> cels = new ArrayList<>();
  private Part control = Part.NONE;

  private GifCels(byte[] file) {
    this.file = file;
    this.colours = file.length < HEAD ? 0 : HEAD + palette(file[10]);
  }

  static Animation of(byte[] file) {
    var screen = GifScreen.of(file).orElseThrow(() -> Pictures.damaged(Kind.GIF));
    var all = new GifCels(file);
    all.read();
    if (all.cels.isEmpty()) throw Pictures.damaged(Kind.GIF);
    if (all.cels.size() == 1) throw Animation.still(Kind.GIF);
    int around = all.cels.getFirst().cleared();
    return new Animation(Kind.GIF, screen.width(), screen.height(), around, all.cels);
  }

  /** Bytes of the palette that flags announce. */
  private static int palette(int flags) {
    return (flags & 0x80) == 0 ? 0 : 3 << (flags & 7) + 1;
  }

  private void read() {
    int at = colours;
    while (at + 1 < file.length && cels.size() <= Reel.MOST_FRAMES) {
      switch (file[at]) {
        case EXTENSION -> {
          int to = GifScreen.behind(file, at + 2);
          boolean isWhole = at + CONTROL_BYTES <= file.length;
          if ((file[at + 1] & 0xFF) == CONTROL && isWhole) control = new Part(at, to);
          at = to;
        }
        case PICTURE -> {
          if (at + PICTURE_HEAD > file.length) return;
          int to = GifScreen.behind(file, at + PICTURE_HEAD + palette(file[at + 9]) + 1);
          if (to > file.length) return;
          add(new Part(at, to));
          at = to;
        }
        default -> {
          return;
        }
      }
    }
  }

  private void add(Part picture) {
    var area =
        new Cel.Area(
            number(picture, 1), number(picture, 3), number(picture, 5), number(picture, 7));
    int flags = control.isNone() ? 0 : file[control.from + 3];
    double delay = control.isNone() ? 0 : number(control, 4) / 100.0;
    int shown = control.isNone() || (flags & 1) == 0 ? -1 : file[control.from + 6] & 0xFF;
    cels.add(
        new Cel(
            area,
            Animation.delay(delay),
            cels.isEmpty() ? Cel.Manner.REPLACING : Cel.Manner.OVER,
            switch (flags >> 2 & 7) {
              case 2 -> Cel.After.CLEARED;
              case 3 -> Cel.After.TAKEN_BACK;
              default -> Cel.After.KEPT;
            },
            colour(picture, Math.max(0, shown)),
            alone(control, picture)));
    control = Part.NONE;
  }

  /** A colour of the palette that a picture has, of which nothing is seen. */
  private int colour(Part picture, int index) {
    boolean isOwn = (file[picture.from + 9] & 0x80) != 0;
    int at = (isOwn ? picture.from + PICTURE_HEAD : HEAD) + 3 * index;
    int end = isOwn ? picture.to : colours;
    if (at + 3 > end) return 0;
    return (file[at] & 0xFF) << 16 | (file[at + 1] & 0xFF) << 8 | file[at + 2] & 0xFF;
  }

  /** A file of one picture, whose screen is as large as it. */
  private Supplier<BufferedImage> alone(Part how, Part picture) {
    return () -> {
      var out = new ByteArrayOutputStream();
      out.write(file, 0, 6);
      out.write(file, picture.from + 5, 4);
      out.write(file, 10, colours - 10);
      out.write(file, how.from, how.to - how.from);
      out.write(PICTURE);
      out.writeBytes(new byte[4]);
      out.write(file, picture.from + 5, picture.to - picture.from - 5);
      out.write(END);
      return Pictures.decoded(Kind.GIF, out.toByteArray(), Pictures.MOST_PIXELS);
    };
  }

  private int number(Part part, int at) {
    return file[part.from + at] & 0xFF | (file[part.from + at + 1] & 0xFF) << 8;
  }
}
