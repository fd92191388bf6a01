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
import weft.cpu.asm.Isa;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.LongBlockCode;

/**
 * One activation row, or two, against packed rows of 256-value blocks in 512 bits, a block a step.
 *
 * <p>What a block comes to is a whole number, as in {@link LongBlockRows} and for the same reason:
 * each group of 64 products is multiplied by the scales of its runs, whole numbers too, which it
 * takes from a vector of sixteen; what stands for zero is taken off by the sums of the activations,
 * as many times as the scales say. It becomes a float once, a lane a stream. Bytes of weights meet
 * both rows while they are in a register.
 */
public final class LongBlockMatVec {
  private static final int GROUPS = 4;
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_SUM = RDX;
  private static final Gpr STEPS = RAX;

  /** From one token's activations to the other's. */
  private static final Gpr X_STEP = RSI;

  /** In the scratch memory: products of minimums, of each token's streams. */
  private static final int MINIMUM_BYTES = 32;

  /** Makes the code of a format with the registers it may take. */
  public interface Format {
    LongBlockCode code(KernelWriter w, Registers registers);
  }

  private final KernelWriter w;
  private final int tokens;
  private final LongBlockCode code;
  private final ByteDot dot;
  private final StreamTotals totals;

  /** The results of each token, a lane a stream. */
  private final Vec[] results;

  /** What the streams' blocks come to with each token, each in sixteen parts. */
  private final Vec[][] integers;

  private final Vec[][] x;
  private final Vec[] choice;
  private final Vec scales;
  private final Vec[] bytes;

  /** Those of a group of 64 with each token. */
  private final Vec[] products;

  /** Where runs have 16 values: the words of {@link #timesSums}, which do not lie so in memory. */
  private final Vec[] sums;

  private LongBlockMatVec(KernelWriter w, int tokens, Format format) {
    this.w = w;
    this.tokens = tokens;
    var registers = new Registers(w.isa());
    results = registers.take(tokens);
    integers = registers.take(tokens, RowStreams.STREAMS);
    x = registers.take(tokens, GROUPS);
    choice = registers.take(GROUPS);
    scales = registers.take();
    bytes = registers.take(2);
    products = registers.take(tokens);
    code = format.code(w, registers);
    dot = ByteDot.of(w, registers, code.highest());
    sums = registers.take(code.run() == 16 ? tokens : 0);
    totals = new StreamTotals(w, products[0]);
  }

