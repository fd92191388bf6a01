package weft.load;

import java.util.stream.Stream;
import weft.backend.KvLayout;
import weft.backend.KvType;
import weft.backend.Step;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Value;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Stored;
import weft.quant.Encoding;

/**
 * What a launch cannot do without: the bytes of weights and of keys and values that it reads once,
 * and its multiplications and additions. Activations are small beside them and not counted.
 */
public record Work(double bytes, double operations) {
  public static final Work NONE = new Work(0, 0);

  public Work and(Work other) {
    return new Work(bytes + other.bytes, operations + other.operations);
  }

  static Work of(Launch launch, Step step, Stored stored, KvType kvType) {
    return switch (launch.op()) {
      case Op.Project p -> {
        var work = NONE;
        for (var weight : p.weights()) {
          work = work.and(product(weight, stored(launch, weight, stored), rows(p.x(), step)));
        }
        yield work;
      }
      case Op.Linear(var x, var weight) when launch.operand(weight) instanceof Operand.Weight ->
          product(weight, stored(launch, weight, stored), rows(x, step));
      case Op.Embed(var table, var ids) -> {
        long rowBytes = stored(launch, table, stored).bytes(table.type().width());
        yield new Work((double) rowBytes * rows(ids, step), 0);
      }
      case Op.Experts e -> {
        int rows = rows(e.x(), step);
        yield Stream.of(e.gate(), e.up(), e.down())
            .map(weight -> chosen(weight, stored(launch, weight, stored), e, rows))
            .reduce(NONE, Work::and);
      }
      case Op.Attend a -> attention(a.slot(), a.q(), step, kvType);
      case Op.RopeAttend a -> attention(a.slot(), a.q(), step, kvType);
      default -> NONE;
    };
  }

  private static Encoding stored(Launch launch, Value value, Stored stored) {
    return stored.encoding(((Operand.Weight) launch.operand(value)).name());
  }

  private static double elements(Value weight) {
    return (double) weight.type().dim(0).fixed() * weight.type().rowElements();
  }

  private static double bytes(Value weight, Encoding encoding) {
    int width = weight.type().width();
    return elements(weight) / width * encoding.bytes(width);
  }

  private static int rows(Value value, Step step) {
    return step.rows(value.type());
  }

  private static Work product(Value weight, Encoding encoding, int rows) {
    if (rows == 0) return NONE;
    return new Work(bytes(weight, encoding), 2 * elements(weight) * rows);
  }

  /** Rows may share experts: as few bytes as there can be, or all of them. */
  private static Work chosen(Value weight, Encoding encoding, Op.Experts e, int rows) {
    double experts = weight.type().dim(0).fixed();
    double uses = (double) rows * e.routing().used();
    double bytes = bytes(weight, encoding) / experts;
    return new Work(bytes * Math.min(uses, experts), 2 * elements(weight) / experts * uses);
  }

  private static Work attention(Slot.KeyValue slot, Value q, Step step, KvType kvType) {
    double read = 0;
    double met = 0;
    for (var part : step.parts()) {
      int position = part.state().position();
      read += Math.min(slot.window(), position + part.rows());
      for (int row = 0; row < part.rows(); row++) {
        met += Math.min(slot.window(), position + row + 1);
      }
      // Rows of a block see those behind them, too.
      for (var block : part.blocks()) {
        double rows = block.to() - block.from();
        met += rows * (rows - 1) / 2;
      }
    }
    var encoding = KvLayout.of(slot, kvType).encoding();
    double perPosition = encoding.bytes(slot.keyDim()) + encoding.bytes(slot.valueDim());
    int heads = q.type().dim(1).fixed();
    return new Work(
        read * slot.heads() * perPosition, 2 * met * heads * (slot.keyDim() + slot.valueDim()));
  }
}
