package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.product.LongBlockSteps.X;
import static weft.cpu.kernel.product.LongBlockSteps.X_CSUM16;
import static weft.cpu.kernel.product.LongBlockSteps.X_NSUM;
import static weft.cpu.kernel.product.LongBlockSteps.X_SCALE;

import java.util.Arrays;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.LongBlockCode;
import weft.cpu.kernel.format.MinimumsApart;
import weft.cpu.kernel.product.LongBlockSteps.Sums;

/**
 * One activation row against packed rows of 256-value blocks in 512 bits, a block a step.
 *
 * <p>The scales of the weights' runs and of the activations meet first, sixteen at a time, and each
 * group of 64 products then takes its own from that vector. Minimums multiply the activations' sums
 * in the upper half of the same vector, or in one of their own where there are sixteen.
 */
public final class LongBlockMatVec {
  private static final int GROUPS = 4;

  /** Makes the code of a format with the registers it may take. */
  public interface Format {
    LongBlockCode code(KernelWriter w, Registers registers);
  }

  private final KernelWriter w;
  private final LongBlockCode code;
  private final ByteDot dot;
  private final Vec[] sums;
  private final Vec[] x;
  private final Vec[] start;
  private final Vec[] choice;
  private final Vec factors;
  private final Vec nsums;
  private final Vec scales;
  private final Vec[] bytes;
  private final Vec products;

  private LongBlockMatVec(KernelWriter w, Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    sums = registers.take(RowStreams.STREAMS);
    x = registers.take(GROUPS);
    choice = registers.take(GROUPS);
    factors = registers.take();
    scales = registers.take();
    bytes = registers.take(2);
    products = registers.take();
    code = format.code(w, registers);
    dot = ByteDot.of(w, registers, code.highest());
    start = code.zero() == 0 ? new Vec[0] : registers.take(GROUPS);
    nsums = registers.take();
  }

  static void emit(KernelWriter w, String name, Format format) {
    w.begin(name);
    BlockCode.masks(w);
    var kernel = new LongBlockMatVec(w, format);
    kernel.choices();
    new RowStreams(w, kernel.sums, kernel.bytes[0]).emit(kernel::rows);
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

  private void rows(int streams) {
    var kept = code instanceof MinimumsApart ? Sums.OF_SIXTEEN_TOO : Sums.OF_BLOCKS;
    new LongBlockSteps(w, code, kept).emit(streams, sums, this::activations, this::block);
  }

  /** What the rows in flight share: the activations, their scales and sums. */
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
    if (code.run() == 32) {
      w.op(VMOVUPS, factors.y(), at(X_SCALE));
      w.op(VINSERTI64X4, factors, factors, at(X_NSUM), imm(1));
      if (code.secondTimes() != 1) {
        w.op(VMULPS, factors, factors, at(w.assembler().floats("perTimes", perTimes())));
      }
    } else {
      // Each scale twice: vpmovzxdq leaves gaps, which the shuffle fills.
      w.op(VPMOVZXDQ, factors, at(X_SCALE));
      w.op(VMOVSLDUP, factors, factors);
    }
    if (code instanceof MinimumsApart) {
      w.op(VCVTDQ2PS, nsums, at(X_CSUM16));
      w.op(VMULPS, nsums, nsums, factors);
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

  /** One over what the bytes of each run were multiplied by; the lanes of minimums stay. */
  private float[] perTimes() {
    var factors = new float[16];
    Arrays.fill(factors, 1);
    for (int register = 1; register < GROUPS; register += 2) {
      for (int lane = 0; lane < 16; lane++) {
        factors[firstValue(register, lane) / code.run()] = 1f / code.secondTimes();
      }
    }
    return factors;
  }

  private void block(Vec sum, Place block) {
    if (code instanceof MinimumsApart apart) {
      apart.minimums16(scales, block);
      w.op(VFMADD231PS, sum, scales, nsums);
    }
    code.scales16(scales, block);
    w.op(VMULPS, scales, scales, factors);
    if (code.hasMinimums() && code.run() == 32) {
      w.op(VADDPS, sum.merging(BlockCode.UPPER), sum, scales);
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

  private void scaleAndAdd(Vec sum, int register, Vec unsigned) {
    w.op(VCVTDQ2PS, products, products);
    w.op(VPERMPS, unsigned, choice[register], scales);
    w.op(VFMADD231PS, sum, products, unsigned);
  }
}
