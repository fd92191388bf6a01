package weft.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.backend.HostMemory;
import weft.backend.KvLayout;
import weft.backend.KvType;
import weft.backend.ReferenceKernels;
import weft.backend.Service;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.emitted.EmittedAttend;
import weft.cpu.emitted.EmittedDeltaRule;
import weft.cpu.emitted.EmittedElementwise;
import weft.cpu.emitted.EmittedExperts;
import weft.cpu.emitted.EmittedProject;
import weft.cpu.emitted.EmittedShortConv;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.launch.Attention;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Convolution;
import weft.cpu.launch.Heads3d;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Mixture;
import weft.cpu.launch.Projection;
import weft.cpu.launch.Recurrence;
import weft.cpu.launch.RopeTables;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.SharedScratch;
import weft.cpu.launch.Turn;
import weft.cpu.portable.PortableAttend;
import weft.cpu.portable.PortableDeltaRule;
import weft.cpu.portable.PortableElementwise;
import weft.cpu.portable.PortableExperts;
import weft.cpu.portable.PortableProject;
import weft.cpu.portable.PortableShortConv;
import weft.cpu.team.Worker;
import weft.ir.DType;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Launch;
import weft.lir.Operand;

/** Chooses the kernel of a launch and binds it to the program's memory. */
final class Binding {
  private final HostMemory memory;
  private final RopeTables ropes;
  private final Optional<KernelLibrary> library;
  private final SharedScratch scratch;
  private final Paging paging;
  private final KvType kvType;
  private final int workers;
  private final int mostRows;

  Binding(
      HostMemory memory,
      RopeTables ropes,
      Optional<KernelLibrary> library,
      SharedScratch scratch,
      Paging paging,
      KvType kvType,
      int workers,
      int mostRows) {
    this.memory = memory;
    this.ropes = ropes;
    this.library = library;
    this.scratch = scratch;
    this.paging = paging;
    this.kvType = kvType;
    this.workers = workers;
    this.mostRows = mostRows;
  }

  /** Whether a launch has a vector kernel: {@link #bind} takes just these. */
  static boolean isVectorized(Launch launch) {
    return switch (launch.op()) {
      case Op.Project p ->
          isRows(launch, p.x())
              && p.x().type().rank() == 2
              && p.weights().stream().allMatch(w -> isWeight(launch, w))
              && (!(p.epilogue() instanceof Op.Epilogue.Add(var residual))
                  || isRows(launch, residual));
      case Op.Linear(var x, var w) ->
          isRows(launch, x) && x.type().rank() == 2 && isWeight(launch, w);
      case Op.RmsNorm(var x, _, _, _) -> isRows(launch, x) || isRowsOfHeads(launch, x);
      case Op.AddNorm(var residual, var x, _, _, _) ->
          isRows(launch, residual) && isRows(launch, x);
      case Op.LayerNorm(var x, _, _, _) -> isRows(launch, x) || isRowsOfHeads(launch, x);
      case Op.L2Norm(var x, _) -> isRows(launch, x) || isRowsOfHeads(launch, x);
      case Op.Glu(_, var gate, var up) -> isRows(launch, gate) && isRows(launch, up);
      case Op.Map(_, var x) -> isRows(launch, x);
      case Op.Scale(var x, _) -> isRows(launch, x);
      case Op.SoftCap(var x, _) -> isRows(launch, x);
      case Op.Cast _ -> false;
      case Op.Zip(_, var a, var b) ->
          isRows(launch, a) && PortableElementwise.spreads(launch, a, b);
      case Op.Embed(var table, _) -> isWeight(launch, table);
      case Op.Rows(var x, _) -> isRows(launch, x);
      case Op.Concat(var parts) ->
          parts.stream().allMatch(p -> isRows(launch, p) && p.type().rank() == 2)
              || parts.stream().allMatch(p -> isRowsOfHeads(launch, p));
      case Op.Attend(_, var q, var k, var v, _) -> areHeads(launch, q, k, v);
      case Op.RopeAttend a -> areHeads(launch, a.q(), a.k(), a.v());
      case Op.Rope(var x, _, _, _, _) -> areHeads(launch, x);
      case Op.ShortConv(_, var x, _) -> isRows(launch, x);
      case Op.DeltaRule d ->
          areHeads(launch, d.q(), d.k(), d.v())
              && isRows(launch, d.decay())
              && isRows(launch, d.beta());
      case Op.Experts e -> isRows(launch, e.x()) && isRows(launch, e.scores());
      case Op.Merge(var x) -> isRowsOfHeads(launch, x);
      case Op.Heads _, Op.Slice _ -> false;
      // Between the launches of a mesh's members; a device alone says that it cannot.
      case Op.Collective _ -> false;
      case Op.Input _, Op.Weight _, Op.Constant _ -> false;
    };
  }

