package weft.cuda;

import java.util.ArrayList;
import java.util.List;
import weft.backend.HostMemory;
import weft.backend.KvType;
import weft.cuda.driver.Driver;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.DeltaRule;
import weft.cuda.kernel.Elementwise;
import weft.cuda.kernel.Elementwise.Formula;
import weft.cuda.kernel.Norm;
import weft.cuda.kernel.Rope;
import weft.cuda.kernel.ShortConv;
import weft.cuda.kernel.Strided;
import weft.cuda.kernel.Turning;
import weft.cuda.ptx.PtxFunction;
import weft.ir.DType;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;
import weft.lir.Region;

/** Chooses the kernels of a program's launches and binds them to its memory. */
final class Binding {
  private final Driver driver;
  private final Kernels kernels;
  private final CudaWeights weights;
  private final HostMemory fixed;
  private final Program program;
  private final Memory step;
  private final StepArea area;
  private final KvType kvType;
  private final Memory scratch;
  private final Memory nowhere;
  private final Products products;
  private final Attention attention;
  private long scratchBytes;
  private long scratchUsed;
  private int counters;
  private Memory room;
  private long roomBytes;
  private List<Call> calls = new ArrayList<>();
  private List<String> names = new ArrayList<>();
  private List<Call> behind = new ArrayList<>();

  Binding(
      Driver driver,
      Kernels kernels,
      CudaWeights weights,
      HostMemory fixed,
      Program program,
      Memory step,
      Memory scratch,
      StepArea area,
      KvType kvType) {
    this.driver = driver;
    this.kernels = kernels;
    this.weights = weights;
    this.fixed = fixed;
    this.program = program;
    this.step = step;
    this.scratch = scratch;
    this.nowhere = new Memory(driver);
    this.room = nowhere;
    this.area = area;
    this.kvType = kvType;
    this.products = new Products(this, kernels);
    this.attention = new Attention(this, driver.properties().multiprocessors());
  }

  /**
   * A launch as it is told, and the kernels it takes.
   *
   * @param behind calls that wait for those before them, and so are no part of a graph
   */
  record Bound(List<Call> calls, List<String> kernels, List<Call> behind) {
    /** Whether something waits for its calls, so that they end a graph. */
    boolean isWaitedFor() {
      return !behind.isEmpty();
    }
  }

