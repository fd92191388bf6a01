package weft.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import weft.ir.Graph;
import weft.ir.IrException;
import weft.ir.Verifier;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.lir.Stored;
import weft.lir.Target;

/** From a graph to a program for one target: the passes in order, verified after each. */
public record Pipeline(Target target, List<Pass> passes) {
  /** What can be switched off by name; the clean-up around it cannot, for backends rely on it. */
  private static final List<Pass> FUSIONS =
      List.of(
          new NarrowToWanted(),
          new FuseGlu(),
          new FoldBias(),
          new MergeGateUp(),
          new MergeProjections(),
          new FoldNorm(),
          new FoldResidual(),
          new FoldMap(),
          new FuseAddNorm(),
          new FuseRope());

  public Pipeline {
    passes = List.copyOf(passes);
  }

  /** The names of the fusions, in the order they run. */
  public static List<String> fusions() {
    return FUSIONS.stream().map(Pass::name).toList();
  }

  /** The standard passes for weights that are stored so, less the fusions named. */
  public static Pipeline of(Target target, Stored weights, Set<String> without) {
    for (var name : without) {
      if (!fusions().contains(name)) {
        throw new CompileException(
            "no fusion is called " + name + "; those that can be switched off are " + fusions());
      }
    }
    var passes = new ArrayList<Pass>();
    passes.add(new FoldConstants());
    passes.add(new ShareCommon());
    passes.add(new EliminateDead());
    FUSIONS.stream().filter(pass -> !without.contains(pass.name())).forEach(passes::add);
    passes.add(new Legalize(target, weights));
    passes.add(new ShareCommon());
    return new Pipeline(target, passes);
  }

  public Program compile(Graph graph, Bounds bounds) {
    return Schedule.of(optimize(graph, (pass, after) -> {}), bounds, target.alignment());
  }

  /** Runs the passes; the observer sees the verified graph after each. */
  public Graph optimize(Graph graph, BiConsumer<Pass, Graph> observer) {
    var current = Verifier.verify(graph);
    for (var pass : passes) {
      current = checked(pass, current);
      observer.accept(pass, current);
    }
    return current;
  }

  private static Graph checked(Pass pass, Graph graph) {
    try {
      return Verifier.verify(pass.run(graph));
    } catch (IrException e) {
      throw new CompileException("pass " + pass.name() + " broke the graph: " + e.getMessage(), e);
    }
  }
}
