package weft.text.tokenizer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.text.BreakIterator;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import weft.text.TextException;

/**
 * SentencePiece's precompiled normalization: a double-array trie of byte strings and the texts that
 * replace them.
 */
final class CharsMap {
  /** Longer clusters are looked up character by character, as the reference does. */
  private static final int LONGEST_CLUSTER = 6;

  private final int[] units;
  private final byte[] replacements;

  private CharsMap(int[] units, byte[] replacements) {
    this.units = units;
    this.replacements = replacements;
  }

  /**
   * Reads the blob: the trie's size in bytes, the trie, and the replacements with a zero after
   * each.
   */
  static CharsMap of(byte[] blob) {
    int trie = blob.length < 4 ? -1 : ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (trie < 4 || trie % 4 != 0 || trie > blob.length - 4) {
      throw new TextException(
          "the tokenizer's precompiled character map says its trie has "
              + trie
              + " bytes, but the map has "
              + blob.length);
    }
    int[] units = new int[trie / 4];
    ByteBuffer.wrap(blob, 4, trie).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(units);
    return new CharsMap(units, Arrays.copyOfRange(blob, 4 + trie, blob.length));
  }

  String apply(String text) {
    var result = new StringBuilder(text.length());
    var clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
    clusters.setText(text);
    int start = clusters.first();
    for (int end = clusters.next(); end != BreakIterator.DONE; end = clusters.next()) {
      String cluster = text.substring(start, end);
      Optional<String> whole = Optional.empty();
      if (cluster.getBytes(StandardCharsets.UTF_8).length < LONGEST_CLUSTER) {
        whole = replacement(cluster);
      }
      if (whole.isPresent()) {
        result.append(whole.get());
      } else {
        cluster
            .codePoints()
            .mapToObj(Character::toString)
            .forEach(c -> result.append(replacement(c).orElse(c)));
      }
      Growth.check(text.length(), result.length());
      start = end;
    }
    return result.toString();
  }

  /** What replaces a text: the rule for its shortest prefix that has one. */
  private Optional<String> replacement(String text) {
    long node = offset(units[0]);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b == 0) {
        break;
      }
      node ^= b & 0xFF;
      int unit = unit(node);
      if ((unit & 0x800000FF) != (b & 0xFF)) {
        break;
      }
      node ^= offset(unit);
      if ((unit >>> 8 & 1) != 0) {
        return Optional.of(textAt(unit(node) & Integer.MAX_VALUE));
      }
    }
    return Optional.empty();
  }

  private int unit(long node) {
    if (node >= units.length) {
      throw damaged();
    }
    return units[(int) node];
  }

  private static long offset(int unit) {
    return (long) (unit >>> 10) << ((unit & 1 << 9) >>> 6);
  }

  private String textAt(int start) {
    if (start > replacements.length) {
      throw damaged();
    }
    int end = start;
    while (end < replacements.length && replacements[end] != 0) {
      end++;
    }
    return new String(replacements, start, end - start, StandardCharsets.UTF_8);
  }

  private static TextException damaged() {
    return new TextException(
        "the tokenizer's precompiled character map points outside itself; the file is damaged");
  }
}
