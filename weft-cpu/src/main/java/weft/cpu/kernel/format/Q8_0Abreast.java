package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/** {@link Q8_0Code}'s blocks, sixteen rows abreast. */
public final class Q8_0Abreast implements ShortAbreastCode {
  private final KernelWriter w;
  private final BlockHead head;
  private final Vec[] packed;
  private final Vec highestBits;
  private final Vec t;

  public Q8_0Abreast(KernelWriter w, Registers registers, Stash stash) {
    this.w = w;
    head = BlockHead.half(w);
    packed = registers.take(Abreast.WIDE_REGISTERS);
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
    var values = rows.thirtyTwo(head.bytes(), packed);
    meeting.begin();
    for (var four : values) {
      w.xor(t, four, highestBits);
      meeting.meet(t);
    }
    var scales = Abreast.free(packed, 0);
    rows.number(head.scale(), scales, Abreast.free(packed, 1));
    meeting.end(scales);
  }
}
