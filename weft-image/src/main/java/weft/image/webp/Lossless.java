package weft.image.webp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;

/**
 * Reads the pictures of lossless WebP: pixels in prefix codes, copies of earlier ones and places in
 * a cache of colours, and what was done to them before, undone. One thread's.
 */
public final class Lossless {
  private static final int MARK = 0x2F;
  private static final int HEAD = 5;

  /** What a code for green holds beside it: lengths of copies, and then colours of the cache. */
  private static final int GREENS = 256;

  private static final int COPIES = 24;
  private static final int DISTANCES = 40;

  /** Which of a group's codes is for what; green is the first. */
  private static final int RED = 1;

  private static final int BLUE = 2;
  private static final int ALPHA = 3;
  private static final int DISTANCE = 4;

  private static final int CACHE_BITS = 11;

  /**
   * Short distances go by what is near in two ways: rows up, and eight less columns to the right.
   */
  private static final byte[] NEAR =
      HexFormat.of()
          .parseHex(
              """
              18 07 17 19 28 06 27 29 16 1a 26 2a 38 05 37 39 15 1b 36 3a 25 2b 48 04 47 49 14 1c 35 3b
              46 4a 24 2c 58 45 4b 34 3c 03 57 59 13 1d 56 5a 23 2d 44 4c 55 5b 33 3d 68 02 67 69 12 1e
              66 6a 22 2e 54 5c 43 4d 65 6b 32 3e 78 01 77 79 53 5d 11 1f 64 6c 42 4e 76 7a 21 2f 75 7b
              31 3f 63 6d 52 5e 00 74 7c 41 4f 10 20 62 6e 30 73 7d 51 5f 40 72 7e 61 6f 50 71 7f 60 70
              """
                  .replaceAll("\\s", ""));

  private final Packing bits;

  private Lossless(Packing bits) {
    this.bits = bits;
  }

  /** The width and the height of a picture between two places of a file. */
  public static int[] size(byte[] file, int from, int to) throws IOException {
    if (to - from < HEAD || file[from] != MARK) throw damaged();
    var bits = new Packing(file, from + 1, to);
    return new int[] {1 + bits.number(14), 1 + bits.number(14)};
  }

  /** Its pixels, row by row, as numbers of alpha, red, green and blue. */
  public static int[] read(byte[] file, int from, int to) throws IOException {
    var size = size(file, from, to);
    if ((file[from + HEAD - 1] & 0xFF) >> 5 != 0) throw damaged();
    return read(file, from + HEAD, to, size[0], size[1]);
  }

  /** The same of one that has no head, whose size is known. */
  public static int[] read(byte[] file, int from, int to, int width, int height)
      throws IOException {
    return new Lossless(new Packing(file, from, to)).whole(width, height);
  }

  private int[] whole(int width, int height) throws IOException {
    var undoing = new ArrayList<Undoing>();
    int seen = 0;
    int packed = width;
    while (bits.flag()) {
      int kind = bits.number(2);
      if ((seen & 1 << kind) != 0) throw damaged();
      seen |= 1 << kind;
      var each = undoing(kind, packed, height);
      undoing.add(each);
      packed = each.packed();
    }
    var pixels = pixels(packed, height, true);
    for (var each : undoing.reversed()) pixels = each.undone(pixels);
    return pixels;
  }

  private Undoing undoing(int kind, int width, int height) throws IOException {
    switch (kind) {
      case 0, 1 -> {
        int side = 2 + bits.number(3);
        var blocks = pixels(squares(width, side), squares(height, side), false);
        return kind == 0
            ? new Undoing.Predicted(width, side, blocks)
            : new Undoing.Crossed(width, side, blocks);
      }
      case 2 -> {
        return new Undoing.WithoutGreen(width);
      }
      default -> {
        var colours = pixels(1 + bits.number(8), 1, false);
        for (int i = 1; i < colours.length; i++) {
          colours[i] = Undoing.sum(colours[i], colours[i - 1]);
        }
        return new Undoing.Indexed(width, colours);
      }
    }
  }

  /** How many squares of a side cover a line. */
  private static int squares(int length, int sideBits) {
    return length + (1 << sideBits) - 1 >> sideBits;
  }

  /** Which codes hold where in a picture. */
  private record Groups(int sideBits, int across, int[] places, PrefixCode[][] codes) {
    PrefixCode[] at(int x, int y) {
      if (places.length == 0) return codes[0];
      return codes[places[(y >> sideBits) * across + (x >> sideBits)]];
    }
  }

  private Groups groups(int width, int height, boolean isMain, int cache) throws IOException {
    if (!isMain || !bits.flag()) {
      return new Groups(0, 0, new int[0], new PrefixCode[][] {group(cache)});
    }
    int side = 2 + bits.number(3);
    int across = squares(width, side);
    var places = pixels(across, squares(height, side), false);
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      places[i] = places[i] >> 8 & 0xFFFF;
      count = Math.max(count, places[i] + 1);
    }
    // Those that nothing uses are read and forgotten.
    var isUsed = new boolean[count];
    for (int place : places) isUsed[place] = true;
    var codes = new PrefixCode[count][];
    for (int i = 0; i < count; i++) {
      var read = group(cache);
      codes[i] = isUsed[i] ? read : new PrefixCode[0];
    }
    return new Groups(side, across, places, codes);
  }

  private PrefixCode[] group(int cache) throws IOException {
    return new PrefixCode[] {
      PrefixCode.read(bits, GREENS + COPIES + cache),
      PrefixCode.read(bits, 256),
      PrefixCode.read(bits, 256),
      PrefixCode.read(bits, 256),
      PrefixCode.read(bits, DISTANCES)
    };
  }

  private int[] pixels(int width, int height, boolean isMain) throws IOException {
    int cacheBits = bits.flag() ? bits.number(4) : 0;
    if (cacheBits > CACHE_BITS) throw damaged();
    var cache = new int[cacheBits == 0 ? 0 : 1 << cacheBits];
    var groups = groups(width, height, isMain, cache.length);
    var out = new int[Math.multiplyExact(width, height)];
    for (int at = 0; at < out.length; ) {
      var codes = groups.at(at % width, at / width);
      int green = codes[0].read(bits);
      int from = at;
      if (green < GREENS) {
        int red = codes[RED].read(bits);
        int blue = codes[BLUE].read(bits);
        out[at++] = codes[ALPHA].read(bits) << 24 | red << 16 | green << 8 | blue;
      } else if (green < GREENS + COPIES) {
        int length = length(green - GREENS);
        int back = distance(length(codes[DISTANCE].read(bits)), width);
        if (back > at || length > out.length - at) throw damaged();
        for (int end = at + length; at < end; at++) out[at] = out[at - back];
      } else {
        out[at++] = cache[green - GREENS - COPIES];
      }
      for (int i = from; cacheBits > 0 && i < at; i++) {
        cache[0x1E35A7BD * out[i] >>> Integer.SIZE - cacheBits] = out[i];
      }
    }
    return out;
  }

  private int length(int symbol) throws IOException {
    if (symbol < 4) return symbol + 1;
    int extra = symbol - 2 >> 1;
    return (2 + (symbol & 1) << extra) + bits.number(extra) + 1;
  }

  private static int distance(int code, int width) {
    if (code > NEAR.length) return code - NEAR.length;
    int near = NEAR[code - 1];
    return Math.max(1, (near >> 4) * width + 8 - (near & 15));
  }

  static IOException damaged() {
    return new IOException("this is no lossless picture");
  }
}
