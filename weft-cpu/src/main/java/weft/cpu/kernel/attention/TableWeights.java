package weft.cpu.kernel.attention;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.WordDot;

/**
 * Weights in words from the beginning, 32 in a register, where a float's exponential would have 16:
 * a score is a whole number of 4,096th parts of a power of two above the least that is told from
 * none, so its upper four bits say by how much a weight is shifted, the next six which of 64 roots
 * of two it has, and the last six a line to the next root. A weight is rounded to a level as the
 * exponential would be, but for 1.2e-4 of itself: half of a 4,096th part, and 3e-5 of the line.
 */
final class TableWeights implements WordWeights {
  private static final int PARTS = 1 << 12;
  private static final int ROOTS = 64;

  /** The greatest score's number. */
  private static final int MOST = (1 << 16) - 1;

  /** Roots have three bits more than levels; one of them is left for rounding. */
  private static final int ROOT_BITS = 3;

  private static final float PARTS_IN_E = (float) (PARTS / Math.log(2));

  private final KernelWriter w;
  private final Vec low;
  private final Vec high;
  private final Vec parts;
  private final Vec most;
  private final Vec slope;
  private final Vec shifts;
  private final Vec ones;
  private final Vec zero;
  private final Vec root;
  private final Vec total;
  private final Vec none;
  private final WordDot dot;

  TableWeights(KernelWriter w, Registers registers) {
    this.w = w;
    low = registers.take();
    high = registers.take();
    parts = registers.take();
    most = registers.take();
    slope = registers.take();
    shifts = registers.take();
    ones = registers.take();
    zero = registers.take();
    root = registers.take();
    total = registers.take();
    none = registers.take();
    dot = WordDot.of(w, registers, root);
  }

  /** Half of the roots, by which the greatest score's weight has all levels. */
  private static int[] roots(int from) {
    var pairs = new int[ROOTS / 4];
    double most = LEVELS * Math.scalb(1.0, ROOT_BITS);
    double last = MOST % PARTS / (double) PARTS;
    for (int i = 0; i < ROOTS / 2; i++) {
      long word = Math.round(most * Math.pow(2, (from + i) / (double) ROOTS - last));
      pairs[i / 2] |= (int) word << i % 2 * Short.SIZE;
    }
    return pairs;
  }

  private Vec words(Vec to, String name, int word) {
    return w.everywhere(to, name, word << Short.SIZE | word);
  }

  @Override
  public void begin() {
    w.op(VMOVUPS, low, at(w.assembler().ints("lower roots", roots(0))));
    w.op(VMOVUPS, high, at(w.assembler().ints("upper roots", roots(ROOTS / 2))));
    w.op(VBROADCASTSS, most, at(w.assembler().floats("most", MOST)));
    words(slope, "slope", (int) Math.round((Math.pow(2, 1.0 / ROOTS) - 1) * (1 << Short.SIZE)));
    words(shifts, "shifts", MOST / PARTS + ROOT_BITS - 1);
    words(ones, "ones", 1);
    w.zero(zero);
  }

  @Override
  public void query(Mem unit) {
    w.op(VBROADCASTSS, parts, unit);
    w.op(VMULPS, parts, parts, at(w.assembler().floats("parts", PARTS_IN_E)).each());
    w.zero(total);
    w.zero(none);
  }

  @Override
  public void two(Vec x, Vec y) {
    for (var scores : new Vec[] {x, y}) {
      w.op(VADDPS, none, none, scores);
      w.op(VFMADD213PS, scores, parts, most);
      w.op(VCVTPS2DQ, scores, scores);
    }
    w.note("what is far below, and what is no number, is below zero here and becomes zero");
    w.op(VPACKUSDW, x, x, y);
    w.op(VPSRLW, root, x, imm(Integer.numberOfTrailingZeros(PARTS / ROOTS)));
    w.op(VPERMI2W, root, low, high);
    w.op(VPSLLW, y, x, imm(Short.SIZE - Integer.numberOfTrailingZeros(PARTS / ROOTS)));
    w.op(VPMULHUW, y, y, slope);
    w.op(VPMULHUW, y, y, root);
    w.op(VPADDW, root, root, y);
    w.op(VPSRLW, x, x, imm(Integer.numberOfTrailingZeros(PARTS)));
    w.op(VPSUBW, x, shifts, x);
    w.op(VPSRLVW, x, root, x);
    w.note("the last bit rounds");
    w.op(VPAVGW, x, x, zero);
    dot.add(total, x, ones);
  }

  @Override
  public Vec total(Vec t) {
    w.op(VCVTDQ2PS, total, total);
    w.note("zero, or no number where a score was none");
    w.op(VFMADD231PS, total, none, zero);
    w.everyLane(VADDPS, total, t);
    return total;
  }
}
