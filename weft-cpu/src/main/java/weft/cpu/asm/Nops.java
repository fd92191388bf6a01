package weft.cpu.asm;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** The manual's recommended sequences of bytes that do nothing. */
final class Nops {
  private static final String[] BY_LENGTH = {
    "",
    "90",
    "6690",
    "0f1f00",
    "0f1f4000",
    "0f1f440000",
    "660f1f440000",
    "0f1f8000000000",
    "0f1f840000000000",
    "660f1f840000000000"
  };

  private Nops() {}

  static byte[] of(int bytes) {
    var out = new ByteArrayOutputStream(bytes);
    for (int left = bytes; left > 0; left -= Math.min(left, 9)) {
      out.writeBytes(HexFormat.of().parseHex(BY_LENGTH[Math.min(left, 9)]));
    }
    return out.toByteArray();
  }
}
