package weft.cuda.ptx;

import java.util.HexFormat;

/** A number in an instruction. */
public final class Imm {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Imm() {}

  /** 32 bits. */
  record I32(int value) implements Operand.Word {
    @Override
    public String text() {
      return Integer.toString(value);
    }
  }

  /** 32 bits that are no number: masks and selectors. */
  record Bits(int value) implements Operand.Word {
    @Override
    public String text() {
      return "0x" + HEX.toHexDigits(value);
    }
  }

  /** 64 bits. */
  record I64(long value) implements Operand.Wide {
    @Override
    public String text() {
      return Long.toString(value);
    }
  }

  /** A float by its bits: decimal digits would be rounded by their reader. */
  record R32(float value) implements Operand.Real {
    @Override
    public String text() {
      return "0f" + HEX.toHexDigits(Float.floatToRawIntBits(value));
    }
  }

  public static Operand.Word imm(int value) {
    return new I32(value);
  }

  public static Operand.Word bits(int value) {
    return new Bits(value);
  }

  public static Operand.Wide wide(long value) {
    return new I64(value);
  }

  public static Operand.Real real(float value) {
    return new R32(value);
  }
}