  Bound bind(Launch launch) {
    calls = new ArrayList<>();
    names = new ArrayList<>();
    behind = new ArrayList<>();
    scratchUsed = 0;
    var result = located(launch.result());
    switch (launch.op()) {
      case Op.Map(var fn, var x) ->
          elementwise(new Formula.Map(fn), result, List.of(operand(launch, x)));
      case Op.Scale(var x, var by) ->
          elementwise(new Formula.Scale(by), result, List.of(operand(launch, x)));
      case Op.SoftCap(var x, var cap) ->
          elementwise(new Formula.SoftCap(cap), result, List.of(operand(launch, x)));
      case Op.Cast(var x, _) -> copy(operand(launch, x), result);
      case Op.Zip(var bin, var a, var b) ->
          elementwise(
              new Formula.Zip(bin), result, List.of(operand(launch, a), spread(launch, b, a)));
      case Op.Glu(var fn, var gate, var up) ->
          elementwise(
              new Formula.Glu(fn), result, List.of(operand(launch, gate), operand(launch, up)));
      case Op.Heads(var x, _) -> copy(operand(launch, x), result);
      case Op.Merge(var x) -> copy(operand(launch, x), result);
      case Op.Slice(var x, var from, var to) -> {
        var whole = operand(launch, x).from(from);
        copy(withLast(whole, to - from), result);
      }
      case Op.Concat(var parts) -> {
        int at = 0;
        for (var part : parts) {
          copy(operand(launch, part), withLast(result.from(at), part.type().width()));
          at += part.type().width();
        }
      }
      case Op.Rows(var x, var rows) ->
          gather(operand(launch, x), list((Operand.Input) launch.operand(rows)), result);
      case Op.Embed(var table, var ids) ->
          products.embed(weight(launch, table), list((Operand.Input) launch.operand(ids)), result);
      case Op.Linear(var x, var w) ->
          products.linear(operand(launch, x), weight(launch, w), result);
      case Op.Project p -> products.project(launch, p, result);
      case Op.Experts e -> products.experts(launch, e, result);
      case Op.RmsNorm(var x, var w, var eps, var offset) ->
          norm(
              new Norm.Kind.Rms(eps, offset),
              List.of(operand(launch, x)),
              numbers(launch, w),
              result);
      case Op.AddNorm(var residual, var x, var w, var eps, var offset) ->
          norm(
              new Norm.Kind.Rms(eps, offset),
              List.of(operand(launch, x), operand(launch, residual)),
              numbers(launch, w),
              result);
      case Op.LayerNorm(var x, var w, var b, var eps) ->
          norm(
              new Norm.Kind.Layer(eps),
              List.of(operand(launch, x)),
              weights.numbers(fixed, List.of(launch.operand(w), launch.operand(b))),
              result);
      case Op.L2Norm(var x, var eps) ->
          norm(new Norm.Kind.Length(eps), List.of(operand(launch, x)), 0, result);
      case Op.Rope(var x, var positions, var frequencies, var pairing, var scale) ->
          rope(
              turning(positions, frequencies, pairing, scale),
              floats(operand(launch, x)),
              numbers(launch, frequencies),
              result);
      case Op.Attend(var slot, var q, var k, var v, var scores) ->
          attention.attend(launch, slot, scores, Attention.Turn.NONE, List.of(q, k, v), result);
      case Op.RopeAttend a ->
          attention.attend(
              launch,
              a.slot(),
              a.scores(),
              new Attention.Turn(
                  turning(a.positions(), a.frequencies(), a.pairing(), a.ropeScale()),
                  numbers(launch, a.frequencies())),
              List.of(a.q(), a.k(), a.v()),
              result);
      case Op.ShortConv(var slot, var x, var w) ->
          shortConv(slot, floats(operand(launch, x)), numbers(launch, w), result);
      case Op.DeltaRule d -> deltaRule(launch, d, result);
      case Op.Collective _, Op.Input _, Op.Weight _, Op.Constant _ ->
          throw new IllegalArgumentException(launch.op().mnemonic() + " is no launch");
    }
    return new Bound(List.copyOf(calls), List.copyOf(names), List.copyOf(behind));
  }

  private static Turning turning(
      Value positions, Value frequencies, Op.Pairing pairing, float scale) {
    int sections = positions.type().rowElements();
    return new Turning(frequencies.type().width() / sections, sections, pairing, scale);
  }

  /** Takes the memory that the launches bound so far need beside their buffers. */
  void allocate() {
    scratch.allocate(scratchBytes + (long) counters * Integer.BYTES);
    if (roomBytes > 0) room = weights.room(roomBytes);
  }

  // Where things are.

  Located located(Operand.View view) {
    var region = program.regions().get(view.buffer());
    if (region.lifetime() == Region.Lifetime.PROGRAM) {
      return fixed(view);
    }
    long at = region.offset() + (long) view.offset() * view.type().dtype().bytes();
    return new Located(step, at, view.type(), Strided.of(view.type(), view.strides()));
  }

  /** Numbers that no step changes, as float32 behind each other. */
  Located fixed(Operand operand) {
    var type = new Type(DType.F32, operand.type().dims());
    return new Located(nowhere, weights.numbers(fixed, operand), type, Strided.contiguous(type));
  }

  Located operand(Launch launch, Value value) {
    return switch (launch.operand(value)) {
      case Operand.View view -> located(view);
      case Operand.Weight w -> fixed(w);
      case Operand.Constant c -> fixed(c);
      case Operand.Input input ->
          throw new IllegalArgumentException(input.name() + " holds integers, not numbers");
    };
  }

  private Located spread(Launch launch, Value b, Value a) {
    var small = operand(launch, b);
    return new Located(
        small.memory(), small.offset(), a.type(), small.lie().spreadOver(b.type(), a.type()));
  }

