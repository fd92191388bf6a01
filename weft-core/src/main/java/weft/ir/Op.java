package weft.ir;

import static weft.ir.Rules.require;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

/**
 * Everything a model can say. An op is one record: its inputs and attributes are its components, so
 * that inputs, rewriting and the text form follow from the record itself ({@link OpShape}), and
 * only the type rule is written by hand.
 */
public sealed interface Op {
  /** The type of the result; throws {@link IrException} when the inputs do not fit. */
  Type infer();

  default List<Value> inputs() {
    return OpShape.of(this).inputs(this);
  }

  /** This op over other inputs. */
  default Op map(UnaryOperator<Value> f) {
    return OpShape.of(this).map(this, f);
  }

  default String mnemonic() {
    return OpShape.of(this).mnemonic();
  }

  /** The mnemonics of all ops there are, in order. */
  static SortedSet<String> mnemonics() {
    return OpShape.mnemonics();
  }

  /** An op that simpler ops can express; its expansion is its definition. */
  sealed interface Composite extends Op permits Glu, SoftCap, Project, AddNorm, RopeAttend {
    Value expand(Graph.Builder into);
  }

  /** An op that reads and advances a slot of the sequence's state. */
  sealed interface Stateful extends Op permits Attend, RopeAttend, ShortConv, DeltaRule {
    Slot slot();
  }

  /** An op that only renames elements: a backend need not move anything. */
  sealed interface Renaming extends Op permits Heads, Merge, Slice {
    Value x();
  }

  // Leaves.

  record Input(String name, Type type) implements Op {
    @Override
    public Type infer() {
      return type;
    }
  }

  record Weight(String name, Type type) implements Op {
    @Override
    public Type infer() {
      return type;
    }
  }

  /** A small vector known when the graph is built, such as a table of rope frequencies. */
  record Constant(List<Float> values) implements Op {
    public Constant {
      values = List.copyOf(values);
    }

    @Override
    public Type infer() {
      return Type.f32(values.size());
    }
  }

  // Elementwise.

  record Map(Fn fn, Value x) implements Op {
    @Override
    public Type infer() {
      return Rules.numbers("map", x);
    }
  }

  /** {@code a op b}, where b spreads over a: aligned at the last axis, each axis equal or 1. */
  record Zip(Bin bin, Value a, Value b) implements Op {
    @Override
    public Type infer() {
      Rules.spreads(bin, a, b);
      return Rules.numbers("zip", a);
    }
  }

  record Scale(Value x, float by) implements Op {
    @Override
    public Type infer() {
      return Rules.numbers("scale", x);
    }
  }

  /** The nearest numbers of another element type: what a device keeps or computes in fewer bits. */
  record Cast(Value x, DType to) implements Op {
    @Override
    public Type infer() {
      return Rules.cast(x, to);
    }
  }

  /** {@code fn(gate) * up}: SwiGLU with SILU, GeGLU with GELU. */
  record Glu(Fn fn, Value gate, Value up) implements Composite {
    @Override
    public Type infer() {
      Rules.sameType("glu", gate, up);
      return Rules.numbers("glu", gate);
    }

    @Override
    public Value expand(Graph.Builder into) {
      return into.add(new Zip(Bin.MUL, into.add(new Map(fn, gate)), up));
    }
  }

  /** {@code cap * tanh(x / cap)}. */
  record SoftCap(Value x, float cap) implements Composite {
    @Override
    public Type infer() {
      require(cap > 0, "softcap: the cap must be positive, got %s", cap);
      return Rules.numbers("softcap", x);
    }

    @Override
    public Value expand(Graph.Builder into) {
      return into.add(new Scale(into.add(new Map(Fn.TANH, into.add(new Scale(x, 1 / cap)))), cap));
    }
  }

  // Contraction.

