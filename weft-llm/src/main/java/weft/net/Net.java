package weft.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import weft.ir.Dim;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Routing;
import weft.ir.Slot;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;

/**
 * The vocabulary of model files: named weights under a scope, and the ops over them. It checks each
 * weight's shape as it is named, and knows nothing of devices or encodings.
 */
public final class Net {
  /** What Transformers takes where a configuration is silent. */
  private static final double USUAL_EPSILON = 1e-6;

  /** Towers have heads of odd lengths; kernels read so many numbers of one at once. */
  private static final int HEAD_MULTIPLE = 16;

  /** The output that every model has: what each wanted row foretells. */
  public static final String LOGITS = "logits";

  /** The input of ones for rows that are tokens, and zeros for those of pictures. */
  public static final String SAID = "said";

  /** The input of what was seen, a row for each of a picture's, and zeros for tokens. */
  public static final String SEEN = "seen";

  private final Graph.Builder graph;
  private final Meta meta;
  private final String scope;
  private final Rows rows;

  /** What the rows of a step are. */
  private sealed interface Rows {
    /** Tokens, of one position each. */
    record Tokens() implements Rows {}

    /**
     * Tokens and rows of pictures, of several positions each.
     *
     * @param deep behind how many of the first layers pictures add something
     */
    record Shown(int deep) implements Rows {}

    /** Patches of a picture, each with its place on it. */
    record Patches() implements Rows {}
  }

  private Net(Graph.Builder graph, Meta meta, String scope, Rows rows) {
    this.graph = graph;
    this.meta = meta;
    this.scope = scope;
    this.rows = rows;
  }

  /**
   * The graph of a model: output {@code logits} for the wanted rows, and each point that it names,
   * for all rows. A program is compiled for those that are asked for.
   */
  public static Graph graph(Architecture model, Meta meta) {
    return graph(model, meta, new Rows.Tokens());
  }

  /**
   * The same graph for steps with rows of pictures among their tokens: it takes several positions a
   * row where its rope turns by them, {@link #SAID} and {@link #SEEN}, and what pictures add behind
   * each of the first {@code deep} layers.
   */
  public static Graph seeing(Architecture model, Meta meta, int deep) {
    return graph(model, meta, new Rows.Shown(deep));
  }

  /** The graph of what a tower makes of patches, or of squares of them: the points it names. */
  public static Graph graph(Consumer<Net> tower, Meta meta) {
    var net = new Net(new Graph.Builder(), meta, "", new Rows.Patches());
    tower.accept(net);
    return net.graph.build();
  }

  private static Graph graph(Architecture model, Meta meta, Rows rows) {
    var net = new Net(new Graph.Builder(), meta, "", rows);
    var all = model.logits(net).value();
    var wanted = net.graph.add(new Op.Input("wanted", Type.i32(Bounds.WANTED)));
    net.graph.output(LOGITS, net.graph.add(new Op.Rows(all, wanted)));
    return net.graph.build();
  }

  /** The same vocabulary for the weights under {@code child}. */
  public Net in(String child) {
    return new Net(graph, meta, scope + child + ".", rows);
  }

  /** The same vocabulary with no scope. */
  Net root() {
    return new Net(graph, meta, "", rows);
  }

  public Net layer(int index) {
    return in("blk." + index);
  }

  public Meta meta() {
    return meta;
  }

  /** Names a point of the model, so that its rows can be asked for. */
  public Tensor point(String name, Tensor x) {
    graph.output(name, x.value());
    return x;
  }

  public boolean has(String parameter) {
    return meta.has(scope + parameter);
  }

  /** A parameter by its full name under this scope, of the shape given. */
  public Tensor parameter(String name, int... shape) {
    return new Tensor(this, weight(name, shape));
  }

  private Value weight(String name, int... shape) {
    var full = scope + name;
    for (int size : shape) {
      if (size < 1) {
        throw new ModelException(
            "the model's numbers ask for %s of shape %s, expected axes of at least 1"
                .formatted(meta.tensorSpelling(full), Arrays.toString(shape)));
      }
    }
    var found = meta.weight(full);
    var expected = Type.f32(shape);
    if (!withoutOnes(found).equals(withoutOnes(expected))) {
      throw new ModelException(
          meta.tensorSpelling(full)
              + " has shape "
              + found.dims()
              + ", but the model's other numbers ask for "
              + expected.dims());
    }
    return graph.add(new Op.Weight(full, expected));
  }

