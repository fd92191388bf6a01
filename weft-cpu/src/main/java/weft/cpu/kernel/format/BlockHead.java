package weft.cpu.kernel.format;

import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.BlockNumber.Half;
import weft.cpu.kernel.format.BlockNumber.Half.Sign;

/** What a block of 32 values has before its quants: a scale and, in some formats, a minimum. */
public sealed interface BlockHead {
  int bytes();

  BlockNumber scale();

  /** A scale alone. */
  record Scaled(int bytes, BlockNumber scale) implements BlockHead {}

  /** A half float that scales, and one that is added, which is minus the minimum. */
  record Affine(KernelWriter w) implements BlockHead {
    private static final int ADDED = 2;

    @Override
    public int bytes() {
      return 4;
    }

    @Override
    public BlockNumber scale() {
      return new Half(w, 0, Sign.AS_STORED);
    }

    public BlockNumber minimum() {
      return new Half(w, ADDED, Sign.TURNED);
    }
  }

  static BlockHead half(KernelWriter w) {
    return new Scaled(2, new Half(w, 0, Sign.AS_STORED));
  }

  /** As MXFP4's doubled levels need it. */
  static BlockHead halfOfPower(KernelWriter w) {
    return new Scaled(1, new BlockNumber.HalfOfPower(w));
  }
}