  record Embed(Value table, Value ids) implements Op {
    @Override
    public Type infer() {
      Rules.rank("embed", table, 2);
      Rules.indices("embed", ids);
      return Type.f32(ids.type().dim(0), table.type().dim(1));
    }
  }

  /** {@code x . w^T}: a weight has one row an output. */
  record Linear(Value x, Value w) implements Op {
    @Override
    public Type infer() {
      Rules.rank("linear", w, 2);
      Rules.sameWidth("linear", x, w);
      return x.type().withLast(w.type().dim(0).fixed());
    }
  }

  /**
   * Several projections of one row in one launch: the row may be normalized first, the outputs lie
   * side by side, and a residual, a gate or a function may follow.
   */
  record Project(
      Prologue prologue, Value x, List<Value> weights, List<Value> biases, Epilogue epilogue)
      implements Composite {
    public Project {
      weights = List.copyOf(weights);
      biases = List.copyOf(biases);
    }

    /** Every output before the epilogue, side by side. */
    public int columns() {
      return weights.stream().mapToInt(w -> w.type().dim(0).fixed()).reduce(0, Rules::sum);
    }

    @Override
    public Type infer() {
      return Rules.projected(this);
    }

    @Override
    public Value expand(Graph.Builder into) {
      if (epilogue instanceof Epilogue.Map(var fn)) {
        return into.add(new Map(fn, into.add(Rules.plain(this))));
      }
      var in =
          switch (prologue) {
            case Prologue.None() -> x;
            case Prologue.Norm(var w, var eps, var offset) ->
                into.add(new RmsNorm(x, w, eps, offset));
          };
      var parts = new ArrayList<Value>();
      for (int i = 0; i < weights.size(); i++) {
        var y = into.add(new Linear(in, weights.get(i)));
        parts.add(biases.isEmpty() ? y : into.add(new Zip(Bin.ADD, y, biases.get(i))));
      }
      return switch (epilogue) {
        case Epilogue.Gate(var fn) -> into.add(new Glu(fn, parts.get(0), parts.get(1)));
        case Epilogue.None(), Epilogue.Map _ -> Rules.joined(into, parts);
        case Epilogue.Add(var residual) ->
            into.add(new Zip(Bin.ADD, Rules.joined(into, parts), residual));
      };
    }
  }

  /** What a projection does to its row first. */
  sealed interface Prologue {
    record None() implements Prologue {}

    record Norm(Value w, float eps, float offset) implements Prologue {}
  }

  /** What a projection does to its outputs last. */
  sealed interface Epilogue {
    record None() implements Epilogue {}

    record Add(Value residual) implements Epilogue {}

    record Gate(Fn fn) implements Epilogue {}

    record Map(Fn fn) implements Epilogue {}
  }

  /** A sum over the experts that the scores choose, row by row; see {@link Routing}. */
  record Experts(Value x, Value scores, Value gate, Value up, Value down, Fn fn, Routing routing)
      implements Op {
    @Override
    public Type infer() {
      Rules.rank("experts", gate, 3);
      Rules.sameType("experts", gate, up);
      Rules.rank("experts", down, 3);
      Rules.sameWidth("experts", x, gate);
      int experts = Rules.numbers("experts", scores).width();
      int inner = gate.type().dim(1).fixed();
      require(
          gate.type().dim(0).fixed() == experts
              && scores.type().equals(x.type().withLast(experts))
              && down.type().equals(Type.f32(experts, x.type().width(), inner)),
          "experts: scores %s, gate %s, down %s",
          scores.type(),
          gate.type(),
          down.type());
      int used = routing.used();
      require(used <= experts, "experts: %s of %s experts cannot be used", used, experts);
      return x.type();
    }
  }

  // Normalization and position.

  /** {@code x / rms(x) * (w + offset)} over the last axis. */
  record RmsNorm(Value x, Value w, float eps, float offset) implements Op {
    @Override
    public Type infer() {
      Rules.rank("rmsnorm", w, 1);
      Rules.sameWidth("rmsnorm", x, w);
      return x.type();
    }
  }

