package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import java.util.Arrays;
import java.util.function.IntFunction;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockHead;
import weft.cpu.kernel.format.ShortBlockCode;

/**
 * One activation row, or two, against packed rows of 32-value blocks, four blocks a step.
 *
 * <p>The first halves of two blocks fill a register of 256 bits and their second halves another, so
 * the products of each block meet as integers in 128 bits of one. Those of four streams change
 * places: then 128 bits are a block and their lanes the streams, and block after block joins the
 * results in the order of {@link AbreastMatMul} and {@link Tile}. So one row has the bits that it
 * has in company.
 *
 * <p>Registers of 512 bits would take three insertions for what these take two of half the price:
 * from the cache of a Zen 4 core Q8_0 had 35.6 GB/s so and has 46, Q4_0 21.7 and 26.9.
 *
 * <p>Bytes of weights meet both rows while they are in a register.
 */
public final class FourBlockMatVec {
  private static final int BLOCKS = 4;

  /** Blocks of a register. */
  private static final int PAIR = 2;

  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_NSUM = RDX;
  private static final Gpr STEPS = RAX;

  /** From one token's activations to the other's. */
  private static final Gpr X_STEP = RSI;

  private final KernelWriter w;
  private final int tokens;
  private final ShortBlockCode code;
  private final ByteDot dot;
  private final StreamTotals totals;

  /** The results of each token, a lane a stream. */
  private final Vec[] results;

  /** Of each token the products of a stream's two blocks, four lanes each. */
  private final Vec[][] integers;

  private final Vec[][] x;
  private final Vec[] bytes;
  private final Vec scales;
  private final Vec minimums;

  /** In every byte what stands for zero. */
  private final Vec zeros;

  private final Vec[] start;
  private final Vec t;
  private final Vec u;

  private FourBlockMatVec(KernelWriter w, int tokens, ShortBlockMatVec.Format format) {
    this.w = w;
    this.tokens = tokens;
    var registers = new Registers(512).left(256);
    code = format.code(w, registers);
    dot = ByteDot.of(w, registers, code.highest());
    results = registers.take(tokens);
    integers = registers.take(tokens, RowStreams.STREAMS);
    x = registers.take(tokens, 2);
    bytes = registers.take(2);
    scales = registers.take();
    minimums = registers.take();
    zeros = w.everywhere(registers.take(), "zeros", 0x01010101 * code.zero());
    start = registers.take(tokens);
    t = registers.take();
    u = registers.take();
    totals = new StreamTotals(w, t);
  }

  /**
   * @param tokens one or two, just as many as the kernel is for
   */
  static void emit(KernelWriter w, String name, int tokens, ShortBlockMatVec.Format format) {
    w.begin(name);
    var kernel = new FourBlockMatVec(w, tokens, format);
    new RowStreams(w, kernel.results).emit(kernel::rows);
    w.end();
  }

  private void rows(int streams) {
    var four = w.label("four");
    var one = w.label("one");
    var rest = w.label("rest");
    var done = w.label("done");
    for (var result : results) w.zero(result);
    if (tokens > 1) w.op(MOV, X_STEP, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(LEA, X_SCALE, at(STEPS, Activations.PADDING - 1));
    w.op(AND, X_SCALE, imm(-Activations.PADDING));
    if (code.hasMinimums()) {
      w.op(MOV, X_NSUM, X_SCALE);
      w.op(SHR, X_NSUM, imm(3));
      w.op(ADD, X_NSUM, X_SCALE);
      w.op(ADD, X_NSUM, X);
    }
    w.op(ADD, X_SCALE, X);
    w.op(SHR, STEPS, imm(7));
    w.op(JE, rest);
    w.loop(four);
    step(streams, BLOCKS);
    w.op(DEC, STEPS);
    w.op(JNE, four);

    w.note("up to three blocks more, one at a time, in the lowest lanes");
    w.bind(rest);
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, STEPS, imm(5));
    w.op(AND, STEPS, imm(BLOCKS - 1));
    w.op(JE, done);
    w.loop(one);
    step(streams, 1);
    w.op(DEC, STEPS);
    w.op(JNE, one);
    w.bind(done);
  }

