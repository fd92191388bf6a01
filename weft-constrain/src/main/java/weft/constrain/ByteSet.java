package weft.constrain;

/** An immutable set of bytes, as 256 bits. */
record ByteSet(long a, long b, long c, long d) {
  static final ByteSet EMPTY = new ByteSet(0, 0, 0, 0);

  static ByteSet of(int value) {
    return range(value, value);
  }

  /** The bytes from one to another, both included. */
  static ByteSet range(int from, int to) {
    return new ByteSet(
        word(from, to, 0), word(from, to, 64), word(from, to, 128), word(from, to, 192));
  }

  private static long word(int from, int to, int base) {
    int low = Math.max(from - base, 0);
    int high = Math.min(to - base, 63);
    return low > high ? 0 : -1L >>> (63 - high + low) << low;
  }

  boolean contains(int value) {
    long word = value < 128 ? value < 64 ? a : b : value < 192 ? c : d;
    return (word >>> value & 1) != 0;
  }

  boolean isEmpty() {
    return (a | b | c | d) == 0;
  }

  int size() {
    return Long.bitCount(a) + Long.bitCount(b) + Long.bitCount(c) + Long.bitCount(d);
  }

  ByteSet or(ByteSet other) {
    return new ByteSet(a | other.a, b | other.b, c | other.c, d | other.d);
  }

  ByteSet and(ByteSet other) {
    return new ByteSet(a & other.a, b & other.b, c & other.c, d & other.d);
  }

  /** The bytes that are in when the one before is out, or out when it is in; never 0. */
  ByteSet borders() {
    return new ByteSet(
        (a ^ (a << 1)) & ~1L,
        b ^ (b << 1 | a >>> 63),
        c ^ (c << 1 | b >>> 63),
        d ^ (d << 1 | c >>> 63));
  }

  /** The greatest member that is no greater than a value, or 0 where there is none. */
  int floor(int value) {
    for (int base = value & ~63; base >= 0; base -= 64) {
      long word = base == 0 ? a : base == 64 ? b : base == 128 ? c : d;
      if (base == (value & ~63)) word &= -1L >>> (63 - (value & 63));
      if (word != 0) return base + 63 - Long.numberOfLeadingZeros(word);
    }
    return 0;
  }

  /** The least member above a value, or 256 where there is none. */
  int above(int value) {
    for (int from = value + 1; from < 256; from = (from & ~63) + 64) {
      int base = from & ~63;
      long word = base == 0 ? a : base == 64 ? b : base == 128 ? c : d;
      word &= -1L << (from & 63);
      if (word != 0) return base + Long.numberOfTrailingZeros(word);
    }
    return 256;
  }
}
