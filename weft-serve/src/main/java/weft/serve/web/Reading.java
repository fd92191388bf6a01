package weft.serve.web;

import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** Hears which fields of a body are read, and as what, by whoever reads them. */
@FunctionalInterface
public interface Reading {
  /** Does not listen. */
  Reading NOBODY = (path, schema) -> {};

  /**
   * A field is read.
   *
   * @param path from the body, such as {@code messages[2].role}
   * @param schema what it may be, as a JSON schema; empty where whoever reads it decides
   */
  void field(String path, Supplier<ObjectNode> schema);
}
