package weft.image.webp;

/** What was done to a lossless picture before it was packed, undone. */
sealed interface Undoing {
  int OPAQUE = 0xFF << 24;

  /** The width that the picture has before it is undone. */
  int packed();

  /** The pixels as they were before. */
  int[] undone(int[] pixels);

  /** Channel by channel, each as it overflows. */
  static int sum(int a, int b) {
    int even = (a & 0x00FF00FF) + (b & 0x00FF00FF) & 0x00FF00FF;
    int odd = (a >>> 8 & 0x00FF00FF) + (b >>> 8 & 0x00FF00FF) & 0x00FF00FF;
    return odd << 8 | even;
  }

  /** Differences from what neighbours predict, in a way for each square. */
  record Predicted(int packed, int sideBits, int[] ways) implements Undoing {
    @Override
    public int[] undone(int[] pixels) {
      int across = packed + (1 << sideBits) - 1 >> sideBits;
      for (int at = 0; at < pixels.length; at++) {
        int x = at % packed;
        int y = at / packed;
        int way = ways[(y >> sideBits) * across + (x >> sideBits)] >> 8 & 15;
        int guess =
            at == 0
                ? OPAQUE
                : y == 0 ? pixels[at - 1] : x == 0 ? pixels[at - packed] : guess(way, pixels, at);
        pixels[at] = sum(pixels[at], guess);
      }
      return pixels;
    }

    /** At the right edge, what is above and to the right is the row's own first pixel. */
    private int guess(int way, int[] pixels, int at) {
      int left = pixels[at - 1];
      int above = pixels[at - packed];
      int right = pixels[at - packed + 1];
      int corner = pixels[at - packed - 1];
      return switch (way) {
        case 1 -> left;
        case 2 -> above;
        case 3 -> right;
        case 4 -> corner;
        case 5 -> mean(mean(left, right), above);
        case 6 -> mean(left, corner);
        case 7 -> mean(left, above);
        case 8 -> mean(corner, above);
        case 9 -> mean(above, right);
        case 10 -> mean(mean(left, corner), mean(above, right));
        case 11 -> nearer(left, above, corner);
        case 12 -> gradient(left, above, corner);
        case 13 -> half(mean(left, above), corner);
        default -> OPAQUE;
      };
    }

    private static int mean(int a, int b) {
      return (((a ^ b) & 0xFEFEFEFE) >>> 1) + (a & b);
    }

    private static int channel(int pixel, int shift) {
      return pixel >>> shift & 0xFF;
    }

    /** Whichever is nearer to both without the corner. */
    private static int nearer(int left, int above, int corner) {
      int toLeft = 0;
      int toAbove = 0;
      for (int shift = 0; shift < 32; shift += 8) {
        toLeft += Math.abs(channel(above, shift) - channel(corner, shift));
        toAbove += Math.abs(channel(left, shift) - channel(corner, shift));
      }
      return toLeft < toAbove ? left : above;
    }

    private static int gradient(int left, int above, int corner) {
      int out = 0;
      for (int shift = 0; shift < 32; shift += 8) {
        int value = channel(left, shift) + channel(above, shift) - channel(corner, shift);
        out |= Math.clamp(value, 0, 255) << shift;
      }
      return out;
    }

    private static int half(int mean, int corner) {
      int out = 0;
      for (int shift = 0; shift < 32; shift += 8) {
        int value = channel(mean, shift);
        out |= Math.clamp(value + (value - channel(corner, shift)) / 2, 0, 255) << shift;
      }
      return out;
    }
  }

  /** Red and blue less what others suggest of them, by so much in each square. */
  record Crossed(int packed, int sideBits, int[] shares) implements Undoing {
    @Override
    public int[] undone(int[] pixels) {
      int across = packed + (1 << sideBits) - 1 >> sideBits;
      for (int at = 0; at < pixels.length; at++) {
        int share = shares[(at / packed >> sideBits) * across + (at % packed >> sideBits)];
        int pixel = pixels[at];
        int green = (byte) (pixel >> 8);
        int red = (pixel >> 16) + part(share, green) & 0xFF;
        int blue = pixel + part(share >> 8, green) + part(share >> 16, (byte) red) & 0xFF;
        pixels[at] = pixel & 0xFF00FF00 | red << 16 | blue;
      }
      return pixels;
    }

    private static int part(int share, int of) {
      return (byte) share * of >> 5;
    }
  }

  /** Red and blue less green. */
  record WithoutGreen(int packed) implements Undoing {
    @Override
    public int[] undone(int[] pixels) {
      for (int at = 0; at < pixels.length; at++) {
        int green = pixels[at] >> 8 & 0xFF;
        pixels[at] = sum(pixels[at], green << 16 | green);
      }
      return pixels;
    }
  }

  /** Numbers of colours in the place of green, several a pixel where there are few. */
  record Indexed(int width, int[] colours) implements Undoing {
    /** How many numbers a pixel has, as a power of two. */
    private int together() {
      int count = colours.length;
      return count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3;
    }

    @Override
    public int packed() {
      return width + (1 << together()) - 1 >> together();
    }

    @Override
    public int[] undone(int[] pixels) {
      int each = 8 >> together();
      int height = pixels.length / packed();
      var out = new int[Math.multiplyExact(width, height)];
      for (int at = 0; at < out.length; at++) {
        int x = at % width;
        int numbers = pixels[at / width * packed() + (x >> together())] >> 8 & 0xFF;
        int within = x & (1 << together()) - 1;
        int number = numbers >> within * each & (1 << each) - 1;
        out[at] = number < colours.length ? colours[number] : 0;
      }
      return out;
    }
  }
}
