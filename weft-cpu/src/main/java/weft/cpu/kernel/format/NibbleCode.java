package weft.cpu.kernel.format;

import static weft.cpu.asm.VectorOp.VPSHUFB;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;

/**
 * The formats of 32 nibbles: a head, then {@link Nibbles}, each a number (Q4_0, Q4_1) or the place
 * of one in a table.
 */
public final class NibbleCode implements ShortBlockCode {
  /** What a nibble means. */
  sealed interface Meaning {
    int zero();

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

  static final Meaning Q4_0 = new Meaning.Number(8);
  static final Meaning Q4_1 = new Meaning.Number(0);
  static final Meaning IQ4_NL = new Meaning.Level(IQ4_LEVELS, 128);
  static final Meaning MXFP4 = new Meaning.Level(MXFP4_LEVELS, 16);

  private final KernelWriter w;
  private final BlockHead head;
  private final Meaning meaning;
  private final Nibbles nibbles;
  private final Vec table;

  private NibbleCode(KernelWriter w, Registers registers, BlockHead head, Meaning meaning) {
    this.w = w;
    this.head = head;
    this.meaning = meaning;
    var t = registers.take();
    nibbles = new Nibbles(w, head.bytes(), registers, t);
    table =
        switch (meaning) {
          case Meaning.Number _ -> t;
          case Meaning.Level level -> w.table(registers.take(), level.levels(), level.zero());
        };
  }

  public static NibbleCode q4_0(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, BlockHead.half(w), Q4_0);
  }

  public static NibbleCode q4_1(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, new BlockHead.Affine(w), Q4_1);
  }

  public static NibbleCode iq4_nl(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, BlockHead.half(w), IQ4_NL);
  }

  public static NibbleCode mxfp4(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, BlockHead.halfOfPower(w), MXFP4);
  }

  @Override
  public BlockHead head() {
    return head;
  }

  @Override
  public int blockBytes() {
    return head.bytes() + Nibbles.BYTES;
  }

  @Override
  public int zero() {
    return meaning.zero();
  }

  @Override
  public int highest() {
    return switch (meaning) {
      case Meaning.Number _ -> 15;
      case Meaning.Level level -> level.highest();
    };
  }

  @Override
  public void bytes64(Vec to, Place a, Place b) {
    nibbles.ofTwo(to, a, b);
    look(to);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    nibbles.ofOne(to, a);
    look(to);
  }

  @Override
  public void halves(Vec first, Vec second, Place[] blocks) {
    nibbles.halves(first, second, blocks);
    look(first);
    look(second);
  }

  private void look(Vec v) {
    if (meaning instanceof Meaning.Level) {
      w.op(VPSHUFB, v, table, v);
    }
  }
}
