package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.LongBlockCode;

/**
 * One, two or four activation rows against packed rows of 256-value blocks in 256 bits: each 32
 * values of a row are unpacked into a register and meet all tokens there. Two and four are so where
 * there are 512 bits, too: there what is done once a block would be as much, of half the registers.
 *
 * <p>What a block comes to is a whole number for each row and token: the scales of its runs are
 * words, which multiply in the instruction that makes integers of words. It becomes a float once,
 * by the scales of the block and of the activations. So a token's result has the same bits in
 * whatever company.
 */
final class LongBlockRows {
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_SUM = R12;
  private static final Gpr STEPS = R13;
  private static final int GROUP = 32;

  /** On the stack: the results, and of each row what meets the sums of the activations. */
  private static final Mem RESULTS = at(RSP);

  private static final int MINIMUMS = 32;

  private final KernelWriter w;
  private final boolean addsProducts;
  private final LongBlockCode code;
  private final RowLayout layout;
  private final FewStreams frame;
  private final RowResults results;
  private final PairProducts products;

  /** A vector of integers for each row and token. */
  private final Vec[] integers;

  private final Vec bytes;
  private final Vec scales;
  private final Vec scale;
  private final Vec t;

  /** The scales of the upper runs, or the magnitudes of signed bytes: no format has both. */
  private final Vec more;

  private final Operand xWords;

  private LongBlockRows(
      KernelWriter w, boolean addsProducts, int tokens, LongBlockMatVec.Format format) {
    this.w = w;
    this.addsProducts = addsProducts;
    var registers = new Registers(w.isa());
    t = registers.take();
    integers = registers.take(tokens == 1 ? 4 : RowLayout.LANES);
    bytes = registers.take();
    scales = registers.take();
    scale = registers.take();
    code = format.code(w, registers);
    more = code.run() == 16 || PairProducts.areSigned(code) ? registers.take() : t;
    products = PairProducts.of(w, code, more);
    layout = RowLayout.of(code, tokens);
    frame = new FewStreams(w, layout.streams());
    results = new RowResults(w, layout, frame);
    xWords = layout.sums() == Activations.Sums.CSUM16 && tokens == 1 ? registers.take() : at(X_SUM);
  }

  /**
   * @param tokens 1, 2 or 4: the most that the kernel takes
   */
  static void emit(KernelWriter level, String name, int tokens, LongBlockMatVec.Format format) {
    var w = new KernelWriter(level.assembler(), Isa.AVX2);
    w.begin(name);
    var kernel = new LongBlockRows(w, level.isa().includes(Isa.VNNI), tokens, format);
    int stack = MINIMUMS + 32 * kernel.layout.streams();
    w.op(SUB, RSP, imm(stack));
    kernel.frame.emit(kernel::pack, kernel::rows, kernel.results::emit);
    w.op(ADD, RSP, imm(stack));
    w.end();
  }

  private boolean isAlone() {
    return layout.isAlone();
  }

  private void pack() {
    if (!isAlone()) {
      layout.emitPack(w);
    }
  }

  private void rows(int streams) {
    var step = w.label("step");
    w.zero(t);
    w.store(RESULTS, t);
    begin();
    w.loop(step);
    if (xWords instanceof Vec words) {
      RowLayout.sixteenWords(w, words, at(X_SUM), at(X_SUM, RowLayout.LENGTH));
    }
    for (int i = 0; i < streams; i++) {
      block(i);
    }
    finish(streams);
    frame.advance(code.blockBytes());
    w.op(ADD, X, imm(isAlone() ? LongBlockCode.VALUES : layout.stepBytes()));
    if (isAlone()) {
      w.op(ADD, X_SCALE, imm(LongBlockCode.VALUES / 8));
      w.op(ADD, X_SUM, imm(LongBlockCode.VALUES / layout.sums().valuesPerByte()));
    }
    w.op(DEC, STEPS);
    w.op(JNE, step);
  }

  /** Where the activations begin: a single row as it is, several as they were laid. */
  private void begin() {
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    if (isAlone()) {
      w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
      w.op(LEA, X_SCALE, at(X, STEPS, 1));
      w.op(MOV, RAX, STEPS);
      w.op(SHR, RAX, imm(3));
      w.op(IMUL, X_SUM, RAX, imm(layout.sums().eighths()));
      w.op(ADD, X_SUM, X_SCALE);
    } else {
      w.op(MOV, X, SCRATCH);
    }
    w.op(SHR, STEPS, imm(8));
  }

  private Mem x(int token, int group) {
    return at(X, (isAlone() ? 0 : layout.x(token)) + GROUP * group);
  }

  /** The words that a token's activations sum up to. */
  private Operand words(int token) {
    return isAlone() ? xWords : at(X, layout.sums(token));
  }