  /** Axes of one say nothing: a filter of one input channel, the single row of a gate. */
  private static List<Dim> withoutOnes(Type type) {
    return type.dims().stream().filter(d -> !d.equals(Dim.of(1))).toList();
  }

  Tensor make(Op op) {
    return new Tensor(this, graph.add(op));
  }

  /** Whether rows have as many positions as a rope turns by. */
  boolean hasSections() {
    return switch (rows) {
      case Rows.Tokens() -> false;
      case Rows.Shown _, Rows.Patches() -> true;
    };
  }

  Value positions(int each) {
    var type = each == 1 ? Type.i32(Bounds.TOKENS) : Type.i32(Bounds.TOKENS, Dim.of(each));
    return graph.add(new Op.Input("positions", type));
  }

  /** The rows of tokens, and in the place of those that show a picture what was seen of it. */
  public Tensor shown(Tensor embedded) {
    return switch (rows) {
      case Rows.Shown _ -> embedded.times(rows(SAID, 1)).plus(rows(SEEN, embedded.width()));
      case Rows.Tokens(), Rows.Patches() -> embedded;
    };
  }

  /** What leaves a layer, and what a picture adds to it there. */
  public Tensor deepened(int layer, Tensor x) {
    return rows instanceof Rows.Shown(int deep) && layer < deep
        ? x.plus(rows(deep(layer), x.width()))
        : x;
  }

  /** The input of what pictures add behind a layer. */
  public static String deep(int layer) {
    return SEEN + "." + layer;
  }

  /** A small table known now. */
  public Tensor constant(double... values) {
    var list = new ArrayList<Float>();
    for (double v : values) list.add((float) v);
    return make(new Op.Constant(list));
  }

  /** The rows of {@code name} for the tokens fed. */
  public Tensor embed(String name, int width) {
    var table = weight(name + ".weight", vocabulary(name), width);
    var tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
    return make(new Op.Embed(table, tokens));
  }

  /** Rows of numbers that a step brings beside its tokens. */
  public Tensor rows(String name, int width) {
    return make(new Op.Input(name, Type.f32(Bounds.TOKENS, Dim.of(width))));
  }

  private int vocabulary(String table) {
    return meta.weight(scope + table + ".weight").dim(0).fixed();
  }

  /** How many rows a weight gives an output. */
  public int outputs(String name) {
    return meta.weight(scope + name + ".weight").dim(0).fixed();
  }

  /** {@code x} times the weight {@code name}, plus its bias where the checkpoint has one. */
  public Tensor linear(String name, Tensor x, int width) {
    var y = make(new Op.Linear(x.value(), weight(name + ".weight", width, x.width())));
    return has(name + ".bias") ? y.plus(parameter(name + ".bias", width)) : y;
  }

  /**
   * Windows of {@code x} that a convolution's filters meet once each: all axes but its first are
   * one.
   */
  public Tensor filter(String name, Tensor x, int width) {
    return make(new Op.Linear(x.value(), weight(Meta.flat(scope + name), width, x.width())));
  }

  /** {@code x} times a weight that has a row for each of its inputs. */
  public Tensor turned(String name, Tensor x, int width) {
    return make(new Op.Linear(x.value(), weight(Meta.turned(scope + name), width, x.width())));
  }

  /** Logits over the vocabulary; a tied model projects back through its embedding. */
  public Tensor head(String name, String tied, Tensor x) {
    return head(name, tied, x, Integer.MAX_VALUE);
  }

  /** Logits over the first {@code most} tokens of the vocabulary alone, or as many as it has. */
  public Tensor head(String name, String tied, Tensor x, int most) {
    // Some files keep a head that their configuration does not use.
    boolean isTied = meta.flag("tied", false) || !has(name + ".weight");
    var source = isTied ? tied : name;
    int all = vocabulary(source);
    return most < all ? linear(Meta.first(most, source), x, most) : linear(source, x, all);
  }

