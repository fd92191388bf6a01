package weft.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import weft.ir.Graph;
import weft.ir.Verifier;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.lir.Target;

/** From a graph to a program for one target: the passes in order, verified after each. */
public record Pipeline(Target target, List<Pass> passes) {
  /** Clean-up that later passes rely on; everything else can be switched off by name. */
  private static final Set<String> ALWAYS =
      Set.of("share-common", "eliminate-dead", "legalize", "fold-constants");

  public Pipeline {
    passes = List.copyOf(passes);
  }

  /** The standard passes, less the fusions named. */
  public static Pipeline of(Target target, Set<String> without) {
    var passes = new ArrayList<Pass>();
    passes.add(new FoldConstants());
    passes.add(new ShareCommon());
    passes.add(new EliminateDead());
    passes.add(new NarrowToWanted());
    passes.add(new FuseGlu());
    passes.add(new FoldBias());
    passes.add(new MergeGateUp());
    passes.add(new MergeProjections());
    passes.add(new FoldNorm());
    passes.add(new FoldResidual());
    passes.add(new FuseAddNorm());
    passes.add(new FuseRope());
    passes.add(new Legalize(target));
    passes.add(new ShareCommon());
    var optional = passes.stream().map(Pass::name).filter(n -> !ALWAYS.contains(n)).toList();
    for (var name : without) {
      if (!optional.contains(name)) {
        throw new CompileException(
            "no fusion is called " + name + "; those that can be switched off are " + optional);
      }
    }
    passes.removeIf(p -> without.contains(p.name()));
    return new Pipeline(target, passes);
  }

  public Program compile(Graph graph, Bounds bounds) {
    return Schedule.of(optimize(graph, (pass, after) -> {}), bounds);
  }

  /** Runs the passes; the observer sees the verified graph after each. */
  public Graph optimize(Graph graph, BiConsumer<Pass, Graph> observer) {
    var current = Verifier.verify(graph);
    for (var pass : passes) {
      current = Verifier.verify(pass.run(current));
      observer.accept(pass, current);
    }
    return current;
  }
}
