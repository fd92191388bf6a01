package weft.cpu.asm;

import java.util.ArrayList;
import java.util.List;

/** Reads a row of the instruction table in the notation that {@link Op} describes. */
final class FormParser {
  private final String row;
  private Form.Scheme scheme = Form.Scheme.LEGACY;
  private int prefix;
  private boolean lock;
  private int map;
  private boolean wide;
  private int lengths;
  private final List<Integer> opcode = new ArrayList<>();
  private int digit = Form.NO_MODRM;
  private int last = -1;
  private boolean maskable = true;
  private final List<Slot> slots = new ArrayList<>();

  private FormParser(String row) {
    this.row = row;
  }

  /** The forms of a row: one, or a VEX and an EVEX form where the row describes both. */
  static List<Form> parse(String row) {
    if (!row.startsWith("VEX+EVEX.")) {
      return List.of(new FormParser(row).parse());
    }
    var rest = row.substring("VEX+EVEX.".length());
    return List.of(
        new FormParser("VEX." + rest.replace("EW1", "WIG")).parse(),
        new FormParser("EVEX." + rest.replace("EW1", "W1")).parse());
  }

  private Form parse() {
    for (var token : row.split(" ")) {
      read(token);
    }
    return new Form(
        row,
        scheme,
        prefix,
        lock,
        map,
        wide,
        lengths,
        List.copyOf(opcode),
        digit,
        last,
        maskable,
        List.copyOf(slots));
  }

  private void read(String token) {
    if (token.startsWith("VEX.") || token.startsWith("EVEX.")) {
      readVectorPrefix(token);
    } else if (token.equals("REX.W")) {
      wide = true;
    } else if (token.equals("/r")) {
      digit = Form.REGISTER;
    } else if (token.startsWith("/")) {
      digit = token.charAt(1) - '0';
    } else if (token.startsWith("=")) {
      last = Integer.parseInt(token.substring(1), 16);
    } else if (token.equals("nomask")) {
      maskable = false;
    } else if (isHex(token)) {
      readOpcode(Integer.parseInt(token.substring(0, 2), 16), token.endsWith("+r"));
    } else {
      slots.add(SlotParser.parse(token));
    }
  }

  private void readOpcode(int value, boolean takesRegister) {
    boolean first = opcode.isEmpty() && scheme == Form.Scheme.LEGACY && !takesRegister;
    if (first && value == 0xF0) {
      lock = true;
    } else if (first && prefix == 0 && (value == 0x66 || value == 0xF2 || value == 0xF3)) {
      prefix = value;
    } else {
      opcode.add(value);
    }
  }

  private void readVectorPrefix(String token) {
    for (var part : token.split("\\.")) {
      switch (part) {
        case "VEX" -> scheme = Form.Scheme.VEX;
        case "EVEX" -> scheme = Form.Scheme.EVEX;
        case "66", "F2", "F3" -> prefix = Integer.parseInt(part, 16);
        case "0F" -> map = 1;
        case "0F38" -> map = 2;
        case "0F3A" -> map = 3;
        case "W1" -> wide = true;
        case "W0", "WIG", "W" -> {}
        case "128", "LIG", "LZ" -> lengths |= 128;
        case "256" -> lengths |= 256;
        case "512" -> lengths |= 512;
        default -> throw malformed(token);
      }
    }
    if (scheme == Form.Scheme.VEX) {
      lengths &= 128 + 256;
    }
    if (lengths == 0) {
      lengths = scheme == Form.Scheme.VEX ? 128 + 256 : 128 + 256 + 512;
    }
  }

  private static boolean isHex(String token) {
    return (token.length() == 2 || token.endsWith("+r"))
        && Character.digit(token.charAt(0), 16) >= 0
        && Character.digit(token.charAt(1), 16) >= 0
        && !Character.isLowerCase(token.charAt(1));
  }

  private AsmException malformed(String token) {
    return new AsmException("'" + token + "' in the instruction row '" + row + "' is no notation");
  }
}