  private boolean takesZeroBack() {
    return !code.hasMinimums() && !PairProducts.areSigned(code);
  }

  /** A block of a row against all tokens. */
  private void block(int stream) {
    var block = frame.place(stream);
    int tokens = layout.tokens();
    w.note("stream " + stream);
    RowStreams.prefetch(w, block, code.blockBytes());
    code.words(scales, scale, block);
    if (code.hasMinimums()) {
      w.store(minimums(stream), scale);
    }
    if (takesZeroBack()) {
      for (int token = 0; token < tokens; token++) {
        var sum = integers[stream * tokens + token];
        w.op(VPMADDWD, sum, scales, words(token));
        w.op(VPSLLD, sum, sum, imm(Integer.numberOfTrailingZeros(code.zero())));
      }
    }
    w.note("the scales in both halves, from where each 32 values take their own");
    if (code.run() == 16) {
      w.op(VPERMQ, more, scales, imm(0xEE));
    }
    w.op(VPERMQ, scales, scales, imm(0x44));
    for (int group = 0; group < LongBlockCode.VALUES / GROUP; group++) {
      group(stream, group, block);
    }
  }

  private void group(int stream, int group, Place block) {
    code.bytes32(bytes, group, block);
    products.weights(bytes);
    if (code.run() == 32) {
      w.op(VPSHUFB, scale, scales, at(choice(group, group)));
    } else {
      int pair = group % 4 * 2;
      w.op(VPSHUFB, scale, group < 4 ? scales : more, at(choice(pair, pair + 1)));
    }
    for (int token = 0; token < layout.tokens(); token++) {
      var sum = integers[stream * layout.tokens() + token];
      products.of(t, bytes, x(token, group));
      if (group == 0 && !takesZeroBack()) {
        w.op(VPMADDWD, sum, t, scale);
      } else if (addsProducts) {
        w.op(VPDPWSSD, sum, t, scale);
      } else {
        w.op(VPMADDWD, t, t, scale);
        w.op(VPADDD, sum, sum, t);
      }
    }
  }

  /** One word in all places of the lower half, and another in those of the upper. */
  private Label choice(int lower, int upper) {
    var places = new byte[32];
    for (int i = 0; i < places.length; i++) {
      places[i] = (byte) (2 * (i < 16 ? lower : upper) + i % 2);
    }
    return w.assembler().bytes("words" + lower + "," + upper, places);
  }

  private static Mem minimums(int stream) {
    return at(RSP, MINIMUMS + 32 * stream);
  }

  /** What the blocks came to joins the results, as floats. */
  private void finish(int streams) {
    int count = streams * layout.tokens();
    w.note("whole numbers become floats, a lane for each row and token");
    results.total(bytes, integers, count);
    w.op(VCVTDQ2PS, bytes, bytes);
    factor(scales, code.unit(), streams);
    w.op(VFMADD213PS, scales, bytes, RESULTS);
    if (code.hasMinimums()) {
      for (int i = 0; i < count; i++) {
        if (i % layout.tokens() == 0) {
          w.load(t, minimums(i / layout.tokens()));
        }
        if (words(0) == xWords && xWords instanceof Mem eight) {
          w.op(VPMADDWD, integers[i].x(), t.x(), eight);
        } else {
          w.op(VPMADDWD, integers[i], t, words(i % layout.tokens()));
        }
      }
      results.total(bytes, integers, count);
      w.op(VCVTDQ2PS, bytes, bytes);
      factor(scale, code.minimumUnit(), streams);
      w.op(VFMADD231PS, scales, bytes, scale);
    }
    w.store(RESULTS, scales);
  }

  /** The half float of each row's block times the scale of each token's activations. */
  private void factor(Vec to, int unit, int streams) {
    units(to, unit, streams);
    if (isAlone()) {
      w.op(VBROADCASTSS, t, at(X_SCALE));
      w.op(VMULPS, to, to, t);
    } else {
      w.op(VMULPS, to, to, at(X, 0));
    }
  }

  private void units(Vec to, int unit, int streams) {
    if (streams == 1) {
      w.half(to, frame.place(0).at(unit));
      return;
    }
    w.op(VPBROADCASTW, to.x(), frame.place(0).at(unit));
    if (streams == 2) {
      w.op(VPBROADCASTW, t.x(), frame.place(1).at(unit));
      w.op(VPUNPCKLQDQ, to.x(), to.x(), t.x());
    } else {
      for (int i = 1; i < streams; i++) {
        w.op(VPINSRW, to.x(), to.x(), frame.place(i).at(unit), imm(i));
      }
      if (layout.tokens() == 2) {
        w.op(VPUNPCKLWD, to.x(), to.x(), to.x());
      }
    }
    w.op(VCVTPH2PS, to, to.x());
  }
}