  /** Some blocks of each stream: four or one. */
  private void step(int streams, int blocks) {
    for (int first = 0; first < blocks; first += PAIR) {
      pair(streams, first, Math.min(PAIR, blocks - first));
    }
    for (int i = 0; i < streams; i++) {
      w.op(ADD, RowStreams.POINTERS.get(i), imm(blocks * code.blockBytes()));
    }
    w.op(ADD, X, imm(blocks * ShortBlockCode.VALUES));
    w.op(ADD, X_SCALE, imm(4 * blocks));
    if (code.hasMinimums()) {
      w.op(ADD, X_NSUM, imm(4 * blocks));
    }
  }

  /** One or two blocks of each stream, as many behind where the streams are. */
  private void pair(int streams, int first, int blocks) {
    for (int token = 0; token < tokens; token++) {
      activations(token, ShortBlockCode.VALUES * first, blocks);
      if (!code.hasMinimums()) begin(token);
    }
    for (int i = 0; i < streams; i++) {
      var places = new Place[blocks];
      int stream = i;
      Arrays.setAll(places, b -> block(stream, first + b));
      w.note("stream " + i);
      code.halves(bytes[0], bytes[1], places);
      for (int token = 0; token < tokens; token++) {
        var sum = integers[token][i];
        if (code.hasMinimums()) {
          w.zero(sum);
        } else {
          w.move(sum, start[token]);
        }
        dot.add(sum, bytes[0], x[token][0]);
        dot.add(sum, bytes[1], x[token][1]);
      }
    }
    join(streams, first, blocks);
  }

  private void activations(int token, int first, int blocks) {
    for (int half = 0; half < 2; half++) {
      int from = first + ShortBlockCode.VALUES / 2 * half;
      w.load(x[token][half].x(), of(token, X, from));
      if (blocks == PAIR) {
        var behind = of(token, X, from + ShortBlockCode.VALUES);
        w.op(VINSERTI32X4, x[token][half], x[token][half], behind, imm(1));
      }
    }
  }

  /** A place in a token's row, by the same of the first. */
  private static Mem of(int token, Gpr first, int offset) {
    return token == 0 ? at(first, offset) : at(first, X_STEP, 1, offset);
  }

  private Place block(int stream, int block) {
    return Place.of(RowStreams.POINTERS.get(stream)).plus(block * code.blockBytes());
  }

  /** What the blocks came to joins the results, one block after the other. */
  private void join(int streams, int first, int blocks) {
    IntFunction<Place> places =
        lane -> {
          int stream = Math.min(lane % RowStreams.STREAMS, streams - 1);
          int block = Math.min(lane / RowStreams.STREAMS, blocks - 1);
          return block(stream, first + block);
        };
    code.head().scale().ofRows(scales, t, places);
    if (code.head() instanceof BlockHead.Affine head) {
      head.minimum().ofRows(minimums, t, places);
    }
    for (int token = 0; token < tokens; token++) join(token, streams, first, blocks);
  }

  private void join(int token, int streams, int first, int blocks) {
    var numbers = integers[token][0];
    totals.ofQuarters(numbers, Arrays.copyOf(integers[token], streams));
    w.op(VCVTDQ2PS, numbers, numbers);
    var result = results[token].x();
    for (int block = 0; block < blocks; block++) {
      int x = 4 * (first + block);
      w.op(VMULPS, u.x(), half(scales, block, u), of(token, X_SCALE, x).each());
      w.op(VFMADD231PS, result, u.x(), half(numbers, block, t));
      if (code.head() instanceof BlockHead.Affine) {
        w.op(VFMADD231PS, result, half(minimums, block, t), of(token, X_NSUM, x).each());
      }
    }
  }

  private Vec half(Vec of, int block, Vec to) {
    if (block == 0) return of.x();
    w.op(VEXTRACTF32X4, to.x(), of, imm(block));
    return to.x();
  }

  /** A token's {@code start} becomes minus zero times the activations of each lane. */
  private void begin(int token) {
    var sum = start[token];
    w.zero(sum);
    dot.add(sum, zeros, x[token][0]);
    dot.add(sum, zeros, x[token][1]);
    w.zero(t);
    w.op(VPSUBD, sum, t, sum);
  }
}
