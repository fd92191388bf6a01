package weft.cuda;

import java.util.List;
import java.util.stream.LongStream;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.Elementwise.Formula;
import weft.cuda.kernel.Mix;
import weft.cuda.kernel.Route;
import weft.cuda.kernel.Strided;
import weft.cuda.product.Product;
import weft.cuda.product.Product.Finish;
import weft.cuda.product.RowLayout;
import weft.ir.Dim;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Type;
import weft.lir.Launch;
import weft.lir.Operand;

/**
 * A mixture of experts: routing, products of each use of an expert, their sum. Experts lie behind
 * each other, all of them, or those in slots, which then are gone through in rounds.
 */
final class ExpertProducts {
  private final Binding binding;
  private final Products products;
  private final Op.Experts op;
  private final Located x;
  private final int used;
  private final long uses;

  /**
   * Where in the scratch the expert of each use is, by number, and by slot where they have some.
   */
  private final long chosen;

  private final long placed;

  ExpertProducts(Binding binding, Products products, Launch launch, Op.Experts op) {
    this.binding = binding;
    this.products = products;
    this.op = op;
    this.x = products.aligned(binding.operand(launch, op.x()));
    this.used = op.routing().used();
    this.uses = (long) binding.bounds().tokens() * used;
    this.chosen = binding.scratchBytes(uses * Integer.BYTES);
    boolean hasSlots = binding.weights().slots().isPresent();
    this.placed = hasSlots ? binding.scratchBytes(uses * Integer.BYTES) : 0;
  }

  /** A row for each use of an expert, in the scratch. */
  private record Uses(long offset, int width) {}

  /**
   * Experts of a weight, as kernels find them.
   *
   * @param first where the first is
   * @param each from one to the next
   * @param list where each use's number is
   */
  private record Experts(Operand.Weight weight, long first, long each, long list) {}

  void bind(Launch launch, Located result) {
    var scores = binding.floats(binding.operand(launch, op.scores()));
    int width = op.x().type().width();
    int inner = op.gate().type().dim(1).fixed();
    long counts = binding.scratchBytes(uses * Float.BYTES);
    var hidden = new Uses(binding.scratchBytes(uses * inner * Float.BYTES), inner);
    var said = new Uses(binding.scratchBytes(uses * width * Float.BYTES), width);
    var route =
        binding.kernel(new Route(op.routing(), op.scores().type().width(), scores.lie()).kernel());
    binding.call(
        shape ->
            binding.launch(
                route,
                Grid.of(x.groups(shape), 32),
                binding.scratch().address() + chosen,
                binding.scratch().address() + counts,
                scores.address()));
    var gate = binding.weight(launch, op.gate());
    var slots = binding.weights().slots();
    var layer = slots.flatMap(all -> all.layer(binding.host().tensor(gate).name()));
    if (layer.isEmpty()) {
      multiply(launch, hidden, said, List.of());
      mix(result, said, counts);
      return;
    }
    var round = binding.apart(() -> multiply(launch, hidden, said, layer.get().parts()));
    var end = binding.apart(() -> mix(result, said, counts));
    binding.callBehind(
        shape -> {
          long base = binding.scratch().address();
          slots
              .orElseThrow()
              .visit(
                  layer.get(),
                  base + chosen,
                  x.groups(shape) * used,
                  base + placed,
                  () -> round.forEach(call -> call.tell(shape)));
          end.forEach(call -> call.tell(shape));
        });
  }

  /**
   * The products of all uses, or of those in a round.
   *
   * @param parts of a slot: gate, up and down; none where all experts are there
   */
  private void multiply(Launch launch, Uses hidden, Uses said, List<ExpertSlots.Part> parts) {
    var gate = experts(binding.weight(launch, op.gate()), parts, 0);
    var up = experts(binding.weight(launch, op.up()), parts, 1);
    var down = experts(binding.weight(launch, op.down()), parts, 2);
    int inner = hidden.width;
    if (products.isAlike(gate.weight, up.weight)) {
      ofRows(List.of(gate, up), new Finish.Gate(op.fn()), hidden);
    } else {
      var ups = new Uses(binding.scratchBytes(uses * inner * Float.BYTES), inner);
      // All uses are gated, those of later rounds by numbers that nobody reads.
      if (!parts.isEmpty()) {
        clear(hidden);
        clear(ups);
      }
      ofRows(List.of(gate), new Finish.None(), hidden);
      ofRows(List.of(up), new Finish.None(), ups);
      glu(op.fn(), hidden, ups);
    }
    ofHidden(down, hidden, said);
  }

