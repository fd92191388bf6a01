package weft.cpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;

/** Which weight scores the experts of the layer behind each, where a single projection does. */
final class Routers {
  private final List<Launch> layers = new ArrayList<>();
  private final Map<Operand, Operand.Weight> scoring = new HashMap<>();

  Routers(Program program) {
    // Buffers are used again, so the projection nearest before a layer is its own.
    var last = new HashMap<Operand, Operand.Weight>();
    for (var launch : program.steps()) {
      router(launch)
          .ifPresentOrElse(w -> last.put(launch.result(), w), () -> last.remove(launch.result()));
      if (!(launch.op() instanceof Op.Experts op)) continue;
      layers.add(launch);
      var found = last.get(launch.operand(op.scores()));
      if (found != null) scoring.put(launch.operand(op.gate()), found);
    }
  }

  private static Optional<Operand.Weight> router(Launch launch) {
    List<Value> weights =
        switch (launch.op()) {
          case Op.Linear(_, var w) -> List.of(w);
          case Op.Project p when p.prologue() instanceof Op.Prologue.None -> p.weights();
          default -> List.of();
        };
    return weights.size() == 1 && launch.operand(weights.getFirst()) instanceof Operand.Weight w
        ? Optional.of(w)
        : Optional.empty();
  }

  /** The router of the layer of experts behind this one. */
  Optional<Operand.Weight> behind(Launch experts) {
    int next = layers.indexOf(experts) + 1;
    if (next == 0 || next == layers.size()) return Optional.empty();
    var launch = layers.get(next);
    var op = (Op.Experts) launch.op();
    return Optional.ofNullable(scoring.get(launch.operand(op.gate())));
  }
}