  public Tensor rmsNorm(String name, Tensor x) {
    return rmsNorm(name, x, 0);
  }

  /** {@code offset} is added to the weight: 1 where zero means "leave as it is". */
  public Tensor rmsNorm(String name, Tensor x, double offset) {
    var w = weight(name + ".weight", x.width());
    double eps = meta.real("attention.layer_norm_rms_epsilon", Range.EPSILON, USUAL_EPSILON);
    return make(new Op.RmsNorm(x.value(), w, (float) eps, (float) offset));
  }

  /** LayerNorm (arXiv:1607.06450), with its bias. */
  public Tensor layerNorm(String name, Tensor x, double eps) {
    var w = weight(name + ".weight", x.width());
    return make(new Op.LayerNorm(x.value(), w, weight(name + ".bias", x.width()), (float) eps));
  }

  /**
   * Attention among rows that all see each other, as their step says. Keys and values are for the
   * step alone, so that all layers share their place.
   */
  public Tensor mingle(Tensor q, Tensor k, Tensor v, Attention how) {
    int d = q.width();
    int behind = Math.ceilDiv(d, HEAD_MULTIPLE) * HEAD_MULTIPLE - d;
    if (behind == 0 || behind > d) return root().attend(q, k, v, how);
    var attended = root().attend(q.padded(behind), k.padded(behind), v.padded(behind), how);
    return attended.slice(0, d);
  }

  /** Causal attention over the sequence; its keys and values live in this scope's slot. */
  public Tensor attend(Tensor q, Tensor k, Tensor v, Attention how) {
    var slot =
        new Slot.KeyValue(
            scope + "kv", k.type().dim(1).fixed(), k.width(), v.width(), how.window());
    var scores = new Op.Scores((float) how.scale(), (float) how.softCap());
    return make(new Op.Attend(slot, q.value(), k.value(), v.value(), scores));
  }

  /** A causal convolution over time, a filter a channel. */
  public Tensor shortConv(String name, Tensor x, int kernel) {
    var slot = new Slot.Conv(scope + "conv", kernel - 1, x.width());
    return make(new Op.ShortConv(slot, x.value(), weight(name + ".weight", x.width(), kernel)));
  }

  /** The gated delta rule (arXiv:2412.06464) over heads of keys and values. */
  public Tensor deltaRule(
      Tensor q, Tensor k, Tensor v, Tensor decay, Tensor beta, KeySharing sharing) {
    var slot = new Slot.Delta(scope + "delta", v.type().dim(1).fixed(), k.width(), v.width());
    var grouping =
        switch (sharing) {
          case NEIGHBOURS -> Op.Grouping.BLOCKED;
          case IN_TURN -> Op.Grouping.TILED;
        };
    return make(
        new Op.DeltaRule(
            slot, q.value(), k.value(), v.value(), decay.value(), beta.value(), grouping));
  }

  /** Which value heads use the same key head. */
  public enum KeySharing {
    NEIGHBOURS,
    IN_TURN
  }

  /** The gated feed-forward experts that {@code scores} choose for each row. */
  public Tensor experts(Tensor x, Tensor scores, Mixture mixture) {
    int n = mixture.experts();
    var routing =
        new Routing(
            Routing.Scoring.SOFTMAX,
            mixture.used(),
            mixture.isRenormalized() ? Routing.Weights.RENORMALIZED : Routing.Weights.AS_SCORED,
            (float) mixture.scale());
    return make(
        new Op.Experts(
            x.value(),
            scores.value(),
            weight("ffn_gate_exps.weight", n, mixture.width(), x.width()),
            weight("ffn_up_exps.weight", n, mixture.width(), x.width()),
            weight("ffn_down_exps.weight", n, x.width(), mixture.width()),
            mixture.activation().fn(),
            routing));
  }

  /** Values side by side along the last axis. */
  public Tensor concat(Tensor... parts) {
    return concat(List.of(parts));
  }

  Tensor concat(List<Tensor> parts) {
    return make(new Op.Concat(parts.stream().map(Tensor::value).toList()));
  }
}