  private void clear(Uses rows) {
    binding.call(shape -> binding.clear(rows.offset, bytes(shape, rows)));
  }

  private long bytes(Shape shape, Uses rows) {
    return (long) x.groups(shape) * used * rows.width * Float.BYTES;
  }

  private Experts experts(Operand.Weight weight, List<ExpertSlots.Part> parts, int number) {
    if (!parts.isEmpty()) {
      var slots = binding.weights().slots().orElseThrow();
      return new Experts(weight, slots.address(parts.get(number)), slots.slotBytes(), placed);
    }
    int columns = weight.type().width();
    int rows = weight.type().dim(1).fixed();
    long each = (long) rows * RowLayout.of(products.encoding(weight), columns).rowBytes();
    return new Experts(weight, products.packed(List.of(weight)), each, chosen);
  }

  /** Gates as many elements as all uses have. */
  private void glu(Fn fn, Uses gates, Uses ups) {
    var type = Type.f32(x.type().dim(0), Dim.of(used * x.groupsARow()), Dim.of(gates.width));
    var lie = Strided.contiguous(type);
    var gate = new Located(binding.scratch(), gates.offset, type, lie);
    binding.elementwise(
        new Formula.Glu(fn),
        gate,
        List.of(gate, new Located(binding.scratch(), ups.offset, type, lie)));
  }

  /** Each use's own product of its row of x; of two weights where they are gated. */
  private void ofRows(List<Experts> weights, Finish finish, Uses out) {
    var first = weights.getFirst();
    long second = weights.size() > 1 ? weights.getLast().first : 0;
    var kernel = kernel(first.weight, x.type().width(), out.width, finish);
    binding.call(
        shape ->
            launch(
                kernel,
                shape,
                List.of(first.first, second, x.address(), (long) x.groupStride()),
                out,
                first,
                used));
  }

  /** Each use's own product of its own row. */
  private void ofHidden(Experts down, Uses in, Uses out) {
    var kernel = kernel(down.weight, in.width, out.width, new Finish.None());
    binding.call(
        shape -> {
          long rows = binding.scratch().address() + in.offset;
          launch(kernel, shape, List.of(down.first, 0L, rows, (long) in.width), out, down, 1);
        });
  }

  private Products.Bound kernel(Operand.Weight weight, int columns, int outputs, Finish finish) {
    return products.chosen(new Product(products.encoding(weight), columns, outputs, finish));
  }

  /**
   * Launches with the arguments that all products have, and those of experts behind them.
   *
   * @param usesARow of the activations
   */
  private void launch(
      Products.Bound kernel,
      Shape shape,
      List<Long> from,
      Uses out,
      Experts experts,
      int usesARow) {
    int count = x.groups(shape) * used;
    long base = binding.scratch().address();
    var arguments =
        LongStream.concat(
            from.stream().mapToLong(Long::longValue),
            LongStream.of(
                base + out.offset,
                out.width,
                0,
                0,
                0,
                0,
                count,
                base + experts.list,
                experts.each,
                experts.each,
                usesARow));
    binding.launch(kernel.wanted(), kernel.kernel().grid(count), arguments.toArray());
  }

  private void mix(Located result, Uses said, long counts) {
    var kernel = binding.kernel(new Mix(used, said.width, result.lie()).kernel());
    binding.call(
        shape -> {
          int count = shape.elements(result.type());
          binding.launch(
              kernel,
              Grid.of(Math.ceilDiv(count, Mix.THREADS), Mix.THREADS),
              result.address(),
              binding.scratch().address() + said.offset,
              binding.scratch().address() + counts,
              count);
        });
  }
}
