package weft.cpu.portable;

import weft.backend.BackendException;
import weft.backend.HostMemory;
import weft.backend.Weights;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Heads3d;
import weft.cpu.launch.Projection;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.Turn;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Launch;
import weft.lir.Operand;

/** Binds the ops that treat each row, head or element by itself. */
public final class PortableElementwise {
  /** Elements a worker takes at a time: enough to pay for the call, few enough to share one row. */
  private static final int CHUNK = 512;

  private final HostMemory memory;
  private final Launch launch;
  private final Rows2d result;

  public PortableElementwise(HostMemory memory, Launch launch) {
    this.memory = memory;
    this.launch = launch;
    this.result = new Rows2d(memory, launch.result());
  }

  /** Whether the second operand of a zip is one that these kernels spread. */
  public static boolean spreads(Launch launch, Value a, Value b) {
    boolean isPerRow = launch.operand(b) instanceof Operand.View view && view.hasContiguousRows();
    boolean isSame = isPerRow && a.type().equals(b.type());
    boolean isOnePerHead = isPerRow && a.type().withLast(1).equals(b.type());
    boolean isVector = b.type().rank() == 1 && b.type().width() == a.type().width();
    return isSame || isOnePerHead || isVector && !b.type().isSymbolic();
  }

  public BoundLaunch bind() {
    return switch (launch.op()) {
      case Op.RmsNorm(var x, var w, var eps, var offset) ->
          norm(heads(x), Projection.Norm.shifted(fixed(w), offset), eps);
      case Op.AddNorm(var residual, var x, var w, var eps, var offset) ->
          addNorm(rows(residual), heads(x), Projection.Norm.shifted(fixed(w), offset), eps);
      case Op.LayerNorm(var x, var w, var b, var eps) ->
          layerNorm(heads(x), fixed(w), fixed(b), eps);
      case Op.L2Norm(var x, var eps) -> l2Norm(heads(x), x.type().width(), eps);
      case Op.Glu(var fn, var gate, var up) -> glu(fn, rows(gate), rows(up));
      case Op.Map(var fn, var x) -> map(fn, rows(x));
      case Op.Scale(var x, var by) -> scale(rows(x), by);
      case Op.SoftCap(var x, var cap) -> softCap(rows(x), cap);
      case Op.Zip(var bin, var a, var b) -> zip(bin, rows(a), a, b);
      case Op.Rows(var x, var rows) -> gather(rows(x), rows);
      case Op.Concat concat -> concat(concat);
      case Op.Merge(var x) -> merge(heads(x), x.type().width());
      default -> throw new BackendException("no elementwise kernel for " + launch.op().mnemonic());
    };
  }

  private Rows2d rows(Value value) {
    return new Rows2d(memory, (Operand.View) launch.operand(value));
  }

  /** Where the elements of a row's head, or of a whole row, come from. */
  @FunctionalInterface
  private interface HeadSource {
    void read(int row, int head, float[] to, int at);
  }

  private HeadSource heads(Value value) {
    var view = (Operand.View) launch.operand(value);
    if (view.type().rank() == 3) return new Heads3d(memory, view)::read;
    var rows = new Rows2d(memory, view);
    return (row, head, to, at) -> rows.read(row, 0, to, at, rows.width());
  }

  private float[] fixed(Value value) {
    return memory.fixed(launch.operand(value));
  }

  private BoundLaunch perHead(int width, RowwiseLaunch.Body body) {
    return new RowwiseLaunch(
        launch.op().mnemonic(), launch.result().type(), result.width() / width, body);
  }

  /** The body gets the first column of a chunk; {@link #end} says where the chunk ends. */
  private BoundLaunch perChunk(RowwiseLaunch.Body body) {
    int chunks = (result.width() + CHUNK - 1) / CHUNK;
    return new RowwiseLaunch(
        launch.op().mnemonic(),
        launch.result().type(),
        chunks,
        (step, row, chunk, worker) -> body.run(step, row, chunk * CHUNK, worker));
  }

  private int end(int from) {
    return Math.min(from + CHUNK, result.width());
  }

  private BoundLaunch norm(HeadSource x, float[] w, float eps) {
    int n = w.length;
    return perHead(
        n,
        (step, row, head, worker) -> {
          var buffer = worker.scratch(n);
          normalized(x, row, head, w, eps, buffer);
          result.write(row, head * n, buffer, 0, n);
        });
  }

  private static void normalized(
      HeadSource x, int row, int head, float[] w, float eps, float[] to) {
    x.read(row, head, to, 0);
    float scale = Norms.inverseRms(to, 0, w.length, eps);
    for (int i = 0; i < w.length; i++) to[i] = to[i] * scale * w[i];
  }

  private BoundLaunch addNorm(Rows2d residual, HeadSource x, float[] w, float eps) {
    int n = w.length;
    return perHead(
        n,
        (step, row, head, worker) -> {
          var buffer = worker.scratch(n);
          normalized(x, row, head, w, eps, buffer);
          for (int i = 0; i < n; i++) buffer[i] += residual.get(row, head * n + i);
          result.write(row, head * n, buffer, 0, n);
        });
  }

  private BoundLaunch layerNorm(HeadSource x, float[] w, float[] b, float eps) {
    int n = w.length;
    return perHead(
        n,
        (step, row, head, worker) -> {
          var buffer = worker.scratch(n);
          x.read(row, head, buffer, 0);
          float mean = Norms.sum(buffer, 0, n) / n;
          for (int i = 0; i < n; i++) buffer[i] -= mean;
          float scale = Norms.inverseRms(buffer, 0, n, eps);
          for (int i = 0; i < n; i++) buffer[i] = buffer[i] * scale * w[i] + b[i];
          result.write(row, head * n, buffer, 0, n);
        });
  }

