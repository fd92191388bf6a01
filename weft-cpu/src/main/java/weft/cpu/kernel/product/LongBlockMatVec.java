package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;

import java.util.Arrays;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.LongBlockCode;

/**
 * One activation row against packed rows of 256-value blocks in 512 bits, a block a step.
 *
 * <p>What a block comes to is a whole number, as in {@link LongBlockRows} and for the same reason:
 * each group of 64 products is multiplied by the scales of its runs, whole numbers too, which it
 * takes from a vector of sixteen. It becomes a float once, a lane a stream.
 */
public final class LongBlockMatVec {
  private static final int GROUPS = 4;
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_SUM = RDX;
  private static final Gpr STEPS = RAX;

  /** In the scratch memory: products of minimums, of each stream. */
  private static final int MINIMUM_BYTES = 32;

  /** Makes the code of a format with the registers it may take. */
  public interface Format {
    LongBlockCode code(KernelWriter w, Registers registers);
  }

  private final KernelWriter w;
  private final LongBlockCode code;
  private final ByteDot dot;
  private final StreamTotals totals;

  /** The results, a lane a stream. */
  private final Vec results;

  /** What the streams' blocks come to, each in sixteen parts. */
  private final Vec[] integers;

  private final Vec[] x;
  private final Vec[] start;
  private final Vec[] choice;
  private final Vec scales;
  private final Vec[] bytes;
  private final Vec products;

  /** The sums of the activations that minimums multiply. */
  private final Operand sums;

  private LongBlockMatVec(KernelWriter w, Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    results = registers.take();
    integers = registers.take(RowStreams.STREAMS);
    x = registers.take(GROUPS);
    choice = registers.take(GROUPS);
    scales = registers.take();
    bytes = registers.take(2);
    products = registers.take();
    code = format.code(w, registers);
    dot = ByteDot.of(w, registers, code.highest());
    start = code.zero() == 0 ? new Vec[0] : registers.take(GROUPS);
    sums = code.hasMinimums() && code.run() == 16 ? bytes[1].y() : at(X_SUM);
    totals = new StreamTotals(w, products);
  }

  static void emit(KernelWriter w, String name, Format format) {
    w.begin(name);
    BlockCode.masks(w);
    var kernel = new LongBlockMatVec(w, format);
    kernel.choices();
    new RowStreams(w, kernel.results).emit(kernel::rows);
    w.end();
  }

  /** Which of sixteen scales each lane of a register takes. */
  private void choices() {
    for (int register = 0; register < GROUPS; register++) {
      var lanes = new int[16];
      for (int lane = 0; lane < 16; lane++) {
        lanes[lane] = firstValue(register, lane) / code.run();
      }
      w.load(choice[register], at(w.assembler().ints("scalesOf" + register, lanes)));
    }
  }

  /** The first of the four values in a lane, as the order of the format lays them. */
  private int firstValue(int register, int lane) {
    int half = 128 * (register / 2);
    int second = register % 2;
    int quarter = lane / 4;
    int inQuarter = lane % 4 * 4;
    return half
        + switch (code.order()) {
          case NATURAL -> 64 * second + 16 * quarter + inQuarter;
          case RUNS -> 64 * (quarter / 2) + 32 * second + 16 * (quarter % 2) + inQuarter;
          case HALF_RUNS -> 32 * quarter + 16 * second + inQuarter;
        };
  }

  private Activations.Sums kept() {
    return code.run() == 32 ? Activations.Sums.WSUM : Activations.Sums.CSUM16;
  }

  private void rows(int streams) {
    var step = w.label("step");
    w.zero(results);
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(LEA, X_SCALE, at(X, STEPS, 1));
    w.op(SHR, STEPS, imm(3));
    w.op(IMUL, X_SUM, STEPS, imm(kept().eighths()));
    w.op(ADD, X_SUM, X_SCALE);
    w.op(SHR, STEPS, imm(5));
    w.loop(step);
    activations();
    for (int i = 0; i < streams; i++) {
      var place = Place.of(RowStreams.POINTERS.get(i));
      w.note("stream " + i);
      RowStreams.prefetch(w, place, code.blockBytes());
      block(i, place);
    }
    finish(streams);
    for (int i = 0; i < streams; i++) {
      w.op(ADD, RowStreams.POINTERS.get(i), imm(code.blockBytes()));
    }
    w.op(ADD, X, imm(LongBlockCode.VALUES));
    w.op(ADD, X_SCALE, imm(LongBlockCode.VALUES / 8));
    w.op(ADD, X_SUM, imm(LongBlockCode.VALUES / kept().valuesPerByte()));
    w.op(DEC, STEPS);
    w.op(JNE, step);
  }

