package weft.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values by texts of tokens, in a radix tree: texts that begin alike share their beginning. Belongs
 * to one thread.
 */
final class PrefixTree<T> {

  /**
   * What a text meets.
   *
   * @param shared how many of its tokens some text there begins with
   * @param along the values of texts that it begins with, the shortest first
   * @param beyond the values of texts that begin with its shared tokens and go on
   */
  record Match<T>(int shared, List<T> along, List<T> beyond) {}

  /** The tokens that lead to it from its parent, and what a text that ends here has. */
  private static final class Node<T> {
    private int[] run;
    private Optional<T> value = Optional.empty();
    private Map<Integer, Node<T>> children = new HashMap<>();

    private Node(int[] run) {
      this.run = run;
    }

    private boolean isEmpty() {
      return value.isEmpty() && children.isEmpty();
    }
  }

  private final Node<T> root = new Node<>(new int[0]);

  boolean isEmpty() {
    return root.isEmpty();
  }

  /** Gives a text a value; the one that it had before is returned. */
  Optional<T> put(int[] text, T value) {
    Node<T> node = root;
    int at = 0;
    while (at < text.length) {
      Node<T> child = node.children.get(text[at]);
      if (child == null) {
        child = new Node<>(Arrays.copyOfRange(text, at, text.length));
        node.children.put(text[at], child);
      } else {
        split(child, shared(child.run, text, at));
      }
      at += child.run.length;
      node = child;
    }
    Optional<T> before = node.value;
    node.value = Optional.of(value);
    return before;
  }

  /** A node ends after so many of its tokens, and what it was hangs below it. */
  private static <T> void split(Node<T> node, int length) {
    if (length == node.run.length) return;
    var rest = new Node<T>(Arrays.copyOfRange(node.run, length, node.run.length));
    rest.value = node.value;
    rest.children = node.children;
    node.run = Arrays.copyOf(node.run, length);
    node.value = Optional.empty();
    node.children = new HashMap<>();
    node.children.put(rest.run[0], rest);
  }

  private static int shared(int[] run, int[] text, int from) {
    int differs = Arrays.mismatch(run, 0, run.length, text, from, text.length);
    return differs < 0 ? run.length : differs;
  }

  /** Forgets the value of a text that has one. */
  void remove(int[] text) {
    var path = new ArrayList<Node<T>>();
    path.add(root);
    for (int at = 0; at < text.length; at += path.getLast().run.length) {
      path.add(path.getLast().children.get(text[at]));
    }
    path.getLast().value = Optional.empty();
    for (int i = path.size() - 1; i > 0; i--) {
      Node<T> node = path.get(i);
      if (node.isEmpty()) path.get(i - 1).children.remove(node.run[0]);
      else join(node);
    }
  }

  /** A node that is but on the way to another is one with it. */
  private static <T> void join(Node<T> node) {
    if (node.value.isPresent() || node.children.size() != 1) return;
    Node<T> only = node.children.values().iterator().next();
    int length = node.run.length;
    node.run = Arrays.copyOf(node.run, length + only.run.length);
    System.arraycopy(only.run, 0, node.run, length, only.run.length);
    node.value = only.value;
    node.children = only.children;
  }

  /** What there is for a text. */
  Match<T> match(int[] text) {
    var along = new ArrayList<T>();
    var beyond = new ArrayList<T>();
    Node<T> node = root;
    int at = 0;
    while (at < text.length && node.children.containsKey(text[at])) {
      Node<T> child = node.children.get(text[at]);
      int shared = shared(child.run, text, at);
      at += shared;
      if (shared < child.run.length) {
        collect(child, beyond);
        return new Match<>(at, along, beyond);
      }
      child.value.ifPresent(along::add);
      node = child;
    }
    if (node != root) node.children.values().forEach(child -> collect(child, beyond));
    return new Match<>(at, along, beyond);
  }

  private static <T> void collect(Node<T> from, List<T> into) {
    from.value.ifPresent(into::add);
    from.children.values().forEach(child -> collect(child, into));
  }
}