  /** {@code residual + rmsnorm(x)}: the second half of a sandwich norm. */
  record AddNorm(Value residual, Value x, Value w, float eps, float offset) implements Composite {
    @Override
    public Type infer() {
      Rules.sameType("addnorm", residual, x);
      Rules.sameWidth("addnorm", x, w);
      return x.type();
    }

    @Override
    public Value expand(Graph.Builder into) {
      return into.add(new Zip(Bin.ADD, into.add(new RmsNorm(x, w, eps, offset)), residual));
    }
  }

  /** {@code (x - mean(x)) / deviation(x) * w + b} over the last axis. */
  record LayerNorm(Value x, Value w, Value b, float eps) implements Op {
    @Override
    public Type infer() {
      Rules.rank("layernorm", w, 1);
      Rules.sameType("layernorm", w, b);
      Rules.sameWidth("layernorm", x, w);
      return x.type();
    }
  }

  /** {@code x / sqrt(sum(x^2) + eps)} over the last axis. */
  record L2Norm(Value x, float eps) implements Op {
    @Override
    public Type infer() {
      return Rules.numbers("l2norm", x);
    }
  }

  /**
   * Rotates the first pairs of each head by {@code position * frequency}; the rest passes. Where a
   * row has several positions, each has a frequency for every pair, one position's behind the
   * other's, and angles add up. {@code scale} multiplies the rotated part (yarn's attention
   * factor).
   */
  record Rope(Value x, Value positions, Value frequencies, Pairing pairing, float scale)
      implements Op {
    @Override
    public Type infer() {
      Rules.turned(x, positions, frequencies);
      return x.type();
    }
  }

  /** Which two elements of a head rope rotates together. */
  enum Pairing {
    /** Element i with i + half. */
    HALVES,
    /** Element 2i with 2i + 1. */
    NEIGHBOURS
  }

  // Movement.

  /** Splits the last axis into {@code count} heads. */
  record Heads(Value x, int count) implements Renaming {
    @Override
    public Type infer() {
      Rules.positive("heads", count);
      int width = Rules.numbers("heads", x).width();
      require(width % count == 0, "%s columns do not split into %s heads", width, count);
      var dims = new ArrayList<>(x.type().dims());
      dims.set(dims.size() - 1, Dim.of(count));
      dims.add(Dim.of(width / count));
      return new Type(x.type().dtype(), dims);
    }
  }

  /** Joins the last two axes. */
  record Merge(Value x) implements Renaming {
    @Override
    public Type infer() {
      require(x.type().rank() >= 2, "merge wants two axes to join, got %s", x.type());
      var dims = new ArrayList<>(Rules.numbers("merge", x).dims());
      int inner = dims.removeLast().fixed();
      dims.set(dims.size() - 1, Dim.of(Rules.product(dims.getLast().fixed(), inner)));
      return new Type(x.type().dtype(), dims);
    }
  }

  /** Columns {@code from} to {@code to} of the last axis. */
  record Slice(Value x, int from, int to) implements Renaming {
    @Override
    public Type infer() {
      int width = Rules.numbers("slice", x).width();
      boolean isInside = 0 <= from && from < to && to <= width;
      require(isInside, "slice %s..%s is outside %s", from, to, x.type());
      return x.type().withLast(to - from);
    }
  }

  /** Values side by side along the last axis. */
  record Concat(List<Value> parts) implements Op {
    public Concat {
      parts = List.copyOf(parts);
    }

    @Override
    public Type infer() {
      require(!parts.isEmpty(), "concat needs at least one part");
      int width = 0;
      for (var part : parts) {
        width = Rules.sum(width, Rules.numbers("concat", part).width());
        require(
            part.type().withLast(1).equals(parts.getFirst().type().withLast(1)),
            "concat: %s does not lie beside %s",
            part.type(),
            parts.getFirst().type());
      }
      return parts.getFirst().type().withLast(width);
    }
  }