  private static boolean isRows(Launch launch, Value value) {
    return launch.operand(value) instanceof Operand.View view
        && view.type().dtype() == DType.F32
        && view.hasContiguousRows();
  }

  private static boolean isRowsOfHeads(Launch launch, Value value) {
    return value.type().rank() == 3 && areHeads(launch, value);
  }

  private static boolean areHeads(Launch launch, Value... values) {
    for (var value : values) {
      boolean is =
          launch.operand(value) instanceof Operand.View view
              && view.type().dtype() == DType.F32
              && view.strides().getLast() == 1;
      if (!is) return false;
    }
    return true;
  }

  private static boolean isWeight(Launch launch, Value value) {
    return launch.operand(value) instanceof Operand.Weight;
  }

  BoundLaunch bind(Launch launch) {
    if (!isVectorized(launch)) return reference(launch);
    var result = new Rows2d(memory, launch.result());
    var elementwise = new PortableElementwise(memory, launch);
    return switch (launch.op()) {
      case Op.Project p -> project(launch, p, result);
      case Op.Linear(var x, var w) ->
          project(
              new Projection(
                  rows(launch, x),
                  Projection.Norm.NONE,
                  Projection.parts(List.of(weight(launch, w)), List.of()),
                  new Projection.After.Nothing(),
                  result));
      case Op.Attend(var slot, var q, var k, var v, var scores) ->
          attend(
              new Attention(
                  slot,
                  scores,
                  heads(launch, q),
                  heads(launch, k),
                  heads(launch, v),
                  Optional.empty(),
                  result));
      case Op.RopeAttend a ->
          attend(
              new Attention(
                  a.slot(),
                  a.scores(),
                  heads(launch, a.q()),
                  heads(launch, a.k()),
                  heads(launch, a.v()),
                  Optional.of(
                      turn(launch, a.positions(), a.frequencies(), a.pairing(), a.ropeScale())),
                  result));
      case Op.Rope(var x, var positions, var frequencies, var pairing, var scale) ->
          rope(launch, heads(launch, x), turn(launch, positions, frequencies, pairing, scale));
      case Op.ShortConv(var slot, var x, var w) ->
          shortConv(Convolution.of(slot, rows(launch, x), numbers(launch, w), result));
      case Op.DeltaRule d -> deltaRule(launch, d);
      case Op.Experts e -> experts(launch, e, result);
      case Op.Embed(var table, var ids) ->
          emitted(launch)
              .flatMap(e -> e.embed(weight(launch, table), ids))
              .orElseGet(() -> elementwise.embed(weight(launch, table), ids));
      default -> emitted(launch).flatMap(EmittedElementwise::bind).orElseGet(elementwise::bind);
    };
  }

  private Optional<EmittedElementwise> emitted(Launch launch) {
    return library.map(l -> new EmittedElementwise(memory, launch, l, scratch));
  }

  private BoundLaunch rope(Launch launch, Heads3d x, Turn turn) {
    return emitted(launch)
        .map(e -> e.rope(x, turn))
        .orElseGet(() -> new PortableElementwise(memory, launch).rope(x, turn));
  }

