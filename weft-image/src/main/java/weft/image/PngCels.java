package weft.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * The pictures of an animated PNG file, each made a file of its own. A picture that is shown where
 * nothing moves, and is none of the animation, is passed over.
 */
final class PngCels {
  private static final int SIGNATURE = 8;
  private static final int HEAD = 8;
  private static final int SUM = 4;
  private static final int CONTROL_BYTES = 26;

  /** The head, colours and how much of them is seen; all of it goes with each picture. */
  private static final int MOST_BEFORE = 3;

  /** 256 colours. */
  private static final int LONGEST_BEFORE = 768;

  /** The number of an animation's part, before what a plain file would have there. */
  private static final int SEQUENCE = 4;

  /** A chunk's body, in its file. */
  private record Chunk(String name, int from, int to) {}

  /** How a picture is shown, and its pixels. */
  private record Shown(int control, List<Chunk> pixels) {}

  private final byte[] file;
  private final List<Chunk> before = new ArrayList<>();
  private final List<Shown> shown = new ArrayList<>();
  private boolean isAnimated;

  private PngCels(byte[] file) {
    this.file = file;
  }

  static Animation of(byte[] file) {
    var all = new PngCels(file);
    all.read();
    if (!all.isAnimated || all.shown.size() == 1) throw Animation.still(Kind.PNG);
    if (all.before.isEmpty()) throw Pictures.damaged(Kind.PNG);
    var head = all.before.getFirst();
    if (!head.name.equals("IHDR") || head.to - head.from != 13) throw Pictures.damaged(Kind.PNG);
    return new Animation(Kind.PNG, all.number(head.from), all.number(head.from + 4), 0, all.cels());
  }

  private void read() {
    long at = SIGNATURE;
    while (at + HEAD + SUM <= file.length && shown.size() <= Reel.MOST_FRAMES) {
      int from = (int) at;
      long length = number(from) & 0xFFFF_FFFFL;
      if (at + HEAD + length + SUM > file.length) return;
      var name = new String(file, from + 4, 4, StandardCharsets.ISO_8859_1);
      add(new Chunk(name, from + HEAD, from + HEAD + (int) length));
      at += HEAD + length + SUM;
    }
  }

  private void add(Chunk chunk) {
    switch (chunk.name) {
      case "acTL" -> isAnimated = true;
      case "fcTL" -> {
        if (chunk.to - chunk.from != CONTROL_BYTES) throw Pictures.damaged(Kind.PNG);
        shown.add(new Shown(chunk.from, new ArrayList<>()));
      }
      case "IDAT" -> {
        if (!shown.isEmpty()) shown.getLast().pixels.add(chunk);
      }
      case "fdAT" -> {
        boolean isWhole = !shown.isEmpty() && chunk.to - chunk.from >= SEQUENCE;
        if (!isWhole) throw Pictures.damaged(Kind.PNG);
        shown.getLast().pixels.add(new Chunk("IDAT", chunk.from + SEQUENCE, chunk.to));
      }
      case "IHDR", "PLTE", "tRNS" -> {
        boolean isShort = chunk.to - chunk.from <= LONGEST_BEFORE;
        if (!isShort || before.size() == MOST_BEFORE) throw Pictures.damaged(Kind.PNG);
        before.add(chunk);
      }
      default -> {} // profiles, texts and times
    }
  }

  private List<Cel> cels() {
    var cels = new ArrayList<Cel>();
    for (var each : shown) {
      int at = each.control;
      var area = new Cel.Area(number(at + 12), number(at + 16), number(at + 4), number(at + 8));
      boolean isSound =
          area.left() >= 0 && area.top() >= 0 && area.width() > 0 && area.height() > 0;
      if (!isSound) throw Pictures.damaged(Kind.PNG);
      int parts = half(at + 22);
      boolean isFirst = cels.isEmpty();
      cels.add(
          new Cel(
              area,
              Animation.delay((double) half(at + 20) / (parts == 0 ? 100 : parts)),
              isFirst || file[at + 25] == 0 ? Cel.Manner.REPLACING : Cel.Manner.OVER,
              switch (file[at + 24]) {
                case 1 -> Cel.After.CLEARED;
                // Before the first there is nothing that could come back.
                case 2 -> isFirst ? Cel.After.CLEARED : Cel.After.TAKEN_BACK;
                default -> Cel.After.KEPT;
              },
              0,
              alone(area, each.pixels)));
    }
    return cels;
  }

  private Supplier<BufferedImage> alone(Cel.Area area, List<Chunk> pixels) {
    return () -> {
      var out = new ByteArrayOutputStream();
      out.write(file, 0, SIGNATURE);
      for (var chunk : before) {
        var body = ByteBuffer.wrap(file, chunk.from, chunk.to - chunk.from).slice();
        var own = new byte[body.remaining()];
        body.get(own);
        if (chunk.name.equals("IHDR")) {
          ByteBuffer.wrap(own).putInt(0, area.width()).putInt(4, area.height());
        }
        write(out, chunk.name, own, 0, own.length);
      }
      for (var chunk : pixels) write(out, "IDAT", file, chunk.from, chunk.to);
      write(out, "IEND", file, 0, 0);
      return Pictures.decoded(Kind.PNG, out.toByteArray(), Pictures.MOST_PIXELS);
    };
  }

  private static void write(ByteArrayOutputStream out, String name, byte[] of, int from, int to) {
    var mark = name.getBytes(StandardCharsets.US_ASCII);
    var sum = new CRC32();
    sum.update(mark);
    sum.update(of, from, to - from);
    out.writeBytes(ByteBuffer.allocate(4).putInt(to - from).array());
    out.writeBytes(mark);
    out.write(of, from, to - from);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
  }

  private int number(int at) {
    return ByteBuffer.wrap(file).getInt(at);
  }

  private int half(int at) {
    return ByteBuffer.wrap(file).getShort(at) & 0xFFFF;
  }
}