  private static Located withLast(Located value, int width) {
    return new Located(
        value.memory(),
        value.offset(),
        value.type().withLast(width),
        value.type().rank() == 1 ? value.lie() : value.lie().withLast(width));
  }

  Operand.Weight weight(Launch launch, Value value) {
    return (Operand.Weight) launch.operand(value);
  }

  long numbers(Launch launch, Value value) {
    return weights.numbers(fixed, launch.operand(value));
  }

  CudaWeights weights() {
    return weights;
  }

  HostMemory host() {
    return fixed;
  }

  Bounds bounds() {
    return program.bounds();
  }

  StepArea area() {
    return area;
  }

  KvType kvType() {
    return kvType;
  }

  private long list(Operand.Input input) {
    return switch (input.name()) {
      case "tokens" -> area.tokens();
      case "positions" -> area.positions();
      case "wanted" -> area.wanted();
      default ->
          throw new IllegalArgumentException(
              "a step has tokens, positions and wanted rows, but no list " + input.name());
    };
  }

  /** Room for a value of this launch alone. */
  Located scratch(Type type) {
    long bytes = Region.bytes(type, program.bounds(), Driver.ALIGNMENT);
    return new Located(scratch, scratchBytes(bytes), type, Strided.contiguous(type));
  }

  /** Where so many bytes of the scratch begin. */
  long scratchBytes(long bytes) {
    long at = scratchUsed;
    scratchUsed += Math.ceilDiv(bytes, Driver.ALIGNMENT) * Driver.ALIGNMENT;
    scratchBytes = Math.max(scratchBytes, scratchUsed);
    return at;
  }

  Memory scratch() {
    return scratch;
  }

  /** A launch needs so many words that are zero before it, and leaves them so. */
  void needCounters(int count) {
    counters = Math.max(counters, count);
  }

  /** Makes them zero for the first launch. */
  void clearCounters() {
    if (counters > 0) clear(scratchBytes, (long) counters * Integer.BYTES);
  }

  /** Where they are: behind the scratch, for all launches in turn. */
  long counters() {
    return scratch.address() + scratchBytes;
  }

  /** A launch needs so many bytes of the {@link #room}. */
  void needRoom(long bytes) {
    roomBytes = Math.max(roomBytes, bytes);
  }

  /** What other programs over these weights have too, so that nothing stays there. */
  Memory room() {
    return room;
  }

  // What is told.

  /** Compiles a kernel with the others; it can be launched from calls. */
  Kernels.Wanted kernel(PtxFunction function) {
    names.add(function.name());
    return kernels.want(function);
  }

  void call(Call call) {
    calls.add(call);
  }

  /** The same of what leaves something in the {@link #room} for itself: nobody comes between. */
  void callInRoom(Call call) {
    calls.add(
        shape -> {
          synchronized (room) {
            call.tell(shape);
          }
        });
  }

  /** Something that is done behind the launch's calls, once for all that have to be waited for. */
  void callBehind(Call call) {
    behind.add(call);
  }

  /** The calls that are made meanwhile, which whoever asked tells when it is time. */
  List<Call> apart(Runnable binding) {
    var before = calls;
    calls = new ArrayList<>();
    try {
      binding.run();
      return List.copyOf(calls);
    } finally {
      calls = before;
    }
  }

  /** Makes bytes of the scratch zero. */
  void clear(long offset, long bytes) {
    driver.clear(scratch.address() + offset, bytes);
  }

  void launch(Kernels.Wanted kernel, Grid grid, long... arguments) {
    if (grid.x() > 0 && grid.y() > 0) driver.launch(kernel.function(), grid, arguments);
  }

  void elementwise(Formula formula, Located result, List<Located> values) {
    var kernel =
        kernel(
            new Elementwise(
                    formula, result.lie(), values.stream().map(Located::lie).toList(), false)
                .kernel());
    call(
        shape -> {
          int count = shape.elements(result.type());
          var arguments = new long[values.size() + 2];
          arguments[0] = result.address();
          for (int i = 0; i < values.size(); i++) arguments[i + 1] = values.get(i).address();
          arguments[values.size() + 1] = count;
          launch(kernel, threads(count), arguments);
        });
  }

