package weft.cpu.asm;

/** Reads one operand of a row in the notation that {@link Op} describes. */
final class SlotParser {
  private final String token;
  private int at;

  private SlotParser(String token) {
    this.token = token;
  }

  static Slot parse(String token) {
    return switch (token) {
      case "Is" -> fixed(Slot.Place.IMMEDIATE, Slot.Kind.SIGNED, 8);
      case "Ib" -> fixed(Slot.Place.IMMEDIATE, Slot.Kind.UNSIGNED, 8);
      case "Iw" -> fixed(Slot.Place.IMMEDIATE, Slot.Kind.UNSIGNED, 16);
      case "Id" -> fixed(Slot.Place.IMMEDIATE, Slot.Kind.SIGNED, 32);
      case "Iq" -> fixed(Slot.Place.IMMEDIATE, Slot.Kind.SIGNED, 64);
      case "Jb" -> fixed(Slot.Place.BRANCH, Slot.Kind.LABEL, 8);
      case "Jd" -> fixed(Slot.Place.BRANCH, Slot.Kind.LABEL, 32);
      case "CL" -> fixed(Slot.Place.IMPLIED, Slot.Kind.COUNT_CL, 8);
      case "1" -> fixed(Slot.Place.IMPLIED, Slot.Kind.COUNT_ONE, 8);
      default -> new SlotParser(token).registerOrMemory();
    };
  }

  private static Slot fixed(Slot.Place place, Slot.Kind kind, int bits) {
    return new Slot(place, kind, false, false, bits, 1, 0, 0, false);
  }

  private Slot registerOrMemory() {
    return switch (token.charAt(at++)) {
      case 'G' -> general(Slot.Place.REG, true, false);
      case 'E' -> general(Slot.Place.RM, true, true);
      case 'R' -> general(Slot.Place.RM, true, false);
      case 'O' -> general(Slot.Place.OPCODE, true, false);
      case 'B' -> general(Slot.Place.VVVV, true, false);
      case 'V' -> vector(Slot.Place.REG, true, false);
      case 'H' -> vector(Slot.Place.VVVV, true, false);
      case 'L' -> vector(Slot.Place.HIGH_NIBBLE, true, false);
      case 'W' -> vector(Slot.Place.RM, true, true);
      case 'U' -> vector(Slot.Place.RM, true, false);
      case 'M' -> memory();
      case 'K' -> oneOfEight(Slot.Kind.MASK);
      case 'T' -> oneOfEight(Slot.Kind.TILE);
      default -> throw malformed();
    };
  }

  private Slot memory() {
    if (takes("S")) {
      return ended(new Slot(Slot.Place.RM, Slot.Kind.STRIDED, false, true, 0, 1, 0, 0, false));
    }
    return takes("L") ? vector(Slot.Place.RM, false, true) : general(Slot.Place.RM, false, true);
  }

  private Slot general(Slot.Place place, boolean register, boolean memory) {
    int bits = 0;
    if (takes("b")) {
      bits = 8;
    } else if (takes("w")) {
      bits = 16;
    } else if (takes("d")) {
      bits = 32;
    } else if (takes("q")) {
      bits = 64;
    } else if (takes("y")) {
      bits = Slot.BY_W;
    }
    int memoryBits = takes(":") ? number() : 0;
    return ended(
        new Slot(place, Slot.Kind.GENERAL, register, memory, bits, 1, memoryBits, 0, false));
  }

  private Slot vector(Slot.Place place, boolean register, boolean memory) {
    int bits = takes("x") ? 128 : takes("y") ? 256 : Slot.BY_LENGTH;
    int divisor = takes("/") ? number() : 1;
    int memoryBits = takes(":") ? number() : 0;
    int broadcastBits = takes("{32}") ? 32 : takes("{64}") ? 64 : 0;
    boolean rounding = takes("{er}");
    return ended(
        new Slot(
            place,
            Slot.Kind.VECTOR,
            register,
            memory,
            bits,
            divisor,
            memoryBits,
            broadcastBits,
            rounding));
  }

  private Slot oneOfEight(Slot.Kind kind) {
    var place =
        switch (token.charAt(at++)) {
          case 'r' -> Slot.Place.REG;
          case 'v' -> Slot.Place.VVVV;
          case 'm' -> Slot.Place.RM;
          default -> throw malformed();
        };
    int memoryBits = takes(":") ? number() : 0;
    return ended(new Slot(place, kind, true, memoryBits != 0, memoryBits, 1, memoryBits, 0, false));
  }

  private boolean takes(String text) {
    boolean there = token.startsWith(text, at);
    at += there ? text.length() : 0;
    return there;
  }

  private int number() {
    int value = 0;
    while (at < token.length() && Character.isDigit(token.charAt(at))) {
      value = 10 * value + token.charAt(at++) - '0';
    }
    return value;
  }

  private Slot ended(Slot slot) {
    if (at < token.length()) {
      throw malformed();
    }
    return slot;
  }

  private AsmException malformed() {
    return new AsmException("'" + token + "' is no operand of an instruction row, at " + at);
  }
}
