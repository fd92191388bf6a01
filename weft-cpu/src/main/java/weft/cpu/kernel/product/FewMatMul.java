package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;

import java.util.Arrays;
import java.util.function.IntFunction;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.BlockHead;
import weft.cpu.kernel.format.LongBlockCode;
import weft.cpu.kernel.format.MinimumsApart;
import weft.cpu.kernel.format.ShortBlockCode;
import weft.cpu.kernel.product.FewLayout.Meet;

/**
 * A few activation rows against packed rows, read once: 256 values of some rows are unpacked into
 * the nearest cache as they lie, and each few bytes of them, broadcast, meet the same bytes of all
 * tokens in one register, as {@link FewLayout} lays them.
 *
 * <p>Unlike {@link MatMul} this needs no transposed weights, which cost more than a few tokens'
 * products; unlike a matrix-vector kernel it scales once for all tokens in a register. Blocks of
 * 256 values have {@link LongBlockLanes} where registers have 256 bits. As in a {@link Tile}, what
 * made the bytes unsigned is taken back by the value that the integer sums begin with, and one
 * scale of 256 activations is met once.
 */
public final class FewMatMul {
  private static final Gpr X = RBX;
  private static final Gpr BYTES = RBP;
  private static final Gpr SCALES = R12;
  private static final Gpr STEPS = R13;
  private static final Gpr COUNT = RAX;

  private final KernelWriter w;
  private final FewLayout layout;
  private final FewStreams frame;
  private final BlockCode code;
  private final RunDot dot;
  private final int streams;

  /** The sums of a row for all tokens, as floats and, of a run, as integers. */
  private final Vec[] sums;

  private final Vec[] integers;
  private final Vec x;
  private final Vec scale;
  private final Vec weights;

  /** Whole registers for unpacking, while no integers are in them. */
  private final Vec[] wide;

  private FewMatMul(KernelWriter w, int tokens, BlockCode.Format format) {
    this.w = w;
    streams = w.isa() == Isa.AVX2 ? 4 : 8;
    int bits = tokens == 16 ? 512 : 256;
    var registers = new Registers(w.isa());
    // The first registers are those that VEX can name: sums are added up by its instructions.
    sums = ofLength(bits, registers.take(streams));
    weights = ofLength(bits, registers.take())[0];
    x = ofLength(bits, registers.take())[0];
    scale = ofLength(bits, registers.take())[0];
    wide = registers.take(streams);
    integers = ofLength(bits, wide);
    code = format.code(w, registers);
    boolean meetsWords = RunDot.meetsSigned(w.isa(), code.highest());
    layout = new FewLayout(tokens, bits, code.run(), meetsWords ? Meet.WORDS : Meet.BYTES);
    int values = 4 * code.run() / layout.width();
    dot =
        meetsWords
            ? new RunDot.WordsOfBoth(w)
            : RunDot.of(w, registers.left(bits), code.highest(), values);
    frame = new FewStreams(w, streams);
  }

  private static Vec[] ofLength(int bits, Vec... registers) {
    return Arrays.stream(registers).map(r -> new Vec(r.number(), bits)).toArray(Vec[]::new);
  }

  /** From as many tokens on each has a lane, with four of its bytes; fewer have several lanes. */
  static final int LEAST_APART = 8;

  /** The most tokens that a kernel of this level takes. */
  static int most(Isa isa) {
    return isa == Isa.AVX2 ? 8 : 16;
  }

  /**
   * @param tokens 2, 4, 8 or 16: the most that the kernel takes
   */
  static void emit(KernelWriter w, String name, int tokens, BlockCode.Format format) {
    w.begin(name);
    BlockCode.masks(w);
    var kernel = new FewMatMul(w, tokens, format);
    var pack = new FewPack(w, kernel.layout, kernel.code);
    kernel.frame.emit(pack::emit, kernel::rows, kernel::results);
    w.end();
  }

  private boolean isWide() {
    return w.isa().vectorBits() == 512;
  }

