package weft.cpu.kernel;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import java.util.function.IntFunction;
import weft.cpu.asm.Vec;

/**
 * The formats of 32 nibbles under one scale: a scale, then 16 bytes that hold values 0 to 15 below
 * and values 16 to 31 above. A nibble is a number (Q4_0) or the place of one in a table.
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

  /** How the scale is written. */
  enum Scale {
    /** A half float in two bytes. */
    HALF(2),
    /** One byte: half of two to the power of it minus 127, as MXFP4's doubled levels need. */
    HALF_OF_POWER(1);

    private final int bytes;

    Scale(int bytes) {
      this.bytes = bytes;
    }
  }

  static final byte[] IQ4_LEVELS = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };
  private static final byte[] MXFP4_LEVELS = {
    0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12
  };

  private final KernelWriter w;
  private final Scale scale;
  private final HalfScale half;
  private final Meaning meaning;
  private final Vec nibbles;
  private final Vec table;
  private final Vec t;

  private NibbleCode(KernelWriter w, Registers registers, Scale scale, Meaning meaning) {
    this.w = w;
    this.scale = scale;
    half = new HalfScale(w);
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
    return new NibbleCode(w, registers, Scale.HALF, new Meaning.Number(8));
  }

  static NibbleCode iq4_nl(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, Scale.HALF, new Meaning.Level(IQ4_LEVELS, 128));
  }

  static NibbleCode mxfp4(KernelWriter w, Registers registers) {
    return new NibbleCode(w, registers, Scale.HALF_OF_POWER, new Meaning.Level(MXFP4_LEVELS, 16));
  }

  @Override
  public int blockBytes() {
    return scale.bytes + 16;
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
    w.op(VBROADCASTI32X4, to, a.at(scale.bytes));
    w.op(VBROADCASTI32X4, to.merging(UPPER), b.at(scale.bytes));
    w.op(VPSRLW, to.merging(ODD_QUARTERS), to, imm(4));
    w.and(to, to, nibbles);
    look(to);
  }

  @Override
  public void bytes32(Vec to, Place a) {
    w.load(to.x(), a.at(scale.bytes));
    w.op(VPSRLW, t.x(), to.x(), imm(4));
    w.op(VINSERTI128, to, to, t.x(), imm(1));
    w.and(to, to, nibbles);
    look(to);
  }

  /** The first halves of four blocks in 512 bits, and their second halves. */
  void halves(Vec first, Vec second, Place[] blocks) {
    w.load(first.x(), blocks[0].at(scale.bytes));
    for (int i = 1; i < blocks.length; i++) {
      w.op(VINSERTI32X4, first, first, blocks[i].at(scale.bytes), imm(i));
    }
    w.op(VPSRLW, second, first, imm(4));
    w.and(first, first, nibbles);
    w.and(second, second, nibbles);
    look(first);
    look(second);
  }

  /** The scales of some blocks, up to four, in the lanes of 128 bits. */
  void scales4(Vec to, Place[] blocks) {
    var x = to.x();
    switch (scale) {
      case HALF -> {
        w.op(VPBROADCASTW, x, blocks[0].at(0));
        for (int i = 1; i < blocks.length; i++) {
          w.op(VPINSRW, x, x, blocks[i].at(0), imm(i));
        }
        w.op(VCVTPH2PS, x, x);
      }
      case HALF_OF_POWER -> {
        w.op(VPBROADCASTB, x, blocks[0].at(0));
        for (int i = 1; i < blocks.length; i++) {
          w.op(VPINSRB, x, x, blocks[i].at(0), imm(i));
        }
        power(to.x());
      }
    }
  }

  @Override
  public void scales(Vec to, Place a, Place b) {
    switch (scale) {
      case HALF -> half.scales(to, a, b);
      case HALF_OF_POWER -> {
        w.op(VPBROADCASTB, to.x(), a.at(0));
        w.op(VPBROADCASTB, to.x().merging(UPPER), b.at(0));
        power(to);
      }
    }
  }

  @Override
  public void scale(Vec to, Place a) {
    switch (scale) {
      case HALF -> half.scale(to, a);
      case HALF_OF_POWER -> {
        w.op(VPBROADCASTB, to.x(), a.at(0));
        power(to);
      }
    }
  }

  @Override
  public void scalesOfRows(Vec to, Vec u, IntFunction<Place> rows) {
    switch (scale) {
      case HALF -> half.scalesOfRows(to, u, rows);
      case HALF_OF_POWER -> {
        for (int row = 0; row < to.bits() / 32; row++) {
          w.op(VPINSRB, to.x(), to.x(), rows.apply(row).at(0), imm(row));
        }
        power(to);
      }
    }
  }

  /** Bytes in the low part of a register become floats: the exponent, less one, in its place. */
  private void power(Vec to) {
    w.op(VPSUBUSB, to.x(), to.x(), at(w.assembler().bytes("ones8", ones())));
    w.op(VPMOVZXBD, to, to.x());
    w.op(VPSLLD, to, to, imm(23));
  }

  private static byte[] ones() {
    var ones = new byte[16];
    Arrays.fill(ones, (byte) 1);
    return ones;
  }
}
