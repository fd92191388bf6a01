package weft.text.tokenizer;

import java.util.Arrays;
import java.util.BitSet;
import weft.text.TextException;

/**
 * All tokens of a tokenizer by id and by text, and which of them are special or control tokens;
 * filled once, then only read.
 */
final class Vocabulary {
  /** Far above any real vocabulary, and low enough that a file cannot ask for all memory. */
  static final int MAX_IDS = 1 << 22;

  private static final int GAP = -1;

  private final TokenIndex index;
  private final TextPages texts;
  private final BitSet special = new BitSet();
  private final BitSet control = new BitSet();

  /** Where in the index the text of each id lies. */
  private int[] places;

  private int size;

  Vocabulary(int expected) {
    index = new TokenIndex(Math.min(expected, MAX_IDS));
    texts = index.texts();
    places = new int[Math.min(Math.max(16, expected), MAX_IDS)];
    Arrays.fill(places, GAP);
  }

  void put(String token, int id) {
    if (id < 0 || id >= MAX_IDS) {
      throw new TextException(
          "token '" + token + "' has id " + id + "; weft takes ids from 0 to " + (MAX_IDS - 1));
    }
    if (token.length() > TextPages.LONGEST) {
      throw new TextException(
          "token "
              + id
              + " has "
              + token.length()
              + " characters; weft takes up to "
              + TextPages.LONGEST);
    }
    if (id >= places.length) {
      int old = places.length;
      places = Arrays.copyOf(places, Math.min(MAX_IDS, Math.max(id + 1, 2 * old)));
      Arrays.fill(places, old, places.length, GAP);
    }
    places[id] = index.put(token, id);
    size = Math.max(size, id + 1);
  }

  void mark(AddedToken token) {
    special.set(token.id(), token.special());
    control.set(token.id(), token.isControl());
  }

  /** Whether an id never comes out of the model, only out of added tokens. */
  boolean isControl(int id) {
    return control.get(id);
  }

  /** Whether decoding can leave an id out. */
  boolean isSpecial(int id) {
    return special.get(id);
  }

  /** One more than the highest id. */
  int size() {
    return size;
  }

  /** How many different tokens there are. */
  int count() {
    return index.size();
  }

  boolean contains(int id) {
    return id >= 0 && id < size && !isEmpty(id);
  }

  /** The text of a token, made anew; empty for an id that has none. */
  String token(int id) {
    return new String(characters(id));
  }

  /** The characters of a token, made anew; none for an id that has none. */
  char[] characters(int id) {
    return places[id] == GAP ? new char[0] : texts.text(places[id]);
  }

  /** Whether a token has no text, or there is none of this id. */
  boolean isEmpty(int id) {
    return places[id] == GAP || texts.isEmpty(places[id]);
  }

  boolean isOneCharacter(int id) {
    return places[id] != GAP && texts.isOneCharacter(places[id]);
  }

  /** The first character of a token, which must not be empty. */
  char first(int id) {
    return texts.first(places[id]);
  }

  /** The last character of a token, which must not be empty. */
  char last(int id) {
    return texts.last(places[id]);
  }

  int find(String token) {
    return index.find(token);
  }

  TokenIndex index() {
    return index;
  }
}
