package weft.constrain;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weft.unicode.CodePointSet;

/**
 * Characters that many texts are free to use. Where a lexeme goes on with any of them, all tokens
 * made of them are allowed at once, and only the others have to be looked at.
 */
enum Slice {
  /** What stands for itself in a JSON string. */
  ORDINARY(
      CodePointSet.ALL
          .intersection(CodePointSet.range(0, 0x1F).complement())
          .intersection(CodePointSet.of('"').complement())
          .intersection(CodePointSet.of('\\').complement())),
  ASCII(ORDINARY.set.intersection(CodePointSet.range(0x20, 0x7E))),
  WORD(EcmaClasses.WORD),
  LETTERS(CodePointSet.range('A', 'Z').union(CodePointSet.range('a', 'z'))),
  SMALL(CodePointSet.range('a', 'z'));

  final CodePointSet set;

  /** One of these characters. */
  final Regex one;

  /** Any text of them. */
  final Regex texts;

  Slice(CodePointSet set) {
    this.set = set;
    this.one = Regex.characters(set);
    this.texts = one.many();
  }

  /**
   * A slice's part of a vocabulary.
   *
   * @param upTo the tokens of so many of its characters at most, as bits; the last has all
   * @param others all other tokens
   */
  record Share(List<long[]> upTo, Trie others) {
    /** Tokens of more characters are counted among the longest; few are. */
    private static final int MOST_LENGTHS = 40;

    static Share of(Slice slice, byte[][] texts, int[] sorted) {
      var byLength = new ArrayList<List<Integer>>();
      var others = new ArrayList<Integer>();
      for (int token : sorted) {
        int length = length(slice, texts[token]);
        if (length == 0 || length > MOST_LENGTHS) {
          others.add(token);
          continue;
        }
        while (byLength.size() <= length) byLength.add(new ArrayList<>());
        byLength.get(length).add(token);
      }
      var upTo = new ArrayList<long[]>();
      var bits = new long[(texts.length + 63) / 64];
      for (var tokens : byLength) {
        for (int token : tokens) bits[token >> 6] |= 1L << token;
        upTo.add(bits.clone());
      }
      if (upTo.isEmpty()) upTo.add(bits);
      return new Share(
          List.copyOf(upTo), Trie.of(texts, others.stream().mapToInt(Integer::intValue).toArray()));
    }

    /** How many characters a text has, if all are the slice's; otherwise 0. */
    private static int length(Slice slice, byte[] bytes) {
      var text = new String(bytes, StandardCharsets.UTF_8);
      // What is no UTF-8 does not come back as it was.
      if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) return 0;
      int[] characters = text.codePoints().toArray();
      for (int c : characters) if (!slice.set.contains(c)) return 0;
      return characters.length;
    }
  }
}
