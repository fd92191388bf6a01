package weft.cpu.kernel.attention;

import java.util.Optional;
import weft.quant.Encoding;
import weft.quant.F16;
import weft.quant.F32;
import weft.quant.Q8_0;

/** How keys and values are stored, of what emitted code takes. */
public enum KvKind {
  F16(1, 2),
  F32(1, 4),
  Q8_0(32, 34);

  private final int blockValues;
  private final int blockBytes;

  KvKind(int blockValues, int blockBytes) {
    this.blockValues = blockValues;
    this.blockBytes = blockBytes;
  }

  public static Optional<KvKind> of(Encoding encoding) {
    return switch (encoding) {
      case F16 _ -> Optional.of(F16);
      case F32 _ -> Optional.of(F32);
      case Q8_0 _ -> Optional.of(Q8_0);
      default -> Optional.empty();
    };
  }

  /** Whether many rows meet them as words: what is stored with less than a float has the bits. */
  boolean meetsAsWords() {
    return switch (this) {
      case F32 -> false;
      case F16, Q8_0 -> true;
    };
  }

  /** The bytes of this many numbers, a whole number of blocks. */
  int bytes(int values) {
    return values / blockValues * blockBytes;
  }

  /** How many vectors of this many floats are the least that is whole blocks. */
  int vectors(int lanes) {
    return Math.max(1, blockValues / lanes);
  }
}
