package weft.compile;

import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Stored;
import weft.lir.Target;

/**
 * Expands what the target has no kernel for, until it takes everything or nothing simpler is left.
 */
record Legalize(Target target, Stored weights) implements Pass {
  @Override
  public String name() {
    return "legalize";
  }

  @Override
  public Graph run(Graph graph) {
    var legal = graph;
    // An expansion may itself hold composites, so go round until nothing changes.
    while (legal.values().stream().anyMatch(v -> !target.takes(v.op(), weights))) {
      legal = Rewrite.apply(legal, this::legal);
    }
    return legal;
  }

  private Value legal(Rewrite.Site site) {
    return switch (site.op()) {
      case Op op when target.takes(op, weights) -> site.keep();
      case Op.Composite composite -> composite.expand(site.into());
      case Op op ->
          throw new CompileException(
              "the "
                  + target.name()
                  + " backend has no kernel for "
                  + op.mnemonic()
                  + " of "
                  + op.inputs().stream().map(weights::described).toList()
                  + ", and nothing simpler expresses it; use another --backend");
    };
  }
}