  /** What the rows in flight share: the activations, and what makes bytes signed again. */
  private void activations() {
    for (int half = 0; half < 2; half++) {
      var first = x[2 * half];
      var second = x[2 * half + 1];
      w.load(first, at(X, 128 * half));
      w.load(second, at(X, 128 * half + 64));
      if (code.order() != LongBlockCode.Order.NATURAL) {
        w.op(VSHUFI32X4, products, first, second, imm(code.order().first()));
        w.op(VSHUFI32X4, second, first, second, imm(code.order().second()));
        w.move(first, products);
      }
    }
    if (code.zero() == 0) {
      return;
    }
    w.everywhere(bytes[0], "zeros", 0x01010101 * code.zero());
    w.zero(products);
    for (int register = 0; register < GROUPS; register++) {
      w.zero(start[register]);
      dot.add(start[register], bytes[0], x[register]);
      if (sharesScales()) {
        dot.add(start[register], bytes[0], x[++register]);
        w.op(VPSUBD, start[register - 1], products, start[register - 1]);
      } else {
        w.op(VPSUBD, start[register], products, start[register]);
      }
    }
  }

  private void block(int stream, Place block) {
    var sum = integers[stream];
    code.words(scales.y(), bytes[0].y(), block);
    if (code.hasMinimums()) {
      minimums(stream);
    }
    if (code.run() == 16) {
      w.op(VPMOVSXWD, scales, scales.y());
    } else {
      w.op(VPMOVSXWD, scales.y(), scales.x());
    }
    for (int half = 0; half < 2; half++) {
      code.bytes128(bytes[0], bytes[1], half, block);
      begin(2 * half);
      dot.add(products, bytes[0], x[2 * half]);
      if (!sharesScales()) {
        scaleAndAdd(sum, 2 * half, bytes[0]);
        begin(2 * half + 1);
      }
      dot.add(products, bytes[1], x[2 * half + 1]);
      scaleAndAdd(sum, 2 * half + 1, bytes[1]);
    }
  }

  /** The minimums of a block, words in {@code bytes[0]}, times the sums of the activations. */
  private void minimums(int stream) {
    var minimums = code.run() == 32 ? bytes[0].x() : bytes[0].y();
    if (sums instanceof Vec words) {
      RowLayout.sixteenWords(w, words, X_SUM);
    }
    w.op(VPMADDWD, minimums, minimums, sums);
    w.store(products(stream), minimums);
  }

  private static Mem products(int stream) {
    return at(SCRATCH, MINIMUM_BYTES * stream);
  }

  /** True where both registers of 128 values have the same scales, lane by lane. */
  private boolean sharesScales() {
    return code.order() == LongBlockCode.Order.HALF_RUNS;
  }

  private void begin(int register) {
    if (code.zero() == 0) {
      w.zero(products);
    } else {
      w.move(products, start[register]);
    }
  }

  /** Bytes that were taken as a multiple of themselves are whole multiples still. */
  private void scaleAndAdd(Vec sum, int register, Vec spare) {
    if (register % 2 == 1 && code.secondTimes() != 1) {
      w.op(VPSRAD, products, products, imm(Integer.numberOfTrailingZeros(code.secondTimes())));
    }
    w.op(VPERMD, spare, choice[register], scales);
    boolean isFirst = register == (sharesScales() ? 1 : 0);
    w.op(VPMULLD, isFirst ? sum : products, products, spare);
    if (!isFirst) {
      w.op(VPADDD, sum, sum, products);
    }
  }

  /** What the blocks came to joins the results, as floats. */
  private void finish(int streams) {
    var total = integers[0];
    totals.ofQuarters(total, Arrays.copyOf(integers, streams));
    w.op(VEXTRACTI64X4, products.y(), total, imm(1));
    w.op(VPADDD, total.y(), total.y(), products.y());
    w.op(VEXTRACTI32X4, products.x(), total.y(), imm(1));
    w.op(VPADDD, total.x(), total.x(), products.x());
    join(total.x(), code.unit(), streams);
    if (code.hasMinimums()) {
      var some = new Vec[streams];
      for (int i = 0; i < streams; i++) {
        some[i] = code.run() == 32 ? integers[i].x() : integers[i].y();
        w.load(some[i], products(i));
      }
      new StreamTotals(w, new Vec(products.number(), some[0].bits())).ofQuarters(some[0], some);
      if (code.run() == 16) {
        w.op(VEXTRACTI32X4, products.x(), some[0], imm(1));
        w.op(VPADDD, total.x(), total.x(), products.x());
      }
      join(total.x(), code.minimumUnit(), streams);
    }
  }

  /** Whole numbers of units, half floats in the blocks, times the scale of the activations. */
  private void join(Vec numbers, int unit, int streams) {
    var units = bytes[0].x();
    w.op(VCVTDQ2PS, numbers, numbers);
    w.zero(units);
    for (int i = 0; i < streams; i++) {
      w.op(VPINSRW, units, units, Place.of(RowStreams.POINTERS.get(i)).at(unit), imm(i));
    }
    w.op(VCVTPH2PS, units, units);
    w.op(VMULPS, units, units, at(X_SCALE).each());
    w.op(VFMADD231PS, results.x(), numbers, units);
  }
}
