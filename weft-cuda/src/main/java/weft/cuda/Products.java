package weft.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import weft.cuda.Kernels.Said;
import weft.cuda.kernel.Elementwise.Formula;
import weft.cuda.product.Meeting;
import weft.cuda.product.Product;
import weft.cuda.product.Product.Finish;
import weft.cuda.product.ProductKernel;
import weft.cuda.product.ProductKernels;
import weft.cuda.product.RowLayout;
import weft.ir.DType;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Type;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.quant.Encoding;

/** Products of rows with tensors: projections, embeddings, experts. */
final class Products {
  private static final int VECTOR_BYTES = 16;

  private final Binding binding;
  private final Kernels known;

  Products(Binding binding, Kernels known) {
    this.binding = binding;
    this.known = known;
  }

  /** Rows of activations that weights meet as floats or bytes; of more, tensor cores have them. */
  private static final int FEW = 4;

  /** A kernel, compiled with its program's others, and its grids. */
  record Bound(Kernels.Wanted wanted, ProductKernel kernel, int rows) {}

  /**
   * A kernel for up to so many rows.
   *
   * @param halves what makes activations what it takes
   * @param unpacked what makes weights what it takes
   */
  private record Service(Bound kernel, Optional<Halves> halves, Optional<Halves> unpacked) {
    int rows() {
      return kernel.rows;
    }
  }

  private record Halves(Bound kernel, long bytes) {}

  private Bound bound(Said said, int rows, Supplier<ProductKernel> writer) {
    var kernel = known.product(said, writer);
    return new Bound(binding.kernel(kernel.function()), kernel, rows);
  }

  private Service few(Product product, int rows) {
    var kernel =
        bound(new Said("few", product, rows), rows, () -> ProductKernels.few(product, rows));
    return new Service(kernel, Optional.empty(), Optional.empty());
  }

  private Service some(Product product, int rows, int most) {
    var halves =
        bound(new Said("halves", product, rows), rows, () -> ProductKernels.halves(product, rows));
    var kernel =
        bound(new Said("some", product, rows), rows, () -> ProductKernels.some(product, rows));
    long bytes = ProductKernels.halvesBytes(product, rows, most);
    return new Service(kernel, Optional.of(new Halves(halves, bytes)), Optional.empty());
  }

  /** Packed weights become halves in the room of all programs, and are multiplied from there. */
  private Service unpacked(Product product, int most) {
    var unpack =
        bound(
            new Said("halves of", product, 0),
            product.rowsOfWeights(),
            () -> ProductKernels.halvesOfWeights(product));
    long bytes = ProductKernels.halvesOfWeightsBytes(product);
    binding.needRoom(bytes);
    var many = many(product.ofHalves(), most);
    return new Service(many.kernel, many.halves, Optional.of(new Halves(unpack, bytes)));
  }

  private Service many(Product product, int most) {
    var halves = bound(new Said("halves", product, 0), most, () -> ProductKernels.halves(product));
    var kernel =
        bound(
            new Said("many", product, most),
            most,
            () ->
                known.isForHopper()
                    ? ProductKernels.manyOnHopper(product, most)
                    : ProductKernels.many(product, most));
    long bytes = ProductKernels.halvesBytes(product, most);
    return new Service(kernel, Optional.of(new Halves(halves, bytes)), Optional.empty());
  }

  /** A product of each use of an expert. */
  Bound chosen(Product product) {
    return bound(new Said("chosen", product, 1), 1, () -> ProductKernels.chosen(product));
  }

  /** Programs of more rows are a prompt's: kernels of few rows at once are not made for them. */
  private boolean isDecode() {
    return binding.bounds().tokens() <= ProductKernels.SOME;
  }

  /**
   * For every number of rows that a step of the program can have.
   *
   * @param most that it can have
   * @param unpacks whether packed weights become halves for many rows
   */
  private List<Service> services(Product product, int most, boolean unpacks) {
    var services = new ArrayList<Service>();
    boolean isHalved = ProductKernels.takesHalves(product);
    int few = isHalved ? FEW : ProductKernels.FEW;
    for (int rows = 1; rows <= few; rows *= 2) {
      boolean isEnough = rows >= most;
      boolean isMade = isDecode() || rows == 1 || !isHalved && rows == few;
      if (isMade || isEnough) {
        services.add(few(product, rows));
      }
      if (isEnough) return services;
    }
    if (!isHalved) return services;
    if (!isDecode()) {
      services.add(unpacks ? unpacked(product, most) : many(product, most));
      return services;
    }
    for (int rows = 16; rows <= ProductKernels.SOME; rows *= 2) {
      services.add(some(product, rows, most));
      if (rows >= most) break;
    }
    return services;
  }

