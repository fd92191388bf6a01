package weft.backend;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Launch;
import weft.lir.Operand;

/**
 * The definition of every op, in double precision where sums are long. A composite op is what its
 * expansion is.
 */
public final class ReferenceKernels {
  /** Stands where no step is: its single row is never looked at. */
  static final Step NO_STEP =
      new Step(
          new int[1],
          new int[1],
          new int[1],
          List.of(
              new Step.Part(
                  new HostStates(KvType.F32, HostBlocks.ARENA, OptionalLong.empty())
                      .open(List.of()),
                  1)));

  private ReferenceKernels() {}

  public static void run(Launch launch, HostMemory memory, Step step) {
    var context = new Context(launch, memory, step);
    memory.write(launch.result(), context.eval(launch.op(), launch.result().type()), step);
  }

  /** One launch in progress: its operands, and the values inside an expansion as they are made. */
  static final class Context {
    private final Launch launch;
    private final HostMemory memory;
    private final Step step;
    private final Map<Value, float[]> made = new HashMap<>();
    private Function<Value, Operand> operands;

    Context(Launch launch, HostMemory memory, Step step) {
      this.launch = launch;
      this.memory = memory;
      this.step = step;
      this.operands = launch::operand;
    }

    Step step() {
      return step;
    }

    int rows(Type type) {
      return step.rows(type);
    }

    /** All elements of a value. */
    float[] numbers(Value value) {
      var inside = made.get(value);
      return inside != null ? inside : memory.read(operands.apply(value), step);
    }

    /** A value that must be a tensor of the checkpoint, read row by row. */
    Weights.Tensor weight(Value value) {
      return switch (operands.apply(value)) {
        case Operand.Weight weight -> memory.tensor(weight);
        case Operand other ->
            throw new BackendException(
                launch.op().mnemonic() + " wants a tensor of the checkpoint, got " + other);
      };
    }

    int[] integers(Value value) {
      return step.integers((Operand.Input) operands.apply(value));
    }

    float[] eval(Op op, Type type) {
      return switch (op) {
        case Op.Composite composite -> expanded(composite);
        case Op.Map(var fn, var x) -> map(fn, numbers(x));
        case Op.Scale(var x, var by) -> scale(numbers(x), by);
        // The result's buffer rounds what is written to it.
        case Op.Cast(var x, _) -> numbers(x);
        case Op.Zip(var bin, var a, var b) -> zip(bin, numbers(a), a.type(), numbers(b), b.type());
        case Op.Embed(var table, var ids) -> embed(weight(table), integers(ids));
        case Op.Linear(var x, var w) -> linear(numbers(x), weight(w));
        case Op.RmsNorm(var x, var w, var eps, var offset) ->
            rmsNorm(numbers(x), numbers(w), eps, offset);
        case Op.LayerNorm(var x, var w, var b, var eps) ->
            layerNorm(numbers(x), numbers(w), numbers(b), eps);
        case Op.L2Norm(var x, var eps) -> l2Norm(numbers(x), x.type().width(), eps);
        case Op.Rope rope -> rope(rope);
        case Op.Renaming renaming -> renamed(renaming);
        case Op.Concat concat -> concat(concat, rows(type));
        case Op.Rows(var x, var rows) -> gather(numbers(x), x.type().rowElements(), integers(rows));
        case Op.Experts experts -> ReferenceExperts.eval(experts, this);
        case Op.Attend attend -> ReferenceAttention.eval(attend, this);
        case Op.ShortConv conv -> ReferenceRecurrence.eval(conv, this);
        case Op.DeltaRule delta -> ReferenceRecurrence.eval(delta, this);
        case Op.Collective _ -> throw MemberExecutable.needsMesh(op);
        case Op.Input _, Op.Weight _, Op.Constant _ ->
            throw new BackendException(op.mnemonic() + " is an operand, not a launch");
      };
    }

