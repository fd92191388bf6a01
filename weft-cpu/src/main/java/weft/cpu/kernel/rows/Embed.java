package weft.cpu.kernel.rows;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.BlockHead;
import weft.cpu.kernel.format.FloatCode;
import weft.cpu.kernel.format.LongBlockCode;
import weft.cpu.kernel.format.MinimumsApart;
import weft.cpu.kernel.format.ShortBlockCode;
import weft.cpu.kernel.product.FormatCode;
import weft.quant.Encoding;

/**
 * Rows of a packed table as floats. AVX2 serves every level: a row is thousands of values, where a
 * token's projections read millions.
 */
public final class Embed {
  /** The values of a unit of work: a long block, or eight short ones. */
  static final int PIECE = LongBlockCode.VALUES;

  private static final Gpr UNIT = FROM;
  private static final Gpr END = R15;
  private static final Gpr VALUES = R10;
  private static final Gpr SOURCE = R8;
  private static final Gpr OUT = R9;

  /** In the scratch: scales, behind them minimums, sixteen at most, then 32 values as bytes. */
  private static final int SCALES = 0;

  private static final int BYTES = 128;
  private static final int GROUP = 32;
  private static final int LANES = 8;

  private final KernelWriter w;
  private final Encoding encoding;
  private final Registers registers = new Registers(Isa.AVX2);
  private final Vec x = registers.take();
  private final Vec scale = registers.take();
  private final Vec minimum = registers.take();
  private final Vec zero = registers.take();

  private Embed(KernelWriter w, Encoding encoding) {
    this.w = new KernelWriter(w.assembler(), Isa.AVX2);
    this.encoding = encoding;
  }

  public static String name(Encoding encoding) {
    return "embed." + encoding.name();
  }

  public static void emit(KernelWriter w, Encoding encoding, FormatCode format) {
    new Embed(w, encoding).emit(format);
  }