  private void rows(int streams) {
    var step = w.label("step");
    var rest = w.label("rest");
    var done = w.label("done");
    for (int i = 0; i < streams; i++) {
      w.zero(sums[i]);
    }
    w.op(LEA, X, at(SCRATCH, FewLayout.BLOCKS));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, STEPS, imm(8));
    w.op(JE, rest);
    w.loop(step);
    for (int i = 0; i < streams; i++) {
      unpack(i);
    }
    frame.advance(stepBytes());
    w.op(MOV, COUNT.d(), imm(FewLayout.STEP / FewLayout.BLOCK));
    if (sharesScales()) {
      setAside(streams);
      multiply(streams);
      join(streams);
    } else {
      multiply(streams);
    }
    w.op(DEC, STEPS);
    w.op(JNE, step);
    w.bind(rest);
    if (code instanceof ShortBlockCode blocks) {
      w.op(MOV, COUNT, at(ARGUMENTS, MatMulArguments.K));
      w.op(AND, COUNT, imm(FewLayout.STEP - 1));
      w.op(SHR, COUNT, imm(5));
      w.op(JE, done);
      unpackRest(blocks, streams);
      multiply(streams);
      w.bind(done);
    }
  }

  /** Whether the activations have one scale for the values of a step. */
  private boolean sharesScales() {
    return code instanceof LongBlockCode;
  }

  /** The sums of a step begin with zero, and those before them wait in the scratch memory. */
  private void setAside(int streams) {
    for (int i = 0; i < streams; i++) {
      w.store(waiting(i), sums[i]);
      w.zero(sums[i]);
    }
  }

  /** The sums of a step, scaled as the activations of its last block, join those before. */
  private void join(int streams) {
    w.op(VMOVUPS, scale, at(X, layout.scale() - layout.blockBytes()));
    for (int i = 0; i < streams; i++) {
      if (countsUnits()) {
        times(scale, unit(i));
        w.op(VFMADD213PS, sums[i], weights, waiting(i));
      } else {
        w.op(VFMADD213PS, sums[i], scale, waiting(i));
      }
    }
  }

  /** Whether scales are whole numbers of a block's unit, as in a {@link Panel}. */
  private boolean countsUnits() {
    return code instanceof LongBlockCode && !code.hasMinimums();
  }

  /** Where a format without minimums would have them. */
  private Mem unit(int stream) {
    return at(SCRATCH, FewLayout.SCALES + FewLayout.SCALE_ROW * stream + layout.minimums());
  }

  private static Mem waiting(int stream) {
    return at(SCRATCH, FewLayout.WAITING + FewLayout.WAITING_ROW * stream);
  }

  private int stepBytes() {
    return switch (code) {
      case LongBlockCode blocks -> blocks.blockBytes();
      case ShortBlockCode blocks -> FewLayout.STEP / ShortBlockCode.VALUES * blocks.blockBytes();
    };
  }

  /** 256 values of a row become bytes and scales in the scratch memory. */
  private void unpack(int stream) {
    var from = frame.place(stream);
    int bytes = FewLayout.BYTES + layout.rowBytes() * stream;
    w.note("stream " + stream);
    RowStreams.prefetch(w, from, stepBytes());
    int pieces = FewLayout.STEP / wide[0].bytes();
    for (int i = 0; i < pieces; i++) {
      var to = wide[i % 2];
      switch (code) {
        case LongBlockCode blocks -> blocks.bytes64(to, i, from);
        case ShortBlockCode blocks when isWide() -> {
          var a = from.plus(2 * i * blocks.blockBytes());
          blocks.bytes64(to, a, a.plus(blocks.blockBytes()));
        }
        case ShortBlockCode blocks -> blocks.bytes32(to, from.plus(i * blocks.blockBytes()));
      }
      store(SCRATCH, bytes + i * to.bytes() * layout.meet().bytes(), to);
    }
    scales(from, FewLayout.SCALES + FewLayout.SCALE_ROW * stream);
  }

  /** Unpacked bytes go to the scratch memory, as what they are met as; changes them. */
  private void store(Gpr base, int offset, Vec bytes) {
    switch (layout.meet()) {
      case BYTES -> w.store(at(base, offset), bytes);
      case WORDS -> {
        ByteDot.loseZero(w, bytes, 128);
        w.op(VPMOVSXBW, weights, bytes.x());
        w.store(at(base, offset), weights);
        w.op(VEXTRACTI128, bytes.x(), bytes, imm(1));
        w.op(VPMOVSXBW, weights, bytes.x());
        w.store(at(base, offset + 32), weights);
      }
    }
  }

  private void scales(Place from, int to) {
    switch (code) {
      case LongBlockCode blocks when countsUnits() -> {
        blocks.words(wide[0].y(), wide[1].y(), from);
        w.op(VPMOVSXWD, wide[0], wide[0].y());
        w.op(VCVTDQ2PS, wide[0], wide[0]);
        w.store(at(SCRATCH, to), wide[0]);
        w.half(wide[0].y(), from.at(blocks.unit()));
        w.op(VMOVSS, at(SCRATCH, to + layout.minimums()), wide[0].x());
      }
      case LongBlockCode blocks -> {
        blocks.scales16(wide[0], from);
        w.store(at(SCRATCH, to), wide[0]);
        if (blocks instanceof MinimumsApart apart) {
          apart.minimums16(wide[0], from);
          w.store(at(SCRATCH, to + layout.minimums()), wide[0]);
        }
      }
      case ShortBlockCode blocks -> {
        IntFunction<Place> places = block -> from.plus(block * blocks.blockBytes());
        blocks.head().scale().ofRows(wide[0].y(), wide[1].y(), places);
        w.store(at(SCRATCH, to), wide[0].y());
        if (blocks.head() instanceof BlockHead.Affine head) {
          head.minimum().ofRows(wide[0].y(), wide[1].y(), places);
          w.store(at(SCRATCH, to + layout.minimums()), wide[0].y());
        }
      }
    }
  }

  /** The blocks behind the last 256 values, as many as rax says, which it keeps. */
  private void unpackRest(ShortBlockCode blocks, int streams) {
    var block = w.label("block");
    w.op(MOV, STEPS, COUNT);
    w.op(MOV, BYTES, SCRATCH);
    w.op(LEA, SCALES, at(SCRATCH, FewLayout.SCALES));
    w.bind(block);
    for (int i = 0; i < streams; i++) {
      var from = frame.place(i);
      if (isWide()) {
        blocks.bytes64(wide[0], from, from);
      } else {
        blocks.bytes32(wide[0], from);
      }
      store(BYTES, FewLayout.BYTES + layout.rowBytes() * i, wide[0].y());
      blocks.head().scale().ofOne(wide[0].y(), from);
      w.op(VMOVSS, at(SCALES, FewLayout.SCALE_ROW * i), wide[0].x());
      if (blocks.head() instanceof BlockHead.Affine head) {
        head.minimum().ofOne(wide[0].y(), from);
        w.op(VMOVSS, at(SCALES, FewLayout.SCALE_ROW * i + layout.minimums()), wide[0].x());
      }
    }
    frame.advance(blocks.blockBytes());
    w.op(ADD, BYTES, imm(ShortBlockCode.VALUES * layout.meet().bytes()));
    w.op(ADD, SCALES, imm(4));
    w.op(DEC, STEPS);
    w.op(JNE, block);
  }

  /** As many unpacked blocks as rax says against the activations. */
  private void multiply(int streams) {
    var block = w.label("blocks");
    w.op(MOV, BYTES, SCRATCH);
    w.op(LEA, SCALES, at(SCRATCH, FewLayout.SCALES));
    w.loop(block);
    if (!sharesScales()) {
      w.op(VMOVUPS, scale, at(X, layout.scale()));
    }
    int groups = layout.groups() / layout.runs();
    for (int run = 0; run < layout.runs(); run++) {
      begin(run, streams);
      for (int group = 0; group < groups; group++) {
        int of = run * groups + group;
        w.load(x, at(X, of * layout.length()));
        for (int i = 0; i < streams; i++) {
          broadcast(at(BYTES, FewLayout.BYTES + layout.rowBytes() * i + of * layout.width()));
          dot.add(integers[i], weights, x, weights, group == 0);
        }
      }
      for (int i = 0; i < streams; i++) {
        var ofRun = at(SCALES, FewLayout.SCALE_ROW * i + 4 * run);
        end(run, i);
        w.op(VCVTDQ2PS, integers[i], integers[i]);
        if (sharesScales()) {
          add(sums[i], integers[i], ofRun);
        } else {
          times(scale, ofRun);
          w.op(VFMADD231PS, sums[i], integers[i], weights);
        }
      }
    }
    if (code.hasMinimums()) {
      for (int run = 0; run < layout.runs(); run++) {
        minimums(run, streams);
      }
    }
    w.op(ADD, X, imm(layout.blockBytes()));
    w.op(ADD, BYTES, imm(FewLayout.BLOCK * layout.meet().bytes()));
    w.op(ADD, SCALES, imm(4 * layout.runs()));
    w.op(DEC, COUNT);
    w.op(JNE, block);
  }

  private void begin(int run, int streams) {
    for (int i = 0; i < streams; i++) {
      if (code.hasMinimums()) {
        dot.begin(integers[i]);
      } else {
        dot.begin(integers[i], at(X, layout.sum(run)));
      }
    }
  }

  private void end(int run, int stream) {
    if (code.hasMinimums()) {
      dot.end(integers[stream]);
    } else {
      dot.end(integers[stream], at(X, layout.sum(run)));
    }
  }

  /** As many bytes as a token has in a register, in the place of each token. */
  private void broadcast(Mem from) {
    switch (layout.width()) {
      case 4 -> w.op(VPBROADCASTD, weights, from);
      case 8 -> w.op(VPBROADCASTQ, weights, from);
      default -> w.op(isWide() ? VBROADCASTI32X4 : VBROADCASTI128, weights, from);
    }
  }

  /** {@code weights} becomes a vector times one float. */
  private void times(Vec a, Mem each) {
    if (isWide()) {
      w.op(VMULPS, weights, a, each.each());
    } else {
      w.op(VBROADCASTSS, weights, each);
      w.op(VMULPS, weights, weights, a);
    }
  }

  /** Adds a vector times one float; changes {@code weights}. */
  private void add(Vec sum, Vec a, Mem each) {
    if (isWide()) {
      w.op(VFMADD231PS, sum, a, each.each());
    } else {
      w.op(VBROADCASTSS, weights, each);
      w.op(VFMADD231PS, sum, a, weights);
    }
  }

  private void minimums(int run, int streams) {
    w.op(VCVTDQ2PS, x, at(X, layout.sum(run)));
    if (!sharesScales()) {
      w.op(VMULPS, x, x, scale);
    }
    for (int i = 0; i < streams; i++) {
      add(sums[i], x, at(SCALES, FewLayout.SCALE_ROW * i + layout.minimums() + 4 * run));
    }
  }

  /** The lanes of a token become one, and each token's result goes to its own row. */
  private void results(int streams) {
    for (int i = 0; i < streams; i++) {
      var sum = sums[i];
      switch (layout.width()) {
        case 4 -> w.store(at(SCRATCH, FewLayout.RESULTS), sum);
        case 8 -> {
          w.op(VHADDPS, sum, sum, sum);
          w.op(VMOVQ, at(SCRATCH, FewLayout.RESULTS), sum.x());
          w.op(VEXTRACTF128, weights.x(), sum, imm(1));
          w.op(VMOVQ, at(SCRATCH, FewLayout.RESULTS + 8), weights.x());
        }
        default -> {
          w.op(VHADDPS, sum, sum, sum);
          w.op(VHADDPS, sum, sum, sum);
          w.op(VMOVSS, at(SCRATCH, FewLayout.RESULTS), sum.x());
          w.op(VEXTRACTF128, weights.x(), sum, imm(1));
          w.op(VMOVSS, at(SCRATCH, FewLayout.RESULTS + 4), weights.x());
        }
      }
      frame.scatter(at(SCRATCH, FewLayout.RESULTS), i);
    }
  }
}
