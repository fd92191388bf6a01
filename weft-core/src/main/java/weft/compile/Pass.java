package weft.compile;

import weft.ir.Graph;

/** A stateless rewrite of a graph into an equal one. */
public interface Pass {
  /** The name in profiles and in {@code explain --after}. */
  String name();

  Graph run(Graph graph);
}
