package weft.compile;

import weft.ir.Dim;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Stored;

/**
 * What each op needs of the axes that a mesh may cut. A value has one such axis: its heads where it
 * has any, else its columns. Projections need nothing: what they read and what they give are cut
 * apart from each other.
 */
final class AxisRules {
  /** Who is told of needs. */
  interface Listener {
    /** Both are cut alike. */
    void same(Value a, Value b);

    /** So many elements of the one are an element of the other. */
    void grouped(Value elements, Value groups, int each);

    /** One value is a part of the other, from an element on. */
    void window(Value whole, int from, Value part);

    /** Heads that use others: those of queries use those of keys. */
    void shared(Value keys, Value heads, Op.Grouping grouping);

    /** A piece has a multiple of so many elements. */
    void aligned(Value value, int unit);

    /** Every member has all of it. */
    void whole(Value value, String why);
  }

  private static final Dim ONE = Dim.of(1);

  private final Stored weights;
  private final Listener listener;

  AxisRules(Stored weights, Listener listener) {
    this.weights = weights;
    this.listener = listener;
  }

  /** The size of the axis of a value that may be cut. */
  static int size(Value value) {
    var type = value.type();
    return type.dim(type.rank() - fromLast(value)).fixed();
  }

  private static int fromLast(Value value) {
    return value.type().rank() == 3 ? 2 : 1;
  }

  void tell(Value value) {
    switch (value.op()) {
      case Op.Map(_, var x) -> listener.same(x, value);
      case Op.Scale(var x, _) -> listener.same(x, value);
      case Op.Cast(var x, _) -> listener.same(x, value);
      case Op.SoftCap(var x, _) -> listener.same(x, value);
      case Op.Rows(var x, _) -> listener.same(x, value);
      case Op.Rope(var x, _, var frequencies, _, _) -> {
        listener.same(x, value);
        listener.whole(frequencies, "frequencies are those of all heads");
      }
      case Op.Glu(_, var gate, var up) -> {
        listener.same(gate, value);
        listener.same(up, value);
      }
      case Op.Zip(_, var a, var b) -> {
        listener.same(a, value);
        spread(b, a);
      }
      case Op.RmsNorm(var x, var w, _, _) -> norm(x, value, w);
      case Op.LayerNorm(var x, var w, var b, _) -> norm(x, value, w, b);
      case Op.L2Norm(var x, _) -> norm(x, value);
      case Op.Heads(var x, var count) when x.type().rank() == 2 ->
          listener.grouped(x, value, x.type().width() / count);
      case Op.Merge(var x) when x.type().rank() == 3 ->
          listener.grouped(value, x, x.type().width());
      case Op.Slice(var x, var from, _) -> {
        if (x.type().rank() == 3) listener.same(x, value);
        else listener.window(x, from, value);
      }
      case Op.Concat concat -> concat(concat, value);
      case Op.Linear(var x, var w) when isMatrix(x, w) ->
          listener.aligned(x, weights.of(w).orElseThrow().blockValues());
      case Op.Attend(_, var q, var k, var v, _) -> {
        listener.same(k, v);
        listener.shared(k, q, Op.Grouping.BLOCKED);
        listener.same(q, value);
      }
      case Op.DeltaRule(_, var q, var k, var v, var decay, var beta, var grouping) -> {
        listener.same(q, k);
        listener.shared(k, v, grouping);
        listener.same(v, decay);
        listener.same(v, beta);
        listener.same(v, value);
      }
      case Op.ShortConv(_, var x, _) -> listener.same(x, value);
      case Op.Weight _ when value.type().rank() == 1 ->
          listener.aligned(value, weights.of(value).orElseThrow().blockValues());
      case Op.Weight _ -> {}
      case Op op -> {
        listener.whole(value, "nobody has a part of what " + op.mnemonic() + " gives");
        for (var input : op.inputs()) listener.whole(input, op.mnemonic() + " reads all of it");
      }
    }
  }

  static boolean isMatrix(Value x, Value w) {
    return x.type().rank() == 2 && w.op() instanceof Op.Weight;
  }

  private void norm(Value x, Value result, Value... factors) {
    listener.same(x, result);
    if (x.type().rank() < 3) listener.whole(x, "a norm needs whole rows");
    for (var factor : factors) listener.whole(factor, "all heads have the same factors");
  }

  /** The second operand has the axis of the first, or is the same along it. */
  private void spread(Value b, Value a) {
    int back = fromLast(a);
    boolean isAlike = b.type().rank() < back || b.type().dim(b.type().rank() - back).equals(ONE);
    if (isAlike && size(a) > 1) listener.whole(b, "it meets every element alike");
    else if (fromLast(b) == back) listener.same(a, b);
    else listener.whole(a, "it meets rows of heads");
  }

  private void concat(Op.Concat concat, Value value) {
    int at = 0;
    for (var part : concat.parts()) {
      if (value.type().rank() == 3) listener.same(part, value);
      else listener.window(value, at, part);
      at += size(part);
    }
  }
}