  private static Service serving(List<Service> services, int rows) {
    for (var service : services) if (service.rows() >= rows) return service;
    return services.getLast();
  }

  Encoding encoding(Operand.Weight weight) {
    return binding.host().tensor(weight).encoding();
  }

  long packed(List<Operand.Weight> weights) {
    return binding.weights().packed(binding.host(), weights);
  }

  private static Type floats(Type type) {
    return new Type(DType.F32, type.dims());
  }

  /** Rows of a table. */
  void embed(Operand.Weight table, long ids, Located result) {
    var out = result.isRows() ? result : binding.scratch(floats(result.type()));
    var encoding = encoding(table);
    int width = table.type().width();
    var kernel =
        bound(new Said("unpack", encoding, width), 1, () -> ProductKernels.unpack(encoding, width));
    long rows = packed(List.of(table));
    binding.call(
        shape -> {
          int count = out.groups(shape);
          binding.launch(
              kernel.wanted,
              kernel.kernel.grid(count),
              rows,
              ids,
              out.address(),
              out.groupStride(),
              count);
        });
    if (out != result) binding.copy(out, result);
  }

  void linear(Located x, Operand.Weight w, Located result) {
    var out = result.isRows() ? result : binding.scratch(floats(result.type()));
    product(new In(aligned(x)), List.of(w), List.of(), List.of(), out, new Finish.None());
    if (out != result) binding.copy(out, result);
  }

  /** The same in rows that vectors of four can be loaded from. */
  Located aligned(Located x) {
    var rows = binding.rows(x);
    boolean isAligned =
        rows.offset() % VECTOR_BYTES == 0 && rows.groupStride() * Float.BYTES % VECTOR_BYTES == 0;
    if (isAligned || rows.type().width() % 4 != 0) return rows;
    var copy = binding.scratch(floats(x.type()));
    binding.copy(rows, copy);
    return copy;
  }

  /**
   * Rows that products take.
   *
   * @param norm what a product of a few rows does to them first, with these weights
   */
  private record In(Located rows, Optional<Product.Norm> norm, long weights) {
    In(Located rows) {
      this(rows, Optional.empty(), 0);
    }
  }

  void project(Launch launch, Op.Project p, Located result) {
    var x = binding.operand(launch, p.x());
    var in =
        switch (p.prologue()) {
          case Op.Prologue.None() -> new In(aligned(x));
          case Op.Prologue.Norm(var w, var eps, var offset) ->
              new In(
                  aligned(x),
                  Optional.of(new Product.Norm(eps, offset)),
                  binding.numbers(launch, w));
        };
    var out = result.isRows() ? result : binding.scratch(floats(result.type()));
    switch (p.epilogue()) {
      case Op.Epilogue.None() -> side(launch, p, in, out, List.of());
      case Op.Epilogue.Add(var residual) ->
          side(launch, p, in, out, List.of(binding.rows(binding.operand(launch, residual))));
      case Op.Epilogue.Gate(var fn) -> gated(launch, p, in, fn, out);
      case Op.Epilogue.Map _ -> throw new AssertionError("the device takes none of these");
    }
    if (out != result) binding.copy(out, result);
  }

  /** All outputs side by side; neighbours of one encoding in one launch. */
  private void side(Launch launch, Op.Project p, In in, Located out, List<Located> residual) {
    int at = 0;
    for (int i = 0; i < p.weights().size(); ) {
      var group = new ArrayList<Operand.Weight>();
      var biases = new ArrayList<Operand>();
      int column = at;
      do {
        group.add(binding.weight(launch, p.weights().get(i)));
        if (!p.biases().isEmpty()) biases.add(launch.operand(p.biases().get(i)));
        at += p.weights().get(i).type().dim(0).fixed();
        i++;
      } while (i < p.weights().size()
          && isAlike(group.getFirst(), binding.weight(launch, p.weights().get(i))));
      product(
          in,
          group,
          biases,
          residual.stream().map(r -> r.from(column)).toList(),
          out.from(column),
          residual.isEmpty() ? new Finish.None() : new Finish.Add());
    }
  }

  boolean isAlike(Operand.Weight a, Operand.Weight b) {
    return encoding(a).equals(encoding(b));
  }

  private void gated(Launch launch, Op.Project p, In in, Fn fn, Located out) {
    var gate = binding.weight(launch, p.weights().get(0));
    var up = binding.weight(launch, p.weights().get(1));
    var biases = new ArrayList<Operand>();
    for (var bias : p.biases()) biases.add(launch.operand(bias));
    if (isAlike(gate, up)) {
      product(in, List.of(gate, up), biases, List.of(), out, new Finish.Gate(fn));
      return;
    }
    var gates = binding.scratch(floats(out.type()));
    var ups = binding.scratch(floats(out.type()));
    var first = biases.isEmpty() ? List.<Operand>of() : List.of(biases.get(0));
    var second = biases.isEmpty() ? List.<Operand>of() : List.of(biases.get(1));
    product(in, List.of(gate), first, List.of(), gates, new Finish.None());
    product(in, List.of(up), second, List.of(), ups, new Finish.None());
    binding.elementwise(new Formula.Glu(fn), out, List.of(gates, ups));
  }