  private static Grid threads(int count) {
    return Grid.of(Math.ceilDiv(count, Elementwise.THREADS), Elementwise.THREADS);
  }

  void copy(Located from, Located to) {
    elementwise(new Formula.Copy(), to, List.of(from));
  }

  /** The same as float32, copied if it is not. */
  Located floats(Located value) {
    if (value.type().dtype() == DType.F32) return value;
    var copy = scratch(new Type(DType.F32, value.type().dims()));
    copy(value, copy);
    return copy;
  }

  /** The same with its last axis in evenly spaced rows of float32, copied if they are not. */
  Located rows(Located value) {
    if (value.isRows()) return value;
    var copy = scratch(new Type(DType.F32, value.type().dims()));
    copy(value, copy);
    return copy;
  }

  void gather(Located from, long list, Located to) {
    var kernel =
        kernel(new Elementwise(new Formula.Copy(), to.lie(), List.of(from.lie()), true).kernel());
    call(
        shape -> {
          int count = shape.elements(to.type());
          launch(kernel, threads(count), to.address(), from.address(), list, count);
        });
  }

  void norm(Norm.Kind kind, List<Located> values, long weight, Located result) {
    var x = values.getFirst();
    var kernel =
        kernel(
            new Norm(
                    kind,
                    x.type().width(),
                    result.lie(),
                    values.stream().map(Located::lie).toList())
                .kernel());
    call(
        shape -> {
          var arguments = new ArrayList<>(List.of(result.address(), x.address()));
          if (!(kind instanceof Norm.Kind.Length)) arguments.add(weight);
          if (values.size() > 1) arguments.add(values.get(1).address());
          launch(
              kernel,
              Grid.of(x.groups(shape), Norm.THREADS),
              arguments.stream().mapToLong(Long::longValue).toArray());
        });
  }

  private void rope(Turning turning, Located x, long frequencies, Located result) {
    var kernel = kernel(new Rope(turning, result.lie(), x.lie()).kernel());
    call(
        shape -> {
          int count = shape.elements(x.type());
          launch(
              kernel,
              Grid.of(Math.ceilDiv(count, Rope.THREADS), Rope.THREADS),
              result.address(),
              x.address(),
              frequencies,
              area.positions(),
              count);
        });
  }

  private void shortConv(Slot.Conv slot, Located x, long weight, Located result) {
    var kernel = kernel(new ShortConv(slot, result.lie(), x.lie(), area.partBytes()).kernel());
    call(
        shape ->
            launch(
                kernel,
                Grid.of(
                    Math.ceilDiv(slot.channels(), ShortConv.THREADS),
                    shape.parts(),
                    ShortConv.THREADS),
                result.address(),
                x.address(),
                weight,
                area.parts(),
                area.slot(slot)));
  }

  private void deltaRule(Launch launch, Op.DeltaRule d, Located result) {
    var inputs = new ArrayList<Located>();
    for (var value : List.of(d.q(), d.k(), d.v(), d.decay(), d.beta())) {
      inputs.add(floats(operand(launch, value)));
    }
    var rule =
        new DeltaRule(
            d.slot(),
            d.k().type().dim(1).fixed(),
            d.grouping(),
            result.lie(),
            inputs.get(0).lie(),
            inputs.get(1).lie(),
            inputs.get(2).lie(),
            inputs.get(3).lie(),
            inputs.get(4).lie(),
            area.partBytes());
    var kernel = kernel(rule.kernel());
    call(
        shape ->
            launch(
                kernel,
                Grid.of(d.slot().heads(), shape.parts(), rule.threads()),
                result.address(),
                inputs.get(0).address(),
                inputs.get(1).address(),
                inputs.get(2).address(),
                inputs.get(3).address(),
                inputs.get(4).address(),
                area.parts(),
                area.slot(d.slot())));
  }
}
