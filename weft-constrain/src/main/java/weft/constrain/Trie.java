package weft.constrain;

import java.util.Arrays;

/**
 * The texts of tokens as a tree of bytes, in the order of a walk: behind a node comes its first
 * child, and {@code ends} says where its descendants end. Immutable, safe for all threads.
 */
final class Trie {
  static final int NO_TOKEN = -1;

  /** The byte that leads to a node; the root is none. */
  final byte[] labels;

  /** Behind the last descendant of a node. */
  final int[] ends;

  /** How many bytes lead to a node. */
  final short[] depths;

  /** The token whose text ends at a node, one of several equal ones. */
  final int[] tokens;

  final int deepest;

  private Trie(byte[] labels, int[] ends, short[] depths, int[] tokens, int deepest) {
    this.labels = labels;
    this.ends = ends;
    this.depths = depths;
    this.tokens = tokens;
    this.deepest = deepest;
  }

  int size() {
    return labels.length;
  }

  /** The node of a text from a place on, or -1 where no token begins so. */
  int find(byte[] text, int from) {
    int node = -1;
    int end = size();
    for (int i = from; i < text.length; i++) {
      int child = node + 1;
      while (child < end && labels[child] != text[i]) child = ends[child];
      if (child >= end) return -1;
      node = child;
      end = ends[child];
    }
    return node;
  }

  /** Of tokens in the order of their texts; of equal texts, the first. */
  static Trie of(byte[][] texts, int[] sorted) {
    int capacity = 1024;
    var labels = new byte[capacity];
    var ends = new int[capacity];
    var depths = new short[capacity];
    var tokens = new int[capacity];
    int size = 0;
    int deepest = 0;
    var open = new int[Short.MAX_VALUE];
    int depth = 0;
    byte[] before = {};
    for (int token : sorted) {
      byte[] text = texts[token];
      int same = Arrays.mismatch(before, text);
      if (same < 0) continue;
      for (; depth > same; depth--) ends[open[depth - 1]] = size;
      if (size + text.length > capacity) {
        capacity = Math.max(2 * capacity, size + text.length);
        labels = Arrays.copyOf(labels, capacity);
        ends = Arrays.copyOf(ends, capacity);
        depths = Arrays.copyOf(depths, capacity);
        tokens = Arrays.copyOf(tokens, capacity);
      }
      while (depth < text.length) {
        labels[size] = text[depth];
        tokens[size] = NO_TOKEN;
        open[depth++] = size;
        depths[size++] = (short) depth;
      }
      tokens[size - 1] = token;
      deepest = Math.max(deepest, depth);
      before = text;
    }
    for (; depth > 0; depth--) ends[open[depth - 1]] = size;
    return new Trie(
        Arrays.copyOf(labels, size),
        Arrays.copyOf(ends, size),
        Arrays.copyOf(depths, size),
        Arrays.copyOf(tokens, size),
        deepest);
  }
}