  private BoundLaunch l2Norm(HeadSource x, int n, float eps) {
    return perHead(
        n,
        (step, row, head, worker) -> {
          var buffer = worker.scratch(n);
          x.read(row, head, buffer, 0);
          float scale = (float) (1 / Math.sqrt(Norms.sumOfSquares(buffer, 0, n) + eps));
          for (int i = 0; i < n; i++) buffer[i] *= scale;
          result.write(row, head * n, buffer, 0, n);
        });
  }

  private BoundLaunch merge(HeadSource x, int n) {
    return perHead(
        n,
        (step, row, head, worker) -> {
          var buffer = worker.scratch(n);
          x.read(row, head, buffer, 0);
          result.write(row, head * n, buffer, 0, n);
        });
  }

  private BoundLaunch glu(Fn fn, Rows2d gate, Rows2d up) {
    return perChunk(
        (step, row, from, worker) -> {
          int n = end(from) - from;
          var buffer = worker.scratch(2 * n);
          gate.read(row, from, buffer, 0, n);
          up.read(row, from, buffer, n, n);
          VectorMath.map(fn, buffer, 0, n);
          for (int i = 0; i < n; i++) buffer[i] *= buffer[n + i];
          result.write(row, from, buffer, 0, n);
        });
  }

  private BoundLaunch map(Fn fn, Rows2d x) {
    return perChunk(
        (step, row, from, worker) -> {
          int n = end(from) - from;
          var buffer = worker.scratch(n);
          x.read(row, from, buffer, 0, n);
          VectorMath.map(fn, buffer, 0, n);
          result.write(row, from, buffer, 0, n);
        });
  }

  private BoundLaunch scale(Rows2d x, float by) {
    return perChunk(
        (step, row, from, worker) -> {
          for (int i = from; i < end(from); i++) result.set(row, i, x.get(row, i) * by);
        });
  }

  private BoundLaunch softCap(Rows2d x, float cap) {
    return perChunk(
        (step, row, from, worker) -> {
          int n = end(from) - from;
          var buffer = worker.scratch(n);
          x.read(row, from, buffer, 0, n);
          for (int i = 0; i < n; i++) buffer[i] /= cap;
          VectorMath.map(Fn.TANH, buffer, 0, n);
          for (int i = 0; i < n; i++) buffer[i] *= cap;
          result.write(row, from, buffer, 0, n);
        });
  }

  private BoundLaunch zip(Bin bin, Rows2d a, Value left, Value right) {
    int width = left.type().width();
    if (right.type().equals(left.type())) {
      var b = rows(right);
      return perChunk(
          (step, row, from, worker) -> {
            for (int i = from; i < end(from); i++) {
              result.set(row, i, bin.apply(a.get(row, i), b.get(row, i)));
            }
          });
    }
    if (right.type().rank() == 1) {
      var b = fixed(right);
      return perChunk(
          (step, row, from, worker) -> {
            for (int i = from; i < end(from); i++) {
              result.set(row, i, bin.apply(a.get(row, i), b[i % width]));
            }
          });
    }
    var b = rows(right);
    return perChunk(
        (step, row, from, worker) -> {
          for (int i = from; i < end(from); i++) {
            result.set(row, i, bin.apply(a.get(row, i), b.get(row, i / width)));
          }
        });
  }

  private BoundLaunch gather(Rows2d x, Value selector) {
    var input = (Operand.Input) launch.operand(selector);
    return perChunk(
        (step, row, from, worker) -> {
          int n = end(from) - from;
          var buffer = worker.scratch(n);
          x.read(step.integers(input)[row], from, buffer, 0, n);
          result.write(row, from, buffer, 0, n);
        });
  }

  private BoundLaunch concatHeads(Op.Concat op) {
    int n = launch.result().type().width();
    var sources = op.parts().stream().map(this::heads).toList();
    var widths = op.parts().stream().mapToInt(part -> part.type().width()).toArray();
    return perHead(
        n,
        (step, row, head, worker) -> {
          var buffer = worker.scratch(n);
          int at = 0;
          for (int i = 0; i < widths.length; i++) {
            sources.get(i).read(row, head, buffer, at);
            at += widths[i];
          }
          result.write(row, head * n, buffer, 0, n);
        });
  }

  private BoundLaunch concat(Op.Concat op) {
    if (launch.result().type().rank() == 3) return concatHeads(op);
    var parts = op.parts().stream().map(this::rows).toList();
    return new RowwiseLaunch(
        "concat",
        launch.result().type(),
        1,
        (step, row, piece, worker) -> {
          int at = 0;
          for (var part : parts) {
            var buffer = worker.scratch(part.width());
            part.read(row, 0, buffer, 0, part.width());
            result.write(row, at, buffer, 0, part.width());
            at += part.width();
          }
        });
  }

  public BoundLaunch embed(Weights.Tensor table, Value ids) {
    var input = (Operand.Input) launch.operand(ids);
    int n = table.columns();
    return new RowwiseLaunch(
        "embed " + table.encoding().name(),
        launch.result().type(),
        1,
        (step, row, piece, worker) -> {
          int id = step.integers(input)[row];
          if (id < 0 || id >= table.rows()) {
            throw new BackendException(
                "token " + id + " is outside the vocabulary of " + table.rows());
          }
          var buffer = worker.scratch(n);
          table.decodeRow(id, buffer, 0);
          result.write(row, 0, buffer, 0, n);
        });
  }

  public BoundLaunch rope(Heads3d x, Turn turn) {
    int n = x.width();
    return perHead(
        n,
        (step, row, head, worker) -> {
          var buffer = worker.scratch(n);
          x.read(row, head, buffer, 0);
          turn.apply(buffer, 0, row);
          result.write(row, head * n, buffer, 0, n);
        });
  }
}
