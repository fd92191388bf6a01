package weft.compile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.ir.Bin;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Value;
import weft.lir.Share;
import weft.lir.Stored;

/**
 * Cuts a model for the members of a mesh: heads of attention and of delta rules with their states,
 * channels of convolutions, hidden rows of feed-forwards and experts, rows of the vocabulary. All
 * members run the same graph, each over its {@link Share} of the weights. Rows of the model are
 * whole on each of them, so behind a projection back to those stands the sum over all members.
 */
public record Divide(int members, Stored weights) implements Pass {
  public static final String NAME = "divide";

  public Divide {
    if (members < 2) throw new CompileException("a mesh has at least 2 members, got " + members);
  }

  /**
   * A member's graph.
   *
   * @param left what every member has all of though others have their share of such, by the name of
   *     a weight: why
   */
  public record Division(Graph graph, Map<String, String> left) {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Graph run(Graph graph) {
    return divide(graph).graph();
  }

  public Division divide(Graph graph) {
    return new Cutting(graph).divided();
  }

  private final class Cutting {
    private final Graph graph;
    private final Sections sections;
    private final Map<Value, Integer> uses;
    private final Graph.Builder into = new Graph.Builder();
    private final Map<Value, Value> fresh = new HashMap<>();
    private final Map<String, String> left = new LinkedHashMap<>();

    private Cutting(Graph graph) {
      this.graph = graph;
      this.sections = new Sections(graph, weights, members);
      this.uses = Rewrite.uses(graph);
    }

    private Division divided() {
      for (var value : graph.values()) {
        // Weights are named where they are used, for then it is known how much of them is.
        if (!(value.op() instanceof Op.Weight)) fresh.put(value, cut(value));
      }
      graph.outputs().forEach((name, value) -> into.output(name, whole(value)));
      left.putAll(sections.left());
      return new Division(EliminateDead.prune(into.build()), left);
    }

    private Value whole(Value output) {
      var value = now(output);
      return isCut(output) ? into.add(new Op.AllGather(value, members)) : value;
    }

    private boolean isCut(Value value) {
      return sections.isCut(value);
    }

    /** What has become of a value. */
    private Value now(Value value) {
      return fresh.computeIfAbsent(
          value, v -> isCut(v) ? share(v, Share.Axis.COLUMNS, sections.runs(v)) : into.add(v.op()));
    }

    private Value share(Value weight, Share.Axis axis, Runs runs) {
      return share(weight, axis, runs.pieces(members));
    }

    private Value share(Value weight, Share.Axis axis, List<Share.Run> pieces) {
      var share = new Share(((Op.Weight) weight.op()).name(), axis, pieces);
      return into.add(new Op.Weight(share.name(), share.type(weight.type())));
    }

    private Value cut(Value value) {
      return switch (value.op()) {
        case Op.Linear(var x, var w) when isCut(value) -> rows(now(x), w, sections.runs(value));
        case Op.Linear(var x, var w) when isCut(x) ->
            sum(new Op.Linear(now(x), share(w, Share.Axis.COLUMNS, sections.runs(x))));
        case Op.Experts experts -> experts(experts);
        case Op.Zip(var bin, var a, var b) -> zip(bin, a, b);
        case Op op when isCut(value) -> into.add(part(op, value).map(this::now));
        case Op op -> into.add(op.map(this::now));
      };
    }

    private Value sum(Op partial) {
      return into.add(new Op.AllReduce(into.add(partial), members));
    }

    /** One projection where its rows are one piece of the weight, else side by side. */
    private Value rows(Value x, Value w, Runs runs) {
      var pieces = new ArrayList<Value>();
      for (var piece : runs.pieces(members)) {
        pieces.add(share(w, Share.Axis.ROWS, List.of(piece)));
      }
      return into.add(
          pieces.size() == 1
              ? new Op.Linear(x, pieces.getFirst())
              : Projections.plain(x, pieces, List.of()));
    }

    /** Each member has some of the hidden rows of every expert. */
    private Value experts(Op.Experts e) {
      int inner = e.gate().type().dim(1).fixed();
      var runs = Runs.of(inner).aligned(weights.of(e.down()).orElseThrow().blockValues());
      var hindrance = runs.hindrance(members);
      if (hindrance.isPresent()) {
        left.put(((Op.Weight) e.down().op()).name(), hindrance.get());
        return into.add(e.map(this::now));
      }
      return sum(
          new Op.Experts(
              now(e.x()),
              now(e.scores()),
              share(e.gate(), Share.Axis.ROWS, runs),
              share(e.up(), Share.Axis.ROWS, runs),
              share(e.down(), Share.Axis.COLUMNS, runs),
              e.fn(),
              e.routing()));
    }

    /** Sums of sums over members, and of products with what all have, are one such sum. */
    private Value zip(Bin bin, Value a, Value b) {
      var one = now(a);
      var other = now(b);
      boolean isOneSum = one.op() instanceof Op.AllReduce && uses.get(a) == 1;
      boolean isOtherSum = other.op() instanceof Op.AllReduce && uses.get(b) == 1;
      if (bin == Bin.ADD && isOneSum && isOtherSum && a.type().equals(b.type())) {
        return sum(new Op.Zip(bin, partial(one), partial(other)));
      }
      if (bin == Bin.MUL && isOneSum) return sum(new Op.Zip(bin, partial(one), other));
      return into.add(new Op.Zip(bin, one, other));
    }

    private static Value partial(Value sum) {
      return ((Op.AllReduce) sum.op()).x();
    }

    /** The op over a part of what it was over, with the attributes that depend on it. */
    private Op part(Op op, Value value) {
      return switch (op) {
        case Op.Heads(var x, _) -> new Op.Heads(x, length(value));
        case Op.Slice(var x, var from, var to) when x.type().rank() < 3 -> {
          var runs = sections.runs(x);
          yield new Op.Slice(x, runs.length(from, members), runs.length(to, members));
        }
        case Op.Attend(var slot, var q, var k, var v, var scores) ->
            new Op.Attend(
                new Slot.KeyValue(
                    slot.name(), length(k), slot.keyDim(), slot.valueDim(), slot.window()),
                q,
                k,
                v,
                scores);
        case Op.ShortConv(var slot, var x, var w) -> {
          fresh.put(w, share(w, Share.Axis.ROWS, sections.runs(x)));
          yield new Op.ShortConv(new Slot.Conv(slot.name(), slot.taps(), length(x)), x, w);
        }
        case Op.DeltaRule(var slot, var q, var k, var v, var decay, var beta, var grouping) ->
            new Op.DeltaRule(
                new Slot.Delta(slot.name(), length(v), slot.keyDim(), slot.valueDim()),
                q,
                k,
                v,
                decay,
                beta,
                grouping);
        default -> op;
      };
    }

    private int length(Value value) {
      return sections.runs(value).length(members);
    }
  }
}
