package weft.text.tokenizer;

/** A prefix tree over UTF-16 text with an int at the end of each word. */
final class CharTrie {
  static final int ROOT = 0;
  static final int ABSENT = -1;

  private final LongIntMap children = new LongIntMap(64);
  private final IntList values = new IntList();

  CharTrie() {
    values.add(ABSENT);
  }

  /** Enters a word; one that is already there keeps its value. */
  void put(String word, int value) {
    int node = ROOT;
    for (int i = 0; i < word.length(); i++) {
      int child = child(node, word.charAt(i));
      if (child < 0) {
        child = values.size();
        values.add(ABSENT);
        children.put(LongIntMap.pair(node, word.charAt(i)), child);
      }
      node = child;
    }
    if (values.get(node) == ABSENT) {
      values.set(node, value);
    }
  }

  int child(int node, char c) {
    return children.get(LongIntMap.pair(node, c));
  }

  int value(int node) {
    return values.get(node);
  }
}
