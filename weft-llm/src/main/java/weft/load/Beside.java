package weft.load;

import java.util.List;
import weft.backend.Step;
import weft.generate.Model;
import weft.ir.Graph;
import weft.ir.Op;

/** The rows of numbers that a graph takes beside its tokens: their name, and how long they are. */
record Beside(String name, int width) {
  /** Tokens are all that it takes. */
  static final Beside NONE = new Beside("", 0);

  static Beside of(Graph graph) {
    for (var value : graph.values()) {
      if (value.op() instanceof Op.Input(var name, var type) && type.dtype().isNumber()) {
        return new Beside(name, type.width());
      }
    }
    return NONE;
  }

  /** Throws unless a step brings what the graph takes. */
  void require(Model.Step step) {
    if (this == NONE && step.beside().isEmpty()) return;
    boolean isEach = step.beside().size() == step.tokens().length;
    if (this != NONE && isEach && step.beside().stream().allMatch(row -> row.length == width)) {
      return;
    }
    var met =
        step.beside().isEmpty()
            ? "none"
            : step.beside().size() + " of " + step.beside().getFirst().length + " numbers";
    throw new LoadException(
        this == NONE
            ? "a step brings rows beside its tokens (%s), but the model takes tokens alone"
                .formatted(met)
            : "a step of %d tokens brings these rows beside them: %s; the model takes one of %d numbers with each"
                .formatted(step.tokens().length, met, width));
  }

  /** The step with the rows of its chunks. */
  Step with(Step step, List<Chunks.Chunk> run) {
    if (this == NONE) return step;
    var values = new float[step.rows() * width];
    int at = 0;
    for (var chunk : run) {
      for (var row : chunk.beside()) {
        System.arraycopy(row, 0, values, at, width);
        at += width;
      }
    }
    return step.withInput(name, new Step.Rows(width, values));
  }
}
