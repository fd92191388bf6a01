package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The heads of {@link SixBitScales} of sixteen rows side by side: dwords of {@code d, dmin}, of
 * scales 0–3 with high bits of 4–7, of minimums 0–3 with those of 4–7, and of the low nibbles of
 * both 4–7.
 */
final class SixBitAbreast {
  /** The places of the stash that are taken here. */
  static final int STASHED = 5;

  private static final int UNITS = 0;
  private static final int SCALES = 1;
  private static final int MINIMUMS = 3;

  private final KernelWriter w;
  private final Stash stash;

  SixBitAbreast(KernelWriter w, Stash stash) {
    this.w = w;
    this.stash = stash;
  }

  private Mem each(String name, int bits) {
    return at(w.assembler().ints(name, bits)).each();
  }

  /** Reads the heads. */
  void read(Abreast rows, Vec[] in) {
    var head = rows.sixteen(0, in);
    var t = in[3];
    var six = each("six", 0x3f3f3f3f);
    var nibbles = each("nibbles", 0x0f0f0f0f);
    var pairs = each("pairs", 0x30303030);
    w.store(stash.at(UNITS), head[0]);
    w.and(t, head[1], six);
    w.store(stash.at(SCALES), t);
    w.and(t, head[2], six);
    w.store(stash.at(MINIMUMS), t);
    w.op(VPSRLD, head[1], head[1], imm(2));
    w.and(t, head[3], nibbles);
    w.orAnd(t, head[1], pairs);
    w.store(stash.at(SCALES + 1), t);
    w.op(VPSRLD, head[2], head[2], imm(2));
    w.op(VPSRLD, head[3], head[3], imm(4));
    w.and(t, head[3], nibbles);
    w.orAnd(t, head[2], pairs);
    w.store(stash.at(MINIMUMS + 1), t);
  }

  /** The scale of a run, as an integer. */
  void scale(Vec to, int run) {
    var four = stash.at(SCALES + run / 4);
    switch (run % 4) {
      case 0 -> {
        w.load(to, four);
        w.and(to, to, each("byte", 0xff));
      }
      case 3 -> w.op(VPSRLD, to, four, imm(24));
      default -> {
        w.op(VPSRLD, to, four, imm(8 * (run % 4)));
        w.and(to, to, each("byte", 0xff));
      }
    }
  }

  void unit(Vec to) {
    w.load(to, stash.at(UNITS));
    w.op(VPMOVDW, to.y(), to);
    w.op(VCVTPH2PS, to, to.y());
  }

  void minimumUnit(Vec to) {
    w.op(VPSRLD, to, stash.at(UNITS), imm(16));
    w.op(VPMOVDW, to.y(), to);
    w.op(VCVTPH2PS, to, to.y());
  }

  /** Two bytes of each dword become words. */
  void minimums(Vec to, int pair) {
    var choice = new byte[64];
    for (int i = 0; i < choice.length; i++) {
      choice[i] = (byte) (i % 2 == 1 ? 0x80 : i / 4 * 4 % 16 + 2 * (pair % 2) + i % 4 / 2);
    }
    w.load(to, stash.at(MINIMUMS + pair / 2));
    w.op(VPSHUFB, to, to, at(w.assembler().bytes("pair" + pair % 2, choice)));
  }
}
