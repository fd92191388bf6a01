package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/** {@link Q8_0Code}'s blocks, sixteen rows abreast. */
public final class Q8_0Abreast implements ShortAbreastCode {
  private final KernelWriter w;
  private final BlockHead head;
  private final Vec[] first;
  private final Vec[] second;
  private final Vec highestBits;
  private final Vec t;

  public Q8_0Abreast(KernelWriter w, Registers registers, Stash stash) {
    this.w = w;
    head = BlockHead.half(w);
    first = registers.take(Abreast.REGISTERS);
    second = registers.take(Abreast.REGISTERS);
    highestBits = w.everywhere(registers.take(), "highestBits", 0x80808080);
    t = registers.take();
  }

  @Override
  public int blockBytes() {
    return head.bytes() + ShortBlockCode.VALUES;
  }

  @Override
  public int zero() {
    return 128;
  }

  @Override
  public void block(Abreast rows, Meeting meeting) {
    var a = rows.sixteen(head.bytes(), first);
    var b = rows.sixteen(head.bytes() + Abreast.BYTES, second);
    meeting.begin();
    for (int i = 0; i < 8; i++) {
      w.xor(t, i < 4 ? a[i] : b[i - 4], highestBits);
      meeting.meet(t);
    }
    var scales = Abreast.free(first, 0);
    rows.number(head.scale(), scales, Abreast.free(first, 1));
    meeting.end(scales);
  }
}
