package weft.image.webp;

import java.io.IOException;

/**
 * A code whose words have different lengths, told by their beginnings: canonical, as each is known
 * by the lengths alone. Short words are looked up, longer ones are walked. Immutable.
 */
final class PrefixCode {
  private static final int WORD_BITS = 15;
  private static final int LOOKED_UP = 8;

  /** In which order the lengths of the words that lengths are written with come. */
  private static final int[] ORDER = {
    17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
  };

  private static final int REPEATED = 16;
  private static final int[] REPEAT_BITS = {2, 3, 7};
  private static final int[] REPEAT_LEAST = {3, 3, 11};

  /** Symbols by their words. */
  private final char[] symbols;

  /** How many words there are of each length. */
  private final int[] counts = new int[WORD_BITS + 1];

  /** By their first bits: a symbol and its length; none where the word is longer. */
  private final char[] near;

  private final int looked;

  private PrefixCode(int[] lengths) throws IOException {
    int used = 0;
    int longest = 0;
    for (int length : lengths) {
      if (length == 0) continue;
      counts[length]++;
      used++;
      longest = Math.max(longest, length);
    }
    this.symbols = new char[used];
    sort(lengths);
    requireWhole(used, longest);
    this.looked = used < 2 ? 0 : Math.min(LOOKED_UP, longest);
    this.near = new char[1 << looked];
    fill();
  }

  private void sort(int[] lengths) {
    var next = new int[WORD_BITS + 2];
    for (int length = 1; length <= WORD_BITS; length++)
      next[length + 1] = next[length] + counts[length];
    for (int symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] > 0) symbols[next[lengths[symbol]]++] = (char) symbol;
    }
  }

  /** Every word that can be read is one, unless there is a single symbol, which takes no bit. */
  private void requireWhole(int used, int longest) throws IOException {
    int left = 1;
    for (int length = 1; length <= longest; length++) {
      left = 2 * left - counts[length];
      if (left < 0) throw damaged();
    }
    if (used == 0 || used > 1 && left > 0) throw damaged();
  }

  private void fill() {
    int code = 0;
    int index = 0;
    for (int length = 1; length <= looked; length++, code <<= 1) {
      for (int i = 0; i < counts[length]; i++, code++, index++) {
        int turned = Integer.reverse(code) >>> Integer.SIZE - length;
        for (int at = turned; at < near.length; at += 1 << length) {
          near[at] = (char) (symbols[index] << 4 | length);
        }
      }
    }
  }

  /** The next symbol. */
  int read(Packing bits) throws IOException {
    if (looked == 0) return symbols[0];
    int found = near[bits.peek(looked)];
    if (found != 0) {
      bits.skip(found & 15);
      return found >> 4;
    }
    int ahead = bits.peek(WORD_BITS);
    int code = 0;
    int first = 0;
    int index = 0;
    for (int length = 1; length <= WORD_BITS; length++) {
      code |= ahead >> length - 1 & 1;
      if (code - first < counts[length]) {
        bits.skip(length);
        return symbols[index + code - first];
      }
      index += counts[length];
      first = first + counts[length] << 1;
      code <<= 1;
    }
    throw damaged();
  }

  /** A code for so many symbols, which a picture begins with. */
  static PrefixCode read(Packing bits, int size) throws IOException {
    var lengths = new int[size];
    if (bits.flag()) {
      boolean isPair = bits.flag();
      set(lengths, bits.number(bits.flag() ? 8 : 1));
      if (isPair) set(lengths, bits.number(8));
    } else {
      readLengths(bits, lengths);
    }
    return new PrefixCode(lengths);
  }

  private static void set(int[] lengths, int symbol) throws IOException {
    if (symbol >= lengths.length) throw damaged();
    lengths[symbol] = 1;
  }

  private static void readLengths(Packing bits, int[] lengths) throws IOException {
    var own = new int[ORDER.length];
    int count = 4 + bits.number(4);
    if (count > own.length) throw damaged();
    for (int i = 0; i < count; i++) own[ORDER[i]] = bits.number(3);
    var code = new PrefixCode(own);
    int left = lengths.length;
    if (bits.flag()) left = 2 + bits.number(2 + 2 * bits.number(3));
    if (left > lengths.length) throw damaged();
    int before = 8;
    for (int symbol = 0; symbol < lengths.length && left > 0; left--) {
      int length = code.read(bits);
      if (length < REPEATED) {
        lengths[symbol++] = length;
        if (length > 0) before = length;
        continue;
      }
      int kind = length - REPEATED;
      int times = bits.number(REPEAT_BITS[kind]) + REPEAT_LEAST[kind];
      if (symbol + times > lengths.length) throw damaged();
      int value = kind == 0 ? before : 0;
      for (int i = 0; i < times; i++) lengths[symbol++] = value;
    }
  }

  private static IOException damaged() {
    return new IOException("this is no code of a lossless picture");
  }
}
