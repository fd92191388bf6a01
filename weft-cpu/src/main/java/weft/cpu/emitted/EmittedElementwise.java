package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.backend.HostMemory;
import weft.backend.Weights;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.rows.ElementwiseArguments;
import weft.cpu.kernel.rows.ElementwiseArguments.Cut;
import weft.cpu.kernel.rows.ElementwiseArguments.Source;
import weft.cpu.kernel.rows.EmbedArguments;
import weft.cpu.kernel.rows.Formula;
import weft.cpu.kernel.rows.RowNormArguments;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Heads3d;
import weft.cpu.launch.Projection;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.SharedScratch;
import weft.cpu.launch.Turn;
import weft.ir.Bin;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Launch;
import weft.lir.Operand;

/**
 * Binds the ops that treat each row, head or element by itself to emitted kernels; {@code
 * PortableElementwise} has their portable twins.
 */
public final class EmittedElementwise {
  /** Elements a worker takes at a time: enough to pay for the unit, few enough to share one row. */
  private static final int CHUNK = 512;

  private final HostMemory memory;
  private final Launch launch;
  private final KernelLibrary library;
  private final SharedScratch scratch;
  private final Rows2d result;

  public EmittedElementwise(
      HostMemory memory, Launch launch, KernelLibrary library, SharedScratch scratch) {
    this.memory = memory;
    this.launch = launch;
    this.library = library;
    this.scratch = scratch;
    this.result = new Rows2d(memory, launch.result());
  }

  /** The emitted form of a launch that has a vector kernel, if it is an op of this kind. */
  public Optional<BoundLaunch> bind() {
    if (launch.result().type().rank() < 2) return Optional.empty();
    return switch (launch.op()) {
      case Op.RmsNorm(var x, var w, var eps, var offset) ->
          Optional.of(norm(library.rowNorm(), x, shifted(w, offset), eps, HeadRows.NONE));
      case Op.AddNorm(var residual, var x, var w, var eps, var offset) ->
          Optional.of(norm(library.addNorm(), x, shifted(w, offset), eps, heads(residual)));
      case Op.LayerNorm(var x, var w, var b, var eps) ->
          Optional.of(norm(library.layerNorm(), x, fixed(w), eps, new HeadRows(fixed(b), 0, 0)));
      case Op.L2Norm(var x, var eps) ->
          Optional.of(norm(library.l2Norm(), x, MemorySegment.NULL, eps, HeadRows.NONE));
      case Op.Glu(var fn, var gate, var up) ->
          Optional.of(each(Formula.glu(fn), chunks(), chunks(gate), chunks(up)));
      case Op.Map(var fn, var x) -> Optional.of(each(Formula.map(fn), chunks(), chunks(x)));
      case Op.Scale(var x, var by) ->
          Optional.of(each(Formula.scale(), chunks(), List.of(chunks(x)), List.of(by)));
      case Op.SoftCap(var x, var cap) ->
          Optional.of(each(Formula.softCap(), chunks(), List.of(chunks(x)), List.of(1 / cap, cap)));
      case Op.Zip(var bin, var a, var b) -> Optional.of(zip(bin, a, b));
      case Op.Rows(var x, var rows) -> Optional.of(gather(x, rows));
      case Op.Concat(var parts) -> Optional.of(concat(parts));
      case Op.Merge(var x) ->
          Optional.of(
              each(Formula.copy(), new Cut(result.width(), x.type().width()), Source.of(heads(x))));
      default -> Optional.empty();
    };
  }

  /** Heads turned where no attention does it on its way in. */
  public BoundLaunch rope(Heads3d x, Turn turn) {
    return new EmittedRope(
        launch.result().type(), library.rope(turn.pairing()), turn, x, result.pieces(x.width()));
  }

  /** Rows of a table, where its encoding has an emitted form and it lies in one piece. */
  public Optional<BoundLaunch> embed(Weights.Tensor table, Value ids) {
    if (table.parts().size() > 1) return Optional.empty();
    return library.embed(table.encoding()).map(kernel -> embed(kernel, table, ids));
  }

  private BoundLaunch embed(Kernel kernel, Weights.Tensor table, Value ids) {
    return new EmittedGather(
        (Operand.Input) launch.operand(ids),
        "token",
        step -> Math.toIntExact(table.rows()),
        kernel,
        EmbedArguments.units(table.columns()),
        EmbedArguments.SCRATCH_BYTES,
        EmbedArguments.BYTES,
        (chosen, block) ->
            new EmbedArguments(
                    new PlainRows(table.parts().getFirst(), table.rowBytes()),
                    chosen,
                    table.columns(),
                    result.from(0, 0))
                .write(block));
  }