  /**
   * @param tokens one or two, just as many as the kernel is for
   */
  static void emit(KernelWriter w, String name, int tokens, Format format) {
    w.begin(name);
    BlockCode.masks(w);
    var kernel = new LongBlockMatVec(w, tokens, format);
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
    for (var result : results) w.zero(result);
    if (tokens > 1) w.op(MOV, X_STEP, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(LEA, X_SCALE, at(X, STEPS, 1));
    w.op(SHR, STEPS, imm(3));
    w.op(IMUL, X_SUM, STEPS, imm(kept().eighths()));
    w.op(ADD, X_SUM, X_SCALE);
    w.op(SHR, STEPS, imm(5));
    w.loop(step);
    for (int token = 0; token < tokens; token++) activations(token);
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

  /** A place in a token's row, by the same of the first. */
  private static Mem of(int token, Gpr first, int offset) {
    return token == 0 ? at(first, offset) : at(first, X_STEP, 1, offset);
  }

  /** What the rows in flight share of a token: its activations and the sums of them. */
  private void activations(int token) {
    var t = products[0];
    for (int half = 0; half < 2; half++) {
      var first = x[token][2 * half];
      var second = x[token][2 * half + 1];
      w.load(first, of(token, X, 128 * half));
      w.load(second, of(token, X, 128 * half + 64));
      if (code.order() != LongBlockCode.Order.NATURAL) {
        w.op(VSHUFI32X4, t, first, second, imm(code.order().first()));
        w.op(VSHUFI32X4, second, first, second, imm(code.order().second()));
        w.move(first, t);
      }
    }
    if (sums.length > 0) {
      RowLayout.sixteenWords(
          w, sums[token].y(), of(token, X_SUM, 0), of(token, X_SUM, RowLayout.LENGTH));
    }
  }

  private void block(int stream, Place block) {
    code.words(scales.y(), bytes[0].y(), block);
    for (int token = 0; token < tokens; token++) begin(token, stream);
    var widen = meetsScalesAsWords() ? VPMOVZXWD : VPMOVSXWD;
    if (code.run() == 16) {
      w.op(widen, scales, scales.y());
    } else {
      w.op(widen, scales.y(), scales.x());
    }
    for (int half = 0; half < 2; half++) {
      code.bytes128(bytes[0], bytes[1], half, block);
      for (int second = 0; second < 2; second++) {
        int register = 2 * half + second;
        for (int token = 0; token < tokens; token++) {
          if (second == 0 || !sharesScales()) w.zero(products[token]);
          dot.add(products[token], bytes[second], x[token][register]);
        }
        if (second == 1 || !sharesScales()) scaleAndAdd(stream, register, bytes[second]);
      }
    }
  }

  /** A block's sum begins with what stands for zero, or its minimums meet what they multiply. */
  private void begin(int token, int stream) {
    var sum = integers[token][stream];
    if (code.hasMinimums()) {
      w.zero(sum);
      var to = part(products[token]);
      timesSums(token, to, part(bytes[0]));
      w.store(minimumProducts(token, stream), to);
    } else if (code.zero() == 0) {
      w.zero(sum);
    } else {
      var to = part(sum);
      timesSums(token, to, part(scales));
      w.op(VPSLLD, to, to, imm(Integer.numberOfTrailingZeros(code.zero())));
    }
  }

  /** As much of a register as has a word for each run. */
  private Vec part(Vec of) {
    return code.run() == 32 ? of.x() : of.y();
  }

  /** A word of each run times minus the sum of a token's activations. */
  private void timesSums(int token, Vec to, Vec words) {
    w.op(VPMADDWD, to, words, sums.length == 0 ? of(token, X_SUM, 0) : sums[token].y());
  }

  private static Mem minimumProducts(int token, int stream) {
    return at(SCRATCH, MINIMUM_BYTES * (RowStreams.STREAMS * token + stream));
  }

  /** True where both registers of 128 values have the same scales, lane by lane. */
  private boolean sharesScales() {
    return code.order() == LongBlockCode.Order.HALF_RUNS;
  }

  /**
   * Whether what four bytes, or eight under the same scale, come to is a word: then the scale, a
   * word with nothing above it, multiplies and adds up in one instruction.
   */
  private boolean meetsScalesAsWords() {
    int most = code.highest() * Byte.MAX_VALUE * (sharesScales() ? 8 : 4);
    return w.isa().includes(Isa.VNNI) && most <= Short.MAX_VALUE;
  }

  /** Bytes that were taken as a multiple of themselves are whole multiples still. */
  private void scaleAndAdd(int stream, int register, Vec spare) {
    w.op(VPERMD, spare, choice[register], scales);
    for (int token = 0; token < tokens; token++) {
      var some = products[token];
      var sum = integers[token][stream];
      if (register % 2 == 1 && code.secondTimes() != 1) {
        w.op(VPSRAD, some, some, imm(Integer.numberOfTrailingZeros(code.secondTimes())));
      }
      if (meetsScalesAsWords()) {
        w.op(VPDPWSSD, sum, some, spare);
      } else {
        w.op(VPMULLD, some, some, spare);
        w.op(VPADDD, sum, sum, some);
      }
    }
  }

  /** What the blocks came to joins the results, as floats. */
  private void finish(int streams) {
    units(code.unit(), streams);
    for (int token = 0; token < tokens; token++) {
      var total = integers[token][0];
      var t = products[0];
      totals.ofQuarters(total, Arrays.copyOf(integers[token], streams));
      w.op(VEXTRACTI64X4, t.y(), total, imm(1));
      w.op(VPADDD, total.y(), total.y(), t.y());
      w.op(VEXTRACTI32X4, t.x(), total.y(), imm(1));
      w.op(VPADDD, total.x(), total.x(), t.x());
      join(token, total.x());
    }
    if (!code.hasMinimums()) return;
    units(code.minimumUnit(), streams);
    for (int token = 0; token < tokens; token++) {
      var some = new Vec[streams];
      for (int i = 0; i < streams; i++) {
        var sum = integers[token][i];
        some[i] = code.run() == 32 ? sum.x() : sum.y();
        w.load(some[i], minimumProducts(token, i));
      }
      var total = some[0];
      var t = products[0];
      new StreamTotals(w, new Vec(t.number(), total.bits())).ofQuarters(total, some);
      if (code.run() == 16) {
        w.op(VEXTRACTI32X4, t.x(), total, imm(1));
        w.op(VPADDD, total.x(), total.x(), t.x());
      }
      join(token, total.x());
    }
  }

  /** The half floats at a place of each stream's block. */
  private void units(int at, int streams) {
    var units = bytes[0].x();
    w.zero(units);
    for (int i = 0; i < streams; i++) {
      w.op(VPINSRW, units, units, Place.of(RowStreams.POINTERS.get(i)).at(at), imm(i));
    }
    w.op(VCVTPH2PS, units, units);
  }

  /** Whole numbers of units times the scale of the token's activations. */
  private void join(int token, Vec numbers) {
    var factor = bytes[1].x();
    w.op(VCVTDQ2PS, numbers, numbers);
    w.op(VMULPS, factor, bytes[0].x(), of(token, X_SCALE, 0).each());
    w.op(VFMADD231PS, results[token].x(), numbers, factor);
  }
}
