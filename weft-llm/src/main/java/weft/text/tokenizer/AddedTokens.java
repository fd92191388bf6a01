package weft.text.tokenizer;

import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import weft.text.TextException;
import weft.unicode.UnicodeProperty;
import weft.unicode.WordCharacters;

/** Finds added tokens in text: the leftmost first, of several that start there the longest. */
final class AddedTokens {
  private static final int MAX_LENGTH = 1024;
  private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
  private static final int ZERO_WIDTH_JOINER = 0x200D;

  private final List<AddedToken> tokens;
  private final CharTrie trie = new CharTrie();
  private final BitSet firsts = new BitSet();

  /**
   * @param tokens the tokens to find
   * @param spelling how a token's content is spelled in the text to search
   */
  AddedTokens(List<AddedToken> tokens, UnaryOperator<String> spelling) {
    this.tokens = List.copyOf(tokens);
    for (int i = 0; i < tokens.size(); i++) {
      String content = spelling.apply(tokens.get(i).content());
      if (content.length() > MAX_LENGTH) {
        throw new TextException(
            "an added token has "
                + content.length()
                + " characters; weft takes at most "
                + MAX_LENGTH);
      }
      if (!content.isEmpty()) {
        trie.put(content, i);
        firsts.set(content.charAt(0));
      }
    }
  }

  /** Says where in a text control tokens may be found. */
  @FunctionalInterface
  interface Guard {
    boolean allows(int start, int end);
  }

  /** Receives the parts of a text from left to right. */
  interface Sink {
    void text(int start, int end);

    void token(int id);
  }

  /** Reports the tokens of a text and the parts between them. */
  void split(String text, Guard guard, Sink sink) {
    int kept = 0;
    int at = tokens.isEmpty() ? text.length() : 0;
    while (at < text.length()) {
      int end = firsts.get(text.charAt(at)) ? matchEnd(text, at) : at;
      if (end == at) {
        at++;
        continue;
      }
      AddedToken token = tokens.get(matched(text, at, end));
      int start = at;
      at = end;
      if ((token.isControl() && !guard.allows(start, end))
          || (token.singleWord() && !isWholeWord(text, start, end))) {
        continue;
      }
      if (token.stripsLeft()) {
        while (start > kept && UnicodeProperty.SPACE.contains(text.charAt(start - 1))) {
          start--;
        }
      }
      if (token.stripsRight()) {
        end = Math.max(end, kept);
        while (end < text.length() && UnicodeProperty.SPACE.contains(text.charAt(end))) {
          end++;
        }
      }
      if (kept < start) {
        sink.text(kept, start);
      }
      sink.token(token.id());
      kept = end;
    }
    if (kept < text.length()) {
      sink.text(kept, text.length());
    }
  }

  /** The end of the longest token that starts at a position, or the position itself. */
  private int matchEnd(String text, int start) {
    int end = start;
    int node = CharTrie.ROOT;
    for (int i = start; i < text.length(); i++) {
      node = trie.child(node, text.charAt(i));
      if (node < 0) {
        break;
      }
      if (trie.value(node) >= 0) {
        end = i + 1;
      }
    }
    return end;
  }

  private int matched(String text, int start, int end) {
    int node = CharTrie.ROOT;
    for (int i = start; i < end; i++) {
      node = trie.child(node, text.charAt(i));
    }
    return trie.value(node);
  }

  private static boolean isWholeWord(String text, int start, int end) {
    return (start == 0 || !isWord(text.codePointBefore(start)))
        && (end == text.length() || !isWord(text.codePointAt(end)));
  }

  private static boolean isWord(int c) {
    return WordCharacters.WORD.contains(c) || c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
  }
}