  private Rows2d rows(Value value) {
    return new Rows2d(memory, (Operand.View) launch.operand(value));
  }

  /** A value's heads, or its rows where it has no heads. */
  private HeadRows heads(Value value) {
    var view = (Operand.View) launch.operand(value);
    if (view.type().rank() == 3) return new Heads3d(memory, view).rows();
    return new Rows2d(memory, view).pieces(view.type().width());
  }

  private MemorySegment fixed(Value vector) {
    return scratch.constant(memory.fixed(launch.operand(vector)));
  }

  private MemorySegment shifted(Value weight, float offset) {
    return scratch.constant(Projection.Norm.shifted(memory.fixed(launch.operand(weight)), offset));
  }

  private BoundLaunch norm(
      Kernel kernel, Value x, MemorySegment weight, float eps, HeadRows residual) {
    int n = x.type().width();
    int heads = result.width() / n;
    var block = scratch.block(RowNormArguments.BYTES);
    new RowNormArguments(heads(x), heads, weight, n, eps, residual, result.pieces(n)).write(block);
    return launch(new EmittedRows.Call(kernel, block, heads));
  }

  private BoundLaunch launch(EmittedRows.Call call) {
    return new EmittedRows(launch.result().type(), List.of(call));
  }

  private Cut chunks() {
    return new Cut(result.width(), CHUNK);
  }

  /** A value whose rows lie as the result's, in chunks. */
  private Source chunks(Value value) {
    return Source.of(rows(value).pieces(CHUNK));
  }

  private BoundLaunch each(Formula formula, Cut cut, Source... sources) {
    return each(formula, cut, List.of(sources), List.of());
  }

  private BoundLaunch each(Formula formula, Cut cut, List<Source> sources, List<Float> numbers) {
    return launch(each(formula, cut, result.pieces(cut.piece()), sources, numbers));
  }

  private EmittedRows.Call each(
      Formula formula, Cut cut, HeadRows to, List<Source> sources, List<Float> numbers) {
    var block = scratch.block(ElementwiseArguments.BYTES);
    new ElementwiseArguments(cut, to, sources, numbers).write(block);
    return new EmittedRows.Call(library.elementwise(formula), block, cut.count());
  }

  private BoundLaunch zip(Bin bin, Value a, Value b) {
    Type left = a.type();
    if (b.type().equals(left)) return each(Formula.zip(bin), chunks(), chunks(a), chunks(b));
    var byHead = new Cut(result.width(), left.width());
    var heads = Source.of(rows(a).pieces(left.width()));
    if (b.type().rank() == 1) {
      // The same vector for every head; a row without heads is shared in chunks.
      var vector = scratch.constant(memory.fixed(launch.operand(b)));
      return left.rank() == 2
          ? each(
              Formula.zip(bin),
              chunks(),
              chunks(a),
              Source.of(new HeadRows(vector, 0, (long) CHUNK * Float.BYTES)))
          : each(Formula.zip(bin), byHead, heads, Source.of(new HeadRows(vector, 0, 0)));
    }
    return each(Formula.zipSpread(bin), byHead, heads, Source.of(rows(b).pieces(1)));
  }

  private BoundLaunch concat(List<Value> parts) {
    var calls = new ArrayList<EmittedRows.Call>();
    boolean areHeads = launch.result().type().rank() == 3;
    int piece = areHeads ? launch.result().type().width() : CHUNK;
    int column = 0;
    for (var part : parts) {
      int width = part.type().width();
      var cut = areHeads ? new Cut(part.type().rowElements(), width) : new Cut(width, CHUNK);
      var from = areHeads ? Source.of(heads(part)) : chunks(part);
      var to = result.pieces(piece).from(column);
      calls.add(each(Formula.copy(), cut, to, List.of(from), List.of()));
      column += width;
    }
    return new EmittedRows(launch.result().type(), calls);
  }

  private BoundLaunch gather(Value x, Value selector) {
    var source = rows(x).pieces(CHUNK);
    var to = result.pieces(CHUNK);
    var cut = chunks();
    return new EmittedGather(
        (Operand.Input) launch.operand(selector),
        "row",
        step -> step.rows(x.type()),
        library.elementwise(Formula.copy()),
        cut.count(),
        0,
        ElementwiseArguments.BYTES,
        (chosen, block) ->
            new ElementwiseArguments(cut, to, List.of(new Source(source, chosen)), List.of())
                .write(block));
  }
}
