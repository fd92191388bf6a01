package weft.compile;

import java.util.ArrayList;
import java.util.List;
import weft.ir.Op;
import weft.ir.Value;

/** What the projection passes share. */
final class Projections {
  private Projections() {}

  /** Nothing folded in yet, before or after. */
  static boolean isPlain(Op.Project project) {
    return project.prologue() instanceof Op.Prologue.None
        && project.epilogue() instanceof Op.Epilogue.None;
  }

  static Op.Project plain(Value x, List<Value> weights, List<Value> biases) {
    return new Op.Project(new Op.Prologue.None(), x, weights, biases, new Op.Epilogue.None());
  }

  static List<Value> concat(List<Value> a, List<Value> b) {
    var out = new ArrayList<>(a);
    out.addAll(b);
    return List.copyOf(out);
  }
}