  /**
   * @param weights of one encoding; with a gate, the gate's and the other's
   */
  private void product(
      In in,
      List<Operand.Weight> weights,
      List<Operand> biases,
      List<Located> residual,
      Located out,
      Finish finish) {
    int columns = in.rows.type().width();
    int rowsOfWeights = weights.stream().mapToInt(w -> w.type().dim(0).fixed()).sum();
    boolean isGated = finish instanceof Finish.Gate;
    int outputs = isGated ? rowsOfWeights / 2 : rowsOfWeights;
    var encoding = encoding(weights.getFirst());
    var product = new Product(encoding, columns, outputs, finish, in.norm);
    // Of a prompt's rows few are wanted: too few for halves of a whole vocabulary.
    boolean unpacks = known.unpacks(product, in.rows.groups(binding.bounds()));
    int mostRows = binding.bounds().tokens() * in.rows.groupsARow();
    var services = services(product, mostRows, unpacks);
    var room = services.stream().flatMap(s -> s.halves.stream()).mapToLong(Halves::bytes).max();
    long halves = room.isPresent() ? binding.scratchBytes(room.getAsLong()) : 0;
    var meetings = services.stream().map(s -> s.kernel.kernel.meeting(mostRows)).toList();
    long parts = binding.scratchBytes(meetings.stream().mapToLong(Meeting::bytes).max().orElse(0));
    meetings.forEach(meeting -> binding.needCounters(meeting.counters()));
    long w = packed(weights);
    // From the gate's weights to the other's, as they are kept and as halves.
    long toUp = (long) outputs * RowLayout.of(encoding, columns).rowBytes();
    long toUpHalves = (long) outputs * columns * Short.BYTES;
    long bias = biases.isEmpty() ? 0 : binding.weights().numbers(binding.host(), biases);
    long upBias = isGated && bias != 0 ? bias + (long) outputs * Float.BYTES : 0;
    boolean hasRoom = services.stream().anyMatch(service -> service.unpacked.isPresent());
    Consumer<Call> telling = hasRoom ? binding::callInRoom : binding::call;
    telling.accept(
        shape -> {
          int rows = in.rows.groups(shape);
          var service = serving(services, rows);
          boolean isUnpacked = service.unpacked.isPresent();
          long weight = isUnpacked ? binding.room().address() : w;
          long up = isGated ? weight + (isUnpacked ? toUpHalves : toUp) : 0;
          if (isUnpacked) unpack(service.unpacked.get().kernel, w, weight);
          long x = in.rows.address();
          if (service.halves.isPresent()) {
            x = binding.scratch().address() + halves;
            halve(service.halves.get().kernel, in, x, rows);
          }
          var arguments =
              LongStream.of(
                  weight,
                  up,
                  x,
                  in.rows.groupStride(),
                  out.address(),
                  out.groupStride(),
                  bias,
                  upBias,
                  residual.isEmpty() ? 0 : residual.getFirst().address(),
                  residual.isEmpty() ? 0 : residual.getFirst().groupStride(),
                  rows);
          boolean isNormed = in.norm.isPresent() && service.halves.isEmpty();
          if (isNormed) arguments = LongStream.concat(arguments, LongStream.of(in.weights));
          var kernel = service.kernel;
          if (kernel.kernel.meeting(rows).counters() > 0) {
            var met = LongStream.of(binding.scratch().address() + parts, binding.counters());
            arguments = LongStream.concat(arguments, met);
          }
          binding.launch(kernel.wanted, kernel.kernel.grid(rows), arguments.toArray());
        });
  }

  private void unpack(Bound kernel, long weight, long to) {
    binding.launch(kernel.wanted, kernel.kernel.grid(kernel.rows), weight, to, kernel.rows);
  }

  private void halve(Bound kernel, In in, long to, int rows) {
    var arguments = LongStream.of(in.rows.address(), in.rows.groupStride(), to, rows);
    if (in.norm.isPresent()) arguments = LongStream.concat(arguments, LongStream.of(in.weights));
    binding.launch(kernel.wanted, kernel.kernel.grid(rows), arguments.toArray());
  }

  void experts(Launch launch, Op.Experts e, Located result) {
    new ExpertProducts(binding, this, launch, e).bind(launch, result);
  }
}
