package weft.cpu.kernel;

import weft.cpu.asm.Vec;

/** Q4_0: {@code d:2, q:16}; a nibble stands for itself minus 8. */
final class Q4_0Code implements ShortBlockCode {
  private static final int QUANTS = 2;

  private final KernelWriter w;
  private final Nibbles nibbles;
  private final Vec t;

  Q4_0Code(KernelWriter w, Registers registers) {
    this.w = w;
    nibbles = new Nibbles(w, registers);
    t = registers.take();
  }

  @Override
  public KernelWriter writer() {
    return w;
  }

  @Override
  public int blockBytes() {
    return 18;
  }

  @Override
  public int zero() {
    return 8;
  }

  @Override
  public int highest() {
    return 15;
  }

  @Override
  public void bytes(Vec to, Place a, Place b) {
    nibbles.spread(to, a.at(QUANTS), b.at(QUANTS));
  }

  @Override
  public void bytes(Vec to, Place a) {
    nibbles.spread(to, a.at(QUANTS), t);
  }
}
