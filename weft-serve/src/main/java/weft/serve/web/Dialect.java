package weft.serve.web;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Problem;

/** An interface that clients speak: what it answers where, and how it says what is wrong. */
public interface Dialect {
  /** Where it answers. */
  List<Route> routes();

  /** Whether a path that leads nowhere is refused in its words; the last dialect has all paths. */
  boolean owns(String path);

  /** Whether it answers there without a key, where keys are wanted. */
  default boolean isOpen(String path) {
    return false;
  }

  /** The header that says by which name a request is known. */
  default String idHeader() {
    return "x-request-id";
  }

  /** A problem in its words; {@code request} is by which name the request is known. */
  Refusal refusal(Problem problem, String request);

  /** An answer that says what is wrong. */
  record Refusal(int status, ObjectNode body) {}
}