  private BoundLaunch experts(Launch launch, Op.Experts e, Rows2d result) {
    var mixture =
        new Mixture(
            e.routing(),
            new Mixture.Bank(
                weight(launch, e.gate()), weight(launch, e.up()), weight(launch, e.down()), e.fn()),
            rows(launch, e.x()),
            rows(launch, e.scores()),
            result);
    var next = paging.next(launch).map(memory::tensor);
    return library
        .flatMap(l -> paging.of(l, mixture, next, scratch, mostRows))
        .or(() -> library.flatMap(l -> EmittedExperts.of(l, mixture, scratch, mostRows)))
        .orElseGet(() -> new PortableExperts(mixture, scratch));
  }

  private BoundLaunch project(Launch launch, Op.Project p, Rows2d result) {
    var norm =
        switch (p.prologue()) {
          case Op.Prologue.None() -> Projection.Norm.NONE;
          case Op.Prologue.Norm(var w, var eps, var offset) ->
              new Projection.Norm(Projection.Norm.shifted(numbers(launch, w), offset), eps);
        };
    var after =
        switch (p.epilogue()) {
          case Op.Epilogue.None() -> new Projection.After.Nothing();
          case Op.Epilogue.Add(var residual) -> new Projection.After.Add(rows(launch, residual));
          case Op.Epilogue.Gate(var fn) -> new Projection.After.Gate(fn);
          case Op.Epilogue.Map(var fn) -> new Projection.After.Map(fn);
        };
    var weights = new ArrayList<Weights.Tensor>();
    for (var w : p.weights()) weights.add(weight(launch, w));
    var biases = new ArrayList<float[]>();
    for (var b : p.biases()) biases.add(numbers(launch, b));
    return project(
        new Projection(
            rows(launch, p.x()), norm, Projection.parts(weights, biases), after, result));
  }

  private BoundLaunch project(Projection projection) {
    return library
        .flatMap(l -> EmittedProject.of(l, projection, scratch, workers))
        .orElseGet(() -> new PortableProject(projection));
  }

  private BoundLaunch attend(Attention attention) {
    var stored = KvLayout.of(attention.slot(), kvType).encoding();
    return library
        .flatMap(l -> EmittedAttend.of(l, attention, stored, scratch, workers))
        .orElseGet(() -> new PortableAttend(attention));
  }

  private BoundLaunch shortConv(Convolution convolution) {
    return library
        .flatMap(l -> EmittedShortConv.of(l, convolution, scratch))
        .orElseGet(() -> new PortableShortConv(convolution));
  }

  private BoundLaunch deltaRule(Launch launch, Op.DeltaRule d) {
    var inputs =
        new Recurrence.Inputs(
            heads(launch, d.q()),
            heads(launch, d.k()),
            heads(launch, d.v()),
            rows(launch, d.decay()),
            rows(launch, d.beta()));
    var result = new Heads3d(memory, launch.result());
    var rule = new Recurrence(d.slot(), d.grouping(), inputs, result);
    return library
        .<BoundLaunch>map(l -> new EmittedDeltaRule(l.deltaRule(), rule, scratch))
        .orElseGet(() -> new PortableDeltaRule(rule));
  }

  private Turn turn(
      Launch launch, Value positions, Value frequencies, Op.Pairing pairing, float scale) {
    int sections = positions.type().rowElements();
    var table = ropes.of(launch.operand(frequencies), numbers(launch, frequencies), sections);
    return new Turn(table, pairing, scale);
  }

  private Rows2d rows(Launch launch, Value value) {
    return new Rows2d(memory, (Operand.View) launch.operand(value));
  }

  private Heads3d heads(Launch launch, Value value) {
    return new Heads3d(memory, (Operand.View) launch.operand(value));
  }

  private Weights.Tensor weight(Launch launch, Value value) {
    return memory.tensor((Operand.Weight) launch.operand(value));
  }

  /** A small operand that stays the same in every step. */
  private float[] numbers(Launch launch, Value value) {
    return memory.fixed(launch.operand(value));
  }

  /** The definition itself, run by the first worker. */
  BoundLaunch reference(Launch launch) {
    return new JavaLaunch() {
      @Override
      public void run(Step step, int phase, Worker worker) {
        if (worker.index() == 0) ReferenceKernels.run(launch, memory, step);
      }

      @Override
      public Service service() {
        return Service.REFERENCE;
      }

      @Override
      public String name() {
        return launch.op().mnemonic();
      }
    };
  }
}
