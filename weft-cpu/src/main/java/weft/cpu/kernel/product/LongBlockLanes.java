package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.LongBlockCode;

/**
 * Eight or sixteen activation rows against packed rows of 256-value blocks in 256 bits, as {@link
 * LaneLayout} lays them: a block of some rows is unpacked into the nearest cache, and each four
 * bytes of it, broadcast, meet the same of eight tokens at once.
 *
 * <p>The numbers are those of {@link LongBlockRows}, to the bit. But here the products of a run
 * meet in lanes, as words for as long as they fit: of 32 values in Q4_K nine multiplications make
 * eight tokens' sums, where there it takes sixteen.
 */
final class LongBlockLanes {
  private static final Gpr X = RBX;
  private static final Gpr BYTES = RBP;
  private static final Gpr SCALES = R12;
  private static final Gpr STEPS = R13;
  private static final Gpr COUNT = RAX;
  private static final int GROUP = 32;

  private final KernelWriter w;
  private final LaneLayout layout;
  private final FewStreams frame;
  private final LongBlockCode code;
  private final boolean isSigned;

  /** What a block comes to, of each row and register of tokens, and of a run as words. */
  private final Vec[] integers;

  private final Vec[] words;
  private final Vec[] x;
  private final Vec weights;
  private final Vec t;

  private LongBlockLanes(KernelWriter w, int tokens, LongBlockMatVec.Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    integers = registers.take(LaneLayout.SUMS_IN_FLIGHT);
    words = registers.take(LaneLayout.SUMS_IN_FLIGHT);
    x = registers.take(tokens / LaneLayout.LANES);
    weights = registers.take();
    t = registers.take();
    code = format.code(w, registers);
    isSigned = PairProducts.areSigned(code);
    layout = LaneLayout.of(code, tokens);
    frame = new FewStreams(w, layout.streams());
  }

  /**
   * @param tokens 8 or 16: the most that the kernel takes
   */
  static void emit(KernelWriter w, String name, int tokens, LongBlockMatVec.Format format) {
    w.begin(name);
    var kernel = new LongBlockLanes(w, tokens, format);
    var pack = new LanePack(w, kernel.layout, RowLayout.of(kernel.code, tokens).sums());
    kernel.frame.emit(pack::emit, kernel::rows, kernel::results);
    w.end();
  }