    /** Evaluates the expansion, whose leaves are this launch's parameters. */
    private float[] expanded(Op.Composite composite) {
      var inside = new Graph.Builder();
      var parameters = new HashMap<Value, Value>();
      var over =
          (Op.Composite) composite.map(p -> parameters.computeIfAbsent(p, v -> inside.add(v.op())));
      var leaves = new HashMap<Value, Value>();
      parameters.forEach((outer, inner) -> leaves.put(inner, outer));
      var result = over.expand(inside);
      var outerOperands = operands;
      var outerMade = new HashMap<>(made);
      made.clear();
      leaves.forEach(
          (inner, outer) -> {
            if (outerMade.containsKey(outer)) made.put(inner, outerMade.get(outer));
          });
      operands = inner -> outerOperands.apply(leaves.get(inner));
      for (var value : inside.build().values()) {
        if (!leaves.containsKey(value)) made.put(value, eval(value.op(), value.type()));
      }
      var out = made.get(result);
      operands = outerOperands;
      made.clear();
      made.putAll(outerMade);
      return out;
    }

    private float[] rope(Op.Rope op) {
      var x = numbers(op.x()).clone();
      var frequencies = numbers(op.frequencies());
      int[] positions = integers(op.positions());
      int sections = op.positions().type().rowElements();
      var angles = new float[frequencies.length / sections];
      int heads = op.x().type().dim(1).fixed();
      int width = op.x().type().width();
      for (int row = 0; row < positions.length / sections; row++) {
        for (int i = 0; i < angles.length; i++) {
          angles[i] = angle(frequencies, i, positions, row * sections, sections);
        }
        for (int head = 0; head < heads; head++) {
          rotate(x, (row * heads + head) * width, angles, op.pairing(), op.scale());
        }
      }
      return x;
    }

    private float[] renamed(Op.Renaming op) {
      return switch (op) {
        case Op.Heads(var x, _) -> numbers(x);
        case Op.Merge(var x) -> numbers(x);
        case Op.Slice(var x, var from, var to) -> {
          var in = numbers(x);
          int width = x.type().width();
          var out = new float[in.length / width * (to - from)];
          for (int row = 0; row < in.length / width; row++) {
            System.arraycopy(in, row * width + from, out, row * (to - from), to - from);
          }
          yield out;
        }
      };
    }

    private float[] concat(Op.Concat op, int rows) {
      int width = op.infer().width();
      int outer = rows * op.infer().rowElements() / width;
      var out = new float[outer * width];
      int at = 0;
      for (var part : op.parts()) {
        var in = numbers(part);
        int partWidth = part.type().width();
        for (int row = 0; row < outer; row++) {
          System.arraycopy(in, row * partWidth, out, row * width + at, partWidth);
        }
        at += partWidth;
      }
      return out;
    }
  }

  /**
   * By how much a pair turns that has a frequency for each of {@code sections} positions, the first
   * of them at {@code from}. Frameworks make it in float32, and far positions feel the difference.
   */
  public static float angle(
      float[] frequencies, int pair, int[] positions, int from, int sections) {
    int pairs = frequencies.length / sections;
    float angle = 0;
    for (int s = 0; s < sections; s++) {
      angle += positions[from + s] * frequencies[s * pairs + pair];
    }
    return angle;
  }

  private static void rotate(float[] x, int at, float[] angles, Op.Pairing pairing, float scale) {
    int half = angles.length;
    for (int i = 0; i < half; i++) {
      int a = at + (pairing == Op.Pairing.HALVES ? i : 2 * i);
      int b = at + (pairing == Op.Pairing.HALVES ? i + half : 2 * i + 1);
      float cos = (float) Math.cos(angles[i]) * scale;
      float sin = (float) Math.sin(angles[i]) * scale;
      float before = x[a];
      x[a] = before * cos - x[b] * sin;
      x[b] = x[b] * cos + before * sin;
    }
  }

  private static float[] map(Fn fn, float[] x) {
    var out = new float[x.length];
    for (int i = 0; i < x.length; i++) out[i] = fn.apply(x[i]);
    return out;
  }

  private static float[] scale(float[] x, float by) {
    var out = new float[x.length];
    for (int i = 0; i < x.length; i++) out[i] = x[i] * by;
    return out;
  }

