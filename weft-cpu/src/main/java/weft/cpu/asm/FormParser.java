package weft.cpu.asm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a row of the instruction table in the notation that {@link Op} describes. */
final class FormParser {
  private static final Pattern SLOT =
      Pattern.compile(
          "(CL|1|[KIJ][a-z]|ML?|[GEROBVHWUL])([bwdqyx])?(?:/([248]))?(?::(\\d+))?"
              + "(?:\\{(32|64)})?(\\{er})?");

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
    for (var token : row.split(" +")) {
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
    } else if (token.matches("/[0-7]")) {
      digit = token.charAt(1) - '0';
    } else if (token.startsWith("=")) {
      last = Integer.parseInt(token.substring(1), 16);
    } else if (token.equals("nomask")) {
      maskable = false;
    } else if (token.matches("[0-9A-F]{2}(\\+r)?")) {
      readOpcode(Integer.parseInt(token.substring(0, 2), 16), token.endsWith("+r"));
    } else {
      slots.add(slot(token));
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

  private Slot slot(String token) {
    var m = SLOT.matcher(token);
    if (!m.matches()) {
      throw malformed(token);
    }
    return switch (m.group(1)) {
      case "G" -> general(Slot.Place.REG, m, true, false);
      case "E" -> general(Slot.Place.RM, m, true, true);
      case "R" -> general(Slot.Place.RM, m, true, false);
      case "O" -> general(Slot.Place.OPCODE, m, true, false);
      case "B" -> general(Slot.Place.VVVV, m, true, false);
      case "M" -> general(Slot.Place.RM, m, false, true);
      case "V" -> vector(Slot.Place.REG, m, true, false);
      case "H" -> vector(Slot.Place.VVVV, m, true, false);
      case "L" -> vector(Slot.Place.HIGH_NIBBLE, m, true, false);
      case "W" -> vector(Slot.Place.RM, m, true, true);
      case "U" -> vector(Slot.Place.RM, m, true, false);
      case "ML" -> vector(Slot.Place.RM, m, false, true);
      case "Kr" -> mask(Slot.Place.REG, m);
      case "Kv" -> mask(Slot.Place.VVVV, m);
      case "Km" -> mask(Slot.Place.RM, m);
      case "Is" -> simple(Slot.Place.IMMEDIATE, Slot.Kind.SIGNED, 8);
      case "Ib" -> simple(Slot.Place.IMMEDIATE, Slot.Kind.UNSIGNED, 8);
      case "Iw" -> simple(Slot.Place.IMMEDIATE, Slot.Kind.UNSIGNED, 16);
      case "Id" -> simple(Slot.Place.IMMEDIATE, Slot.Kind.SIGNED, 32);
      case "Iq" -> simple(Slot.Place.IMMEDIATE, Slot.Kind.SIGNED, 64);
      case "Jb" -> simple(Slot.Place.BRANCH, Slot.Kind.LABEL, 8);
      case "Jd" -> simple(Slot.Place.BRANCH, Slot.Kind.LABEL, 32);
      case "CL" -> simple(Slot.Place.IMPLIED, Slot.Kind.COUNT_CL, 8);
      case "1" -> simple(Slot.Place.IMPLIED, Slot.Kind.COUNT_ONE, 8);
      default -> throw malformed(token);
    };
  }

  private static Slot general(Slot.Place place, Matcher m, boolean register, boolean memory) {
    var size = m.group(2);
    int bits =
        size == null
            ? 0
            : switch (size) {
              case "b" -> 8;
              case "w" -> 16;
              case "d" -> 32;
              case "q" -> 64;
              default -> Slot.BY_W;
            };
    return new Slot(
        place, Slot.Kind.GENERAL, register, memory, bits, 1, number(m.group(4)), 0, false);
  }

  private static Slot vector(Slot.Place place, Matcher m, boolean register, boolean memory) {
    var size = m.group(2);
    int bits =
        size == null
            ? Slot.BY_LENGTH
            : switch (size) {
              case "x" -> 128;
              default -> 256;
            };
    int divisor = m.group(3) == null ? 1 : number(m.group(3));
    return new Slot(
        place,
        Slot.Kind.VECTOR,
        register,
        memory,
        bits,
        divisor,
        number(m.group(4)),
        number(m.group(5)),
        m.group(6) != null);
  }

  private static Slot mask(Slot.Place place, Matcher m) {
    int memoryBits = number(m.group(4));
    return new Slot(
        place, Slot.Kind.MASK, true, memoryBits != 0, memoryBits, 1, memoryBits, 0, false);
  }

  private static Slot simple(Slot.Place place, Slot.Kind kind, int bits) {
    return new Slot(place, kind, false, false, bits, 1, 0, 0, false);
  }

  private static int number(@org.jspecify.annotations.Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private AsmException malformed(String token) {
    return new AsmException("'" + token + "' in the instruction row '" + row + "' is no notation");
  }
}