  private void rows(int streams) {
    var step = w.label("step");
    w.zero(t);
    for (int i = 0; i < streams * layout.registers(); i++) {
      w.store(sum(i), t);
    }
    w.op(LEA, X, at(SCRATCH, LaneLayout.BLOCKS));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, STEPS, imm(8));
    w.loop(step);
    for (int i = 0; i < streams; i++) {
      unpack(i);
    }
    multiply(streams);
    for (int i = 0; i < streams; i++) {
      finish(i);
    }
    w.op(ADD, X, imm(layout.blockBytes()));
    frame.advance(code.blockBytes());
    w.op(DEC, STEPS);
    w.op(JNE, step);
  }

  private static Mem sum(int sum) {
    return at(SCRATCH, LaneLayout.SUMS + LaneLayout.LENGTH * sum);
  }

  private static Mem extra(int stream, int word) {
    return at(SCRATCH, LaneLayout.EXTRAS + LaneLayout.EXTRA_ROW * stream + 2 * word);
  }

  /** A block of a row becomes bytes and words in the scratch memory. */
  private void unpack(int stream) {
    var from = frame.place(stream);
    w.note("stream " + stream);
    RowStreams.prefetch(w, from, code.blockBytes());
    for (int group = 0; group < LongBlockCode.VALUES / GROUP; group++) {
      var to = words[group % words.length];
      code.bytes32(to, group, from);
      if (isSigned) {
        ByteDot.loseZero(w, to, code.zero());
      }
      w.store(at(SCRATCH, LaneLayout.BYTES + LaneLayout.BYTE_ROW * stream + GROUP * group), to);
    }
    var scales = x[0];
    code.words(scales, weights, from);
    if (!isSigned) {
      w.store(extra(stream, 0), code.hasMinimums() ? weights : scales);
    }
    int to = LaneLayout.SCALES + LaneLayout.SCALE_ROW * stream;
    w.note("each scale twice");
    w.op(VPUNPCKLWD, weights, scales, scales);
    w.op(VPUNPCKHWD, t, scales, scales);
    w.store(at(SCRATCH, to), weights.x());
    w.store(at(SCRATCH, to + 16), t.x());
    if (code.run() == 16) {
      w.op(VEXTRACTI128, at(SCRATCH, to + 32), weights, imm(1));
      w.op(VEXTRACTI128, at(SCRATCH, to + 48), t, imm(1));
    }
  }

  /** The unpacked blocks against all tokens. */
  private void multiply(int streams) {
    var group = w.label("group");
    int registers = layout.registers();
    for (int i = 0; i < streams * registers; i++) {
      w.zero(integers[i]);
    }
    w.op(MOV, COUNT.d(), imm(LongBlockCode.VALUES / GROUP));
    w.op(MOV, BYTES, SCRATCH);
    w.op(LEA, SCALES, at(SCRATCH, LaneLayout.SCALES));
    w.loop(group);
    int part = Math.min(code.run(), LaneLayout.WIDTH * PairProducts.room(code));
    for (int from = 0; from < GROUP; from += part) {
      for (int value = from; value < from + part; value += LaneLayout.WIDTH) {
        for (int r = 0; r < registers; r++) {
          w.load(x[r], at(X, layout.x(value, r)));
        }
        for (int i = 0; i < streams; i++) {
          products(i, value, value == from);
        }
      }
      for (int i = 0; i < streams; i++) {
        var scale = at(SCALES, LaneLayout.SCALE_ROW * i + 4 * (from / code.run()));
        w.op(VPBROADCASTD, weights, scale);
        for (int r = i * registers; r < (i + 1) * registers; r++) {
          w.op(VPMADDWD, words[r], words[r], weights);
          w.op(VPADDD, integers[r], integers[r], words[r]);
        }
      }
    }
    w.op(ADD, X, imm(layout.x(GROUP, 0)));
    w.op(ADD, BYTES, imm(GROUP));
    w.op(ADD, SCALES, imm(4 * GROUP / code.run()));
    w.op(DEC, COUNT);
    w.op(JNE, group);
    w.op(SUB, X, imm(layout.x(LongBlockCode.VALUES, 0)));
  }

  /** Four bytes of a row against the same of each token. */
  private void products(int stream, int value, boolean isFirst) {
    int registers = layout.registers();
    w.op(VPBROADCASTD, weights, at(BYTES, LaneLayout.BYTE_ROW * stream + value));
    for (int r = 0; r < registers; r++) {
      var sum = words[stream * registers + r];
      if (isSigned) {
        w.op(VPSIGNB, t, x[r], weights);
        w.op(VPABSB, sum, weights);
        w.op(VPMADDUBSW, sum, sum, t);
      } else if (isFirst) {
        w.op(VPMADDUBSW, sum, weights, x[r]);
      } else {
        var products = r + 1 < registers ? t : weights;
        w.op(VPMADDUBSW, products, weights, x[r]);
        w.op(VPADDW, sum, sum, products);
      }
    }
  }

  /** What a block came to joins the sums, as floats. */
  private void finish(int stream) {
    var from = frame.place(stream);
    for (int r = 0; r < layout.registers(); r++) {
      int i = stream * layout.registers() + r;
      var sum = words[i];
      var scale = at(X, layout.scale(r));
      if (layout.words() > 0) {
        extras(stream, r);
      }
      if (layout.words() > 0 && !code.hasMinimums()) {
        w.op(VPSLLD, t, t, imm(Integer.numberOfTrailingZeros(code.zero())));
        w.op(VPADDD, integers[i], integers[i], t);
      }
      w.op(VCVTDQ2PS, integers[i], integers[i]);
      w.half(sum, from.at(code.unit()));
      w.op(VMULPS, sum, sum, scale);
      w.op(VFMADD213PS, sum, integers[i], sum(i));
      if (code.hasMinimums()) {
        w.op(VCVTDQ2PS, t, t);
        w.half(weights, from.at(code.minimumUnit()));
        w.op(VMULPS, weights, weights, scale);
        w.op(VFMADD231PS, sum, t, weights);
      }
      w.store(sum(i), sum);
    }
  }

  /** {@code t} becomes the words of a row times the sums of each token. */
  private void extras(int stream, int register) {
    for (int word = 0; word < layout.words(); word += 2) {
      w.op(VPBROADCASTD, weights, extra(stream, word));
      var meets = at(X, layout.sums(word, register));
      if (word == 0) {
        w.op(VPMADDWD, t, weights, meets);
      } else {
        w.op(VPMADDWD, weights, weights, meets);
        w.op(VPADDD, t, t, weights);
      }
    }
  }

  /** Each token's result of each row goes to its own place. */
  private void results(int streams) {
    for (int stream = 0; stream < streams; stream++) {
      frame.scatter(sum(stream * layout.registers()), stream);
    }
  }
}