  private static float[] zip(Bin bin, float[] a, Type aType, float[] b, Type bType) {
    var out = new float[a.length];
    for (int i = 0; i < a.length; i++)
      out[i] = bin.apply(a[i], b[spread(i, aType, bType, b.length)]);
    return out;
  }

  /** Which element of b meets element {@code i} of a. */
  private static int spread(int i, Type a, Type b, int bLength) {
    int rest = i;
    int index = 0;
    int stride = 1;
    for (int back = 1; back <= b.rank(); back++) {
      boolean isFirstOfA = back == a.rank();
      int size = isFirstOfA ? Integer.MAX_VALUE : a.dim(a.rank() - back).fixed();
      int coordinate = rest % size;
      rest /= size;
      boolean isOne = b.dim(b.rank() - back).equals(weft.ir.Dim.of(1));
      if (isOne) continue;
      index += coordinate * stride;
      stride = isFirstOfA ? stride : stride * size;
    }
    if (index >= bLength) throw new BackendException("zip: " + b + " ends before " + a);
    return index;
  }

  private static float[] embed(Weights.Tensor table, int[] ids) {
    var out = new float[ids.length * table.columns()];
    for (int row = 0; row < ids.length; row++) {
      if (ids[row] < 0 || ids[row] >= table.rows()) {
        throw new BackendException(
            "token " + ids[row] + " is outside the vocabulary of " + table.rows());
      }
      table.decodeRow(ids[row], out, row * table.columns());
    }
    return out;
  }

  private static float[] linear(float[] x, Weights.Tensor w) {
    int in = w.columns();
    int outs = Math.toIntExact(w.rows());
    int rows = x.length / in;
    var y = new float[rows * outs];
    var weight = new float[in];
    for (int out = 0; out < outs; out++) {
      w.decodeRow(out, weight, 0);
      for (int row = 0; row < rows; row++) y[row * outs + out] = dot(x, row * in, weight, 0, in);
    }
    return y;
  }

  static float dot(float[] a, int aAt, float[] b, int bAt, int length) {
    double sum = 0;
    for (int i = 0; i < length; i++) sum += (double) a[aAt + i] * b[bAt + i];
    return (float) sum;
  }

  private static float[] rmsNorm(float[] x, float[] w, float eps, float offset) {
    int width = w.length;
    var out = new float[x.length];
    for (int at = 0; at < x.length; at += width) {
      double squares = 0;
      for (int i = 0; i < width; i++) squares += (double) x[at + i] * x[at + i];
      float scale = (float) (1 / Math.sqrt(squares / width + eps));
      for (int i = 0; i < width; i++) out[at + i] = x[at + i] * scale * (w[i] + offset);
    }
    return out;
  }

  private static float[] layerNorm(float[] x, float[] w, float[] b, float eps) {
    int width = w.length;
    var out = new float[x.length];
    for (int at = 0; at < x.length; at += width) {
      double mean = 0;
      double squares = 0;
      for (int i = 0; i < width; i++) mean += (double) x[at + i] / width;
      for (int i = 0; i < width; i++) squares += (x[at + i] - mean) * (x[at + i] - mean);
      double scale = 1 / Math.sqrt(squares / width + eps);
      for (int i = 0; i < width; i++) {
        out[at + i] = (float) ((x[at + i] - mean) * scale * w[i] + b[i]);
      }
    }
    return out;
  }

  private static float[] l2Norm(float[] x, int width, float eps) {
    var out = new float[x.length];
    for (int at = 0; at < x.length; at += width) {
      double squares = 0;
      for (int i = 0; i < width; i++) squares += (double) x[at + i] * x[at + i];
      float scale = (float) (1 / Math.sqrt(squares + eps));
      for (int i = 0; i < width; i++) out[at + i] = x[at + i] * scale;
    }
    return out;
  }

  private static float[] gather(float[] x, int width, int[] rows) {
    var out = new float[rows.length * width];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(x, rows[i] * width, out, i * width, width);
    }
    return out;
  }
}