  private void emit(FormatCode format) {
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name(encoding));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, END, TO);
    Runnable piece = piece(format);
    w.bind(unit);
    w.note("r8 = the piece of the chosen row, r9 = where it goes, r10 = its values");
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, EmbedArguments.PIECES));
    w.op(MOV, OUT, at(ARGUMENTS, EmbedArguments.TO_BYTES));
    w.op(IMUL, OUT, RAX);
    w.op(ADD, OUT, at(ARGUMENTS, EmbedArguments.TO));
    w.op(MOV, SOURCE, at(ARGUMENTS, EmbedArguments.CHOSEN));
    w.op(MOVSXD, SOURCE, at(SOURCE, RAX, 4).sized(32));
    w.op(IMUL, SOURCE, at(ARGUMENTS, EmbedArguments.ROW_BYTES));
    w.op(ADD, SOURCE, at(ARGUMENTS, EmbedArguments.TABLE));
    w.op(IMUL, RAX, RDX, imm(encoding.bytes(PIECE)));
    w.op(ADD, SOURCE, RAX);
    w.op(IMUL, RDX, RDX, imm(PIECE));
    w.op(LEA, OUT, at(OUT, RDX, 4));
    w.op(MOV, VALUES, at(ARGUMENTS, EmbedArguments.N));
    w.op(SUB, VALUES, RDX);
    w.op(MOV, RAX.d(), imm(PIECE));
    w.op(CMP, VALUES, RAX);
    w.op(CMOVG, VALUES, RAX);
    piece.run();
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
  }

  /** What unpacks a piece; its constants are loaded here, before the first unit. */
  private Runnable piece(FormatCode format) {
    return switch (format) {
      case FormatCode.Floats(var code) -> () -> floats(code);
      case FormatCode.Bytes(var code, _) -> blocks(code.code(w, registers));
      case FormatCode.Nibbles(var code, _) -> blocks(code.code(w, registers));
      case FormatCode.Runs(var code, _, _) -> blocks(code.code(w, registers));
    };
  }

  private Runnable blocks(BlockCode code) {
    if (code.zero() != 0) w.everywhere(zero, "zero", code.zero());
    return switch (code) {
      case ShortBlockCode blocks -> () -> shortBlocks(blocks);
      case LongBlockCode blocks -> () -> longBlock(blocks);
    };
  }

  private void floats(FloatCode code) {
    var eight = w.label("eight");
    var rest = w.label("rest");
    var one = w.label("one");
    var done = w.label("unpacked");
    w.op(SUB, VALUES, imm(LANES));
    w.op(JL, rest);
    w.loop(eight);
    code.load(w, x, at(SOURCE));
    w.op(VMOVUPS, at(OUT), x);
    advance(LANES * code.bytes(), LANES);
    w.op(SUB, VALUES, imm(LANES));
    w.op(JGE, eight);
    w.bind(rest);
    w.op(ADD, VALUES, imm(LANES));
    w.op(JE, done);
    w.bind(one);
    code.loadOne(w, x, at(SOURCE));
    w.op(VMOVSS, at(OUT), x.x());
    advance(code.bytes(), 1);
    w.op(DEC, VALUES);
    w.op(JNE, one);
    w.bind(done);
  }

  private void advance(int bytes, int values) {
    w.op(ADD, SOURCE, imm(bytes));
    w.op(ADD, OUT, imm((long) values * Float.BYTES));
  }

  private void shortBlocks(ShortBlockCode blocks) {
    var block = w.label("block");
    w.loop(block);
    blocks.head().scale().ofOne(scale, Place.of(SOURCE));
    if (blocks.head() instanceof BlockHead.Affine head) {
      head.minimum().ofOne(minimum, Place.of(SOURCE));
    }
    blocks.bytes32(x, Place.of(SOURCE));
    w.store(at(SCRATCH, BYTES), x);
    for (int i = 0; i < GROUP / LANES; i++) value(blocks, i, i);
    advance(blocks.blockBytes(), GROUP);
    w.op(SUB, VALUES, imm(GROUP));
    w.op(JG, block);
  }

  private void longBlock(LongBlockCode blocks) {
    var place = Place.of(SOURCE);
    int scales = LongBlockCode.VALUES / blocks.run();
    w.note("scales and minimums go where each can be spread from");
    blocks.scales8(scale, minimum, place);
    w.store(at(SCRATCH, SCALES), scale);
    if (scales == 16 || blocks.hasMinimums()) w.store(at(SCRATCH, SCALES + 32), minimum);
    if (blocks instanceof MinimumsApart apart) {
      apart.minimums8(scale, minimum, place);
      w.store(at(SCRATCH, SCALES + 64), scale);
      w.store(at(SCRATCH, SCALES + 96), minimum);
    }
    for (int group = 0; group < LongBlockCode.VALUES / GROUP; group++) {
      blocks.bytes32(x, group, place);
      w.store(at(SCRATCH, BYTES), x);
      for (int i = 0; i < GROUP / LANES; i++) {
        int run = (group * GROUP + i * LANES) / blocks.run();
        w.op(VBROADCASTSS, scale, at(SCRATCH, SCALES + 4L * run));
        if (blocks.hasMinimums()) {
          w.op(VBROADCASTSS, minimum, at(SCRATCH, SCALES + 4L * (scales + run)));
        }
        value(blocks, i, group * GROUP / LANES + i);
      }
    }
  }

  /** Eight of the bytes in hand become the {@code at}-th eight values. */
  private void value(BlockCode code, int i, int at) {
    w.op(VPMOVZXBD, x, at(SCRATCH, BYTES + (long) LANES * i));
    if (code.zero() != 0) w.op(VPSUBD, x, x, zero);
    w.op(VCVTDQ2PS, x, x);
    w.op(VMULPS, x, x, scale);
    if (code.hasMinimums()) w.op(VSUBPS, x, x, minimum);
    w.op(VMOVUPS, at(OUT, (long) LANES * Float.BYTES * at), x);
  }
}
