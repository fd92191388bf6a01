package weft.cpu.asm;

/** A general-purpose register seen at one of its widths: {@code RAX.d()} is {@code eax}. */
public record Gpr(int number, int bits) implements Operand {
  public static final Gpr RAX = new Gpr(0, 64);
  public static final Gpr RCX = new Gpr(1, 64);
  public static final Gpr RDX = new Gpr(2, 64);
  public static final Gpr RBX = new Gpr(3, 64);
  public static final Gpr RSP = new Gpr(4, 64);
  public static final Gpr RBP = new Gpr(5, 64);
  public static final Gpr RSI = new Gpr(6, 64);
  public static final Gpr RDI = new Gpr(7, 64);
  public static final Gpr R8 = new Gpr(8, 64);
  public static final Gpr R9 = new Gpr(9, 64);
  public static final Gpr R10 = new Gpr(10, 64);
  public static final Gpr R11 = new Gpr(11, 64);
  public static final Gpr R12 = new Gpr(12, 64);
  public static final Gpr R13 = new Gpr(13, 64);
  public static final Gpr R14 = new Gpr(14, 64);
  public static final Gpr R15 = new Gpr(15, 64);

  private static final String[] LEGACY = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

  public Gpr {
    if (number < 0 || number > 15) {
      throw new AsmException("a general-purpose register is numbered 0 to 15, got " + number);
    }
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw new AsmException("a general-purpose register has 8, 16, 32 or 64 bits, got " + bits);
    }
  }

  /** The low 32 bits. */
  public Gpr d() {
    return new Gpr(number, 32);
  }

  /** The low 16 bits. */
  public Gpr w() {
    return new Gpr(number, 16);
  }

  /** The low 8 bits. */
  public Gpr b() {
    return new Gpr(number, 8);
  }

  /** True for spl, bpl, sil and dil, which only a REX prefix can name. */
  boolean isByteByRex() {
    return bits == 8 && number >= 4 && number < 8;
  }

  @Override
  public String toString() {
    if (number >= 8) {
      return "r"
          + number
          + switch (bits) {
            case 8 -> "b";
            case 16 -> "w";
            case 32 -> "d";
            default -> "";
          };
    }
    var name = LEGACY[number];
    return switch (bits) {
      case 8 -> (number < 4 ? name.substring(0, 1) : name) + "l";
      case 16 -> name;
      case 32 -> "e" + name;
      default -> "r" + name;
    };
  }
}