  /** The rows of x that {@code rows} names. */
  record Rows(Value x, Value rows) implements Op {
    @Override
    public Type infer() {
      Rules.indices("rows", rows);
      return Rules.numbers("rows", x).withFirst(rows.type().dim(0));
    }
  }

  // State.

  /**
   * Attention of each row over its sequence up to itself, or to the end of its block where the step
   * has rows that see each other, grouped-query, within the slot's window.
   */
  record Attend(Slot.KeyValue slot, Value q, Value k, Value v, Scores scores) implements Stateful {
    @Override
    public Type infer() {
      return Rules.attended(slot, q, k, v);
    }
  }

  /** How attention turns dot products into weights: a scale, and a soft cap where positive. */
  record Scores(float scale, float softCap) {}

  /** Attention whose queries and keys are rotated on their way in. */
  record RopeAttend(
      Slot.KeyValue slot,
      Value q,
      Value k,
      Value v,
      Scores scores,
      Value positions,
      Value frequencies,
      Pairing pairing,
      float ropeScale)
      implements Stateful, Composite {
    @Override
    public Type infer() {
      new Rope(q, positions, frequencies, pairing, ropeScale).infer();
      return Rules.attended(slot, q, k, v);
    }

    @Override
    public Value expand(Graph.Builder into) {
      var turnedQ = into.add(new Rope(q, positions, frequencies, pairing, ropeScale));
      var turnedK = into.add(new Rope(k, positions, frequencies, pairing, ropeScale));
      return into.add(new Attend(slot, turnedQ, turnedK, v, scores));
    }
  }

  /** A causal depthwise convolution over time; weight {@code [channels, taps + 1]}, newest last. */
  record ShortConv(Slot.Conv slot, Value x, Value w) implements Stateful {
    @Override
    public Type infer() {
      Rules.rank("shortconv", x, 2);
      require(
          w.type().equals(Type.f32(slot.channels(), slot.taps() + 1))
              && x.type().width() == slot.channels(),
          "shortconv: %s and weight %s do not fit %s",
          x.type(),
          w.type(),
          slot);
      return x.type();
    }
  }

  /**
   * The gated delta rule, a head at a time: {@code S = decay S; S += k (beta (v - k^T S))^T; out =
   * q^T S} (arXiv:2412.06464). Several value heads share a key head as {@code grouping} says.
   */
  record DeltaRule(
      Slot.Delta slot, Value q, Value k, Value v, Value decay, Value beta, Grouping grouping)
      implements Stateful {
    @Override
    public Type infer() {
      Rules.delta(slot, q, k, v);
      var gates = Type.f32(v.type().dim(0), Dim.of(slot.heads()));
      for (var x : List.of(decay, beta)) Rules.typed("deltarule", x, gates);
      return v.type();
    }
  }

  /** Which key head serves value head h, of {@code per} value heads a key head. */
  enum Grouping {
    /** h / per: neighbours share. */
    BLOCKED,
    /** h mod key heads: the key heads repeat in turn. */
    TILED
  }

  // Of several devices.

  /** What the members of a mesh do together, each with its own {@code x}. */
  sealed interface Collective extends Op permits AllReduce, AllGather {
    Value x();

    int members();
  }

  /** The sum of what the members have, with the same bits on each of them. */
  record AllReduce(Value x, int members) implements Collective {
    @Override
    public Type infer() {
      Rules.positive("allreduce: members", members);
      return Rules.numbers("allreduce", x);
    }
  }

  /** What the members have side by side along the last axis, in their order. */
  record AllGather(Value x, int members) implements Collective {
    @Override
    public Type infer() {
      Rules.positive("allgather: members", members);
      int width = Rules.numbers("allgather", x).width();
      return x.type().withLast(Rules.product(width, members));
    }
  }
}
