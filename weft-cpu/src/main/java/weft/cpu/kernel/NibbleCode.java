package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Vec;

/**
 * The formats of 32 nibbles: a head, then 16 bytes that hold values 0 to 15 below and values 16 to
 * 31 above. A nibble is a number (Q4_0, Q4_1) or the place of one in a table.
 */
final class NibbleCode implements ShortBlockCode {
  /** What a nibble means. */
  sealed interface Meaning {
    /** A number from which {@code zero} is taken. */
    record Number(int zero) implements Meaning {}

    /** The number at that place of the levels, to which {@code zero} is added to make it a byte. */
    record Level(byte[] levels, int zero) implements Meaning {
      int highest() {
        int highest = 0;
        for (var level : levels) {
          highest = Math.max(highest, level + zero);
        }
        return highest;
      }
    }
  }

  static final byte[] IQ4_LEVELS = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };
  private static final byte[] MXFP4_LEVELS = {
    0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12
  };

  private final KernelWriter w;
  private final BlockHead head;
  private final Meaning meaning;
  private final Vec nibbles;
  private final Vec table;
  private final Vec t;

  private NibbleCode(KernelWriter w, Registers registers, BlockHead head, Meaning meaning) {
    this.w = w;
    this.head = head;
    this.meaning = meaning;
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    t = registers.take();
    table =
        switch (meaning) {
          case Meaning.Number _ -> nibbles;
          case Meaning.Level level -> w.table(registers.take(), level.levels(), level.zero());
        };
  }

  static NibbleCode q4_0(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, BlockHead.half(w), new Meaning.Number(8));
  }

  static NibbleCode q4_1(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, new BlockHead.Affine(w), new Meaning.Number(0));
  }

  static NibbleCode iq4_nl(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, BlockHead.half(w), new Meaning.Level(IQ4_LEVELS, 128));
  }

  static NibbleCode mxfp4(KernelWriter w, Registers registers) {
    var levels = new Meaning.Level(MXFP4_LEVELS, 16);
    return new NibbleCode(w, registers, BlockHead.halfOfPower(w), levels);
  }

  @Override
  public BlockHead head() {
    return head;
  }

  @Override
  public int blockBytes() {
    return head.bytes() + 16;
  }

  @Override
  public int zero() {
    return switch (meaning) {
      case Meaning.Number number -> number.zero();
      case Meaning.Level level -> level.zero();
    };
  }

  @Override
  public int highest() {
    return switch (meaning) {
      case Meaning.Number _ -> 15;
      case Meaning.Level level -> level.highest();
    };
  }

  private void look(Vec v) {
    if (meaning instanceof Meaning.Level) {
      w.op(VPSHUFB, v, table, v);
    }
  }

  @Override
  public void bytes64(Vec to, Place a, Place b) {
    w.op(VBROADCASTI32X4, to, a.at(head.bytes()));
    w.op(VBROADCASTI32X4, to.merging(UPPER), b.at(head.bytes()));
    w.op(VPSRLW, to.merging(ODD_QUARTERS), to, imm(4));
    w.and(to, to, nibbles);
    look(to);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    w.load(to.x(), a.at(head.bytes()));
    w.op(VPSRLW, t.x(), to.x(), imm(4));
    w.op(VINSERTI128, to, to, t.x(), imm(1));
    w.and(to, to, nibbles);
    look(to);
  }

  /** The first halves of four blocks in 512 bits, and their second halves. */
  void halves(Vec first, Vec second, Place[] blocks) {
    w.load(first.x(), blocks[0].at(head.bytes()));
    for (int i = 1; i < blocks.length; i++) {
      w.op(VINSERTI32X4, first, first, blocks[i].at(head.bytes()), imm(i));
    }
    w.op(VPSRLW, second, first, imm(4));
    w.and(first, first, nibbles);
    w.and(second, second, nibbles);
    look(first);
    look(second);
  }
}
