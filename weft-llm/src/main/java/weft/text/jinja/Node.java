package weft.text.jinja;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** A part of the parsed template. */
sealed interface Node permits Expression, Statement, Target {

  /** Where in the source it stands, for error messages. */
  int position();

  /** Its parts in the order in which Jinja2 looks for names in them. */
  default List<? extends Node> children() {
    return List.of();
  }

  /** A node with its distance from the root. */
  record Placed(Node node, int depth) {}

  /**
   * The deepest of {@code roots} and their parts; walks without recursion, because nothing bounds
   * the depth yet.
   */
  static Placed deepest(Node first, Collection<? extends Node> roots) {
    Deque<Placed> open = new ArrayDeque<>();
    roots.forEach(root -> open.push(new Placed(root, 1)));
    Placed deepest = new Placed(first, 0);
    while (!open.isEmpty()) {
      Placed next = open.pop();
      if (next.depth() > deepest.depth()) {
        deepest = next;
      }
      next.node().children().forEach(child -> open.push(new Placed(child, next.depth() + 1)));
    }
    return deepest;
  }
}
