package weft.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/**
 * Computes what is known now: functions of constants, chains of scales, renamings that rename
 * nothing.
 */
final class FoldConstants implements Pass {
  @Override
  public String name() {
    return "fold-constants";
  }

  @Override
  public Graph run(Graph graph) {
    return Rewrite.apply(graph, FoldConstants::fold);
  }

  private static Value fold(Rewrite.Site site) {
    return switch (site.op()) {
      case Op.Scale(var x, var by) when by == 1 -> x;
      case Op.Scale(Value(_, Op.Scale(var x, var first), _), var by) ->
          site.add(new Op.Scale(x, first * by));
      case Op.Scale(Value(_, Op.Constant(var values), _), var by) ->
          site.add(each(values, v -> v * by));
      case Op.Map(var fn, Value(_, Op.Constant(var values), _)) ->
          site.add(each(values, fn::apply));
      case Op.Zip(var bin, Value(_, Op.Constant(var a), _), Value(_, Op.Constant(var b), _)) -> {
        var out = new ArrayList<Float>();
        for (int i = 0; i < a.size(); i++) {
          out.add(bin.apply(a.get(i), b.get(b.size() == 1 ? 0 : i)));
        }
        yield site.add(new Op.Constant(out));
      }
      case Op.Slice(var x, var from, var to) when from == 0 && to == x.type().width() -> x;
      case Op.Merge(Value(_, Op.Heads(var x, _), _)) -> x;
      default -> site.keep();
    };
  }

  private static Op each(List<Float> values, UnaryOperator<Float> f) {
    return new Op.Constant(values.stream().map(f).toList());
  }
}
