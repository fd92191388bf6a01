package weft.image.webp;

import java.io.IOException;

/** What a picture says before its blocks (RFC 6386, sections 9 and 19.2). One thread's. */
final class Head {
  private static final int BEGIN = 10;
  private static final int SEGMENTS = 4;

  /** The tag of a picture that needs none before it. */
  private static final int[] MARK = {0x9D, 0x01, 0x2A};

  private static final int LAST_INDEX = 127;

  /** The largest index of the colours' first steps. */
  private static final int LAST_COLOUR_INDEX = 117;

  /**
   * Steps of coefficients in a segment: the first one's and the others'.
   *
   * @param luma of blocks
   * @param joined of what is kept for sixteen blocks together
   * @param chroma of colours
   */
  record Steps(int[] luma, int[] joined, int[] chroma) {}

  final int width;
  final int height;
  final boolean isSegmented;
  final int[] segmentChances = {255, 255, 255};
  final Steps[] steps = new Steps[SEGMENTS];
  final boolean isPlain;

  /** By segment, for macroblocks that are predicted as a whole and for others. */
  final Smoothing.Strength[][] strengths = new Smoothing.Strength[SEGMENTS][2];

  final boolean isSmoothed;
  final int[] chances = Tables.DECISION_CHANCES.clone();

  /** How likely it is that a macroblock has a difference; below zero where all have one. */
  final int emptyChance;

  final Bits modes;
  final Bits[] parts;

  private final int[] quantizers = new int[SEGMENTS];
  private final int[] levels = new int[SEGMENTS];
  private boolean isAbsolute;
  private boolean isMapped;

  Head(byte[] file, int from, int to) throws IOException {
    requireBegin(file, from, to);
    int tag = file[from] & 0xFF | (file[from + 1] & 0xFF) << 8 | (file[from + 2] & 0xFF) << 16;
    this.width = two(file, from + 6) & 0x3FFF;
    this.height = two(file, from + 8) & 0x3FFF;
    int first = tag >> 5;
    int begin = from + BEGIN;
    if ((tag & 1) != 0 || first > to - begin || width == 0 || height == 0) throw damaged();
    this.modes = new Bits(file, begin, begin + first);
    modes.number(2); // the space of colours, and that values need no bounds
    readSegments();
    this.isSegmented = isMapped;
    this.isPlain = modes.flag();
    int level = modes.number(6);
    int sharpness = modes.number(3);
    this.isSmoothed = level > 0;
    readStrengths(level, sharpness);
    this.parts = parts(file, begin + first, to, 1 << modes.number(2));
    readSteps();
    modes.flag(); // whether chances are for a next picture
    for (int i = 0; i < chances.length; i++) {
      if (modes.is(Tables.CHANGE_CHANCES[i])) chances[i] = modes.number(8);
    }
    this.emptyChance = modes.flag() ? modes.number(8) : -1;
  }

  /** How large a picture is, by its beginning alone. */
  static int[] size(byte[] file, int from, int to) throws IOException {
    requireBegin(file, from, to);
    return new int[] {two(file, from + 6) & 0x3FFF, two(file, from + 8) & 0x3FFF};
  }

  private static void requireBegin(byte[] file, int from, int to) throws IOException {
    if (to - from < BEGIN) throw damaged();
    for (int i = 0; i < MARK.length; i++) {
      if ((file[from + 3 + i] & 0xFF) != MARK[i]) throw damaged();
    }
  }

  private static int two(byte[] file, int at) {
    return file[at] & 0xFF | (file[at + 1] & 0xFF) << 8;
  }

  static IOException damaged() {
    return new IOException("this is no picture of VP8");
  }

  private void readSegments() throws IOException {
    if (!modes.flag()) return;
    isMapped = modes.flag();
    if (modes.flag()) {
      isAbsolute = modes.flag();
      for (int i = 0; i < SEGMENTS; i++) quantizers[i] = modes.maybe(7);
      for (int i = 0; i < SEGMENTS; i++) levels[i] = modes.maybe(6);
    }
    if (!isMapped) return;
    for (int i = 0; i < segmentChances.length; i++) {
      segmentChances[i] = modes.flag() ? modes.number(8) : 255;
    }
  }

  private void readStrengths(int level, int sharpness) throws IOException {
    int whole = 0;
    int blocks = 0;
    if (modes.flag()) {
      // Of those changes, the first is for pictures that need none before them.
      var changes = new int[8];
      if (modes.flag()) {
        for (int i = 0; i < changes.length; i++) changes[i] = modes.maybe(6);
      }
      whole = changes[0];
      blocks = changes[0] + changes[4];
    }
    for (int i = 0; i < SEGMENTS; i++) {
      int own = isAbsolute ? levels[i] : level + levels[i];
      strengths[i][0] = Smoothing.Strength.of(Math.clamp(own + whole, 0, 63), sharpness);
      strengths[i][1] = Smoothing.Strength.of(Math.clamp(own + blocks, 0, 63), sharpness);
    }
  }

  private void readSteps() throws IOException {
    int base = modes.number(7);
    var changes = new int[5];
    for (int i = 0; i < changes.length; i++) changes[i] = modes.maybe(4);
    for (int i = 0; i < SEGMENTS; i++) {
      int index = isAbsolute ? quantizers[i] : base + quantizers[i];
      steps[i] =
          new Steps(
              new int[] {first(index + changes[0], LAST_INDEX), other(index)},
              new int[] {
                2 * first(index + changes[1], LAST_INDEX),
                Math.max(8, other(index + changes[2]) * 101581 >> 16)
              },
              new int[] {first(index + changes[3], LAST_COLOUR_INDEX), other(index + changes[4])});
    }
  }

  private static int first(int index, int most) {
    return Tables.FIRST_STEPS[Math.clamp(index, 0, most)];
  }

  private static int other(int index) {
    return Tables.OTHER_STEPS[Math.clamp(index, 0, LAST_INDEX)];
  }

  /** Rows of macroblocks take turns among them. */
  private static Bits[] parts(byte[] file, int from, int to, int count) throws IOException {
    int at = from + 3 * (count - 1);
    if (at > to) throw damaged();
    var parts = new Bits[count];
    for (int i = 0; i < count; i++) {
      int sizes = from + 3 * i;
      int size =
          i == count - 1
              ? to - at
              : Math.min(two(file, sizes) | (file[sizes + 2] & 0xFF) << 16, to - at);
      parts[i] = new Bits(file, at, at + size);
      at += size;
    }
    return parts;
  }
}
