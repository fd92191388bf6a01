package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VPSHUFB;
import static weft.cpu.asm.VectorOp.VPSRLW;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.NibbleCode.Meaning;

/** The blocks of {@link NibbleCode}, sixteen rows abreast. */
public final class NibbleAbreast implements ShortAbreastCode {
  private final KernelWriter w;
  private final BlockHead head;
  private final Meaning meaning;
  private final Vec[] packed;
  private final Vec nibbles;
  private final Vec table;
  private final Vec t;

  private NibbleAbreast(KernelWriter w, Registers registers, BlockHead head, Meaning meaning) {
    this.w = w;
    this.head = head;
    this.meaning = meaning;
    packed = registers.take(Abreast.REGISTERS);
    nibbles = w.everywhere(registers.take(), "nibbles", 0x0f0f0f0f);
    t = registers.take();
    table =
        switch (meaning) {
          case Meaning.Number _ -> t;
          case Meaning.Level level -> w.table(registers.take(), level.levels(), level.zero());
        };
  }

  public static NibbleAbreast q4_0(KernelWriter w, Registers registers, Stash stash) {
    return new NibbleAbreast(w, registers, BlockHead.half(w), NibbleCode.Q4_0);
  }

  public static NibbleAbreast q4_1(KernelWriter w, Registers registers, Stash stash) {
    return new NibbleAbreast(w, registers, new BlockHead.Affine(w), NibbleCode.Q4_1);
  }

  public static NibbleAbreast iq4_nl(KernelWriter w, Registers registers, Stash stash) {
    return new NibbleAbreast(w, registers, BlockHead.half(w), NibbleCode.IQ4_NL);
  }

  public static NibbleAbreast mxfp4(KernelWriter w, Registers registers, Stash stash) {
    return new NibbleAbreast(w, registers, BlockHead.halfOfPower(w), NibbleCode.MXFP4);
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
  public void block(Abreast rows, Meeting meeting) {
    var values = rows.sixteen(head.bytes(), packed);
    meeting.begin();
    for (int i = 0; i < 8; i++) {
      if (i < 4) {
        w.and(t, values[i], nibbles);
      } else {
        w.op(VPSRLW, t, values[i - 4], imm(4));
        w.and(t, t, nibbles);
      }
      if (meaning instanceof Meaning.Level) {
        w.op(VPSHUFB, t, table, t);
      }
      meeting.meet(t);
    }
    var number = Abreast.free(packed, 0);
    rows.number(head.scale(), number, Abreast.free(packed, 1));
    meeting.end(number);
    if (head instanceof BlockHead.Affine affine) {
      rows.number(affine.minimum(), number, Abreast.free(packed, 1));
      meeting.minimums(number);
    }
  }
}
