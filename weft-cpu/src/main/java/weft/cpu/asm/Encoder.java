package weft.cpu.asm;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Turns one matched form into bytes: prefixes, opcode, ModRM, SIB, displacement, immediate.
 *
 * <p>Here and in {@link Form} types are asked with instanceof: a switch over patterns links itself
 * at its first run, milliseconds each, and this runs before the first token.
 */
final class Encoder {
  private final Form form;
  private final Form.Match match;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(16);

  private int reg;
  private int vvvv;
  private int opcodeRegister;
  private int highNibble = -1;
  private Optional<Operand> rm = Optional.empty();
  private int rmMemoryBits;
  private Optional<Masked> masked = Optional.empty();
  private boolean byteByRex;
  private Optional<Slot> immediateSlot = Optional.empty();
  private long immediate;
  private Optional<Label> relativeTo = Optional.empty();
  private int relativeAt;

  private Encoder(Form form, Form.Match match) {
    this.form = form;
    this.match = match;
  }

  /**
   * The bytes of an instruction; where an operand is relative to a label, {@code relativeAt} is the
   * place of its four bytes, to be filled in when addresses are known.
   */
  record Encoded(byte[] bytes, Optional<Label> relativeTo, int relativeAt) {}

  static Encoded encode(Form form, Form.Match match) {
    return new Encoder(form, match).encode();
  }

  private Encoded encode() {
    for (int i = 0; i < form.slots().size(); i++) {
      place(form.slots().get(i), match.operands().get(i));
    }
    if (form.digit() >= 0) {
      reg = form.digit();
    }
    switch (form.scheme()) {
      case LEGACY -> legacyPrefixes();
      case VEX -> vex();
      case EVEX -> evex();
    }
    opcode();
    if (form.digit() != Form.NO_MODRM) {
      modRm();
    }
    immediates();
    return new Encoded(out.toByteArray(), relativeTo, relativeAt);
  }

  private void place(Slot slot, Operand given) {
    if (given instanceof Masked m) {
      masked = Optional.of(m);
    }
    var operand = Form.plain(given);
    if (operand instanceof Gpr g) {
      byteByRex |= g.isByteByRex();
    }
    switch (slot.place()) {
      case REG -> reg = number(operand);
      case VVVV -> vvvv = number(operand);
      case OPCODE -> opcodeRegister = number(operand);
      case HIGH_NIBBLE -> highNibble = number(operand);
      case RM -> {
        rm = Optional.of(operand);
        boolean broadcast = operand instanceof Mem m && m.broadcast();
        rmMemoryBits = slot.sizeInMemory(match.length(), match.wide(), broadcast);
      }
      case IMMEDIATE -> {
        immediateSlot = Optional.of(slot);
        immediate = ((Imm) operand).value();
      }
      case BRANCH, IMPLIED -> {}
    }
  }

  private static int number(Operand register) {
    if (register instanceof Vec v) {
      return v.number();
    }
    if (register instanceof Tmm t) {
      return t.number();
    }
    return register instanceof Gpr g ? g.number() : ((Mask) register).number();
  }

  private void legacyPrefixes() {
    if (form.lock()) {
      out.write(0xF0);
    }
    if (form.prefix() != 0) {
      out.write(form.prefix());
    }
    int rex =
        (match.wide() ? 8 : 0)
            | bit3(reg) << 2
            | indexBit3() << 1
            | rmBit3()
            | bit3(opcodeRegister);
    if (rex != 0 || byteByRex) {
      out.write(0x40 | rex);
    }
  }

  private void vex() {
    int r = 1 - bit3(reg);
    int x = 1 - indexBit3();
    int b = 1 - rmBit3();
    int tail = (~vvvv & 15) << 3 | (match.length() == 256 ? 4 : 0) | prefixCode();
    if (form.map() == 1 && x == 1 && b == 1 && !match.wide()) {
      out.write(0xC5);
      out.write(r << 7 | tail);
    } else {
      out.write(0xC4);
      out.write(r << 7 | x << 6 | b << 5 | form.map());
      out.write((match.wide() ? 0x80 : 0) | tail);
    }
  }

  private void evex() {
    // A vector register in ModRM.rm takes its fifth bit from X, which otherwise extends an index.
    int x = rm.isPresent() && rm.get() instanceof Vec v ? bit4(v.number()) : indexBit3();
    out.write(0x62);
    out.write(
        (1 - bit3(reg)) << 7
            | (1 - x) << 6
            | (1 - rmBit3()) << 5
            | (1 - bit4(reg)) << 4
            | form.map());
    out.write((match.wide() ? 0x80 : 0) | (~vvvv & 15) << 3 | 4 | prefixCode());
    boolean broadcast = rm.isPresent() && rm.get() instanceof Mem m && m.broadcast();
    var rounding = match.rounding();
    int length = rounding.isPresent() ? rounding.get().code() : lengthCode();
    int mask = masked.isPresent() ? masked.get().mask().number() : 0;
    boolean zeroing = masked.isPresent() && masked.get().zeroing();
    out.write(
        (zeroing ? 0x80 : 0)
            | length << 5
            | (broadcast || rounding.isPresent() ? 0x10 : 0)
            | (1 - bit4(vvvv)) << 3
            | mask);
  }

  private int lengthCode() {
    return match.length() == 512 ? 2 : match.length() == 256 ? 1 : 0;
  }

  private int prefixCode() {
    return switch (form.prefix()) {
      case 0x66 -> 1;
      case 0xF3 -> 2;
      case 0xF2 -> 3;
      default -> 0;
    };
  }

  private void opcode() {
    var bytes = form.opcode();
    for (int i = 0; i < bytes.size(); i++) {
      out.write(i == bytes.size() - 1 ? bytes.get(i) | opcodeRegister & 7 : bytes.get(i));
    }
  }

  private int rmBit3() {
    if (rm.isEmpty()) {
      return 0;
    }
    if (rm.get() instanceof Mem m) {
      if (m.address() instanceof Mem.Based a) {
        return bit3(a.base().number());
      }
      return m.address() instanceof Mem.Indexed a ? bit3(a.base().number()) : 0;
    }
    return bit3(number(rm.get()));
  }

  private int indexBit3() {
    return rm.isPresent() && rm.get() instanceof Mem m && m.address() instanceof Mem.Indexed a
        ? bit3(a.index().number())
        : 0;
  }

  private void modRm() {
    int field = (reg & 7) << 3;
    if (rm.isPresent() && rm.get() instanceof Mem m) {
      memory(field, m.address());
    } else {
      // A row that has /r and names nothing for ModRM.rm means zero there.
      out.write(0xC0 | field | rm.map(Encoder::number).orElse(0) & 7);
    }
  }

  private void memory(int field, Mem.Address address) {
    if (address instanceof Mem.Based a) {
      int base = a.base().number() & 7;
      int mode = mode(base, a.disp());
      // rsp and r12 in ModRM.rm announce a SIB byte; index 4 there means none.
      out.write(mode << 6 | field | base);
      if (base == 4) {
        out.write(4 << 3 | 4);
      }
      displacement(mode, a.disp());
    } else if (address instanceof Mem.Indexed a) {
      int base = a.base().number() & 7;
      int mode = mode(base, a.disp());
      out.write(mode << 6 | field | 4);
      out.write(
          Integer.numberOfTrailingZeros(a.scale()) << 6 | (a.index().number() & 7) << 3 | base);
      displacement(mode, a.disp());
    } else if (address instanceof Mem.Relative a) {
      out.write(field | 5);
      relativeTo = Optional.of(a.label());
      relativeAt = out.size();
      little(0, 4);
    }
  }

  /** ModRM.mod: 0 for no displacement (which rbp and r13 cannot have), 1 for a byte, 2 for four. */
  private int mode(int base, int disp) {
    if (disp == 0 && base != 5) {
      return 0;
    }
    int unit = displacementUnit();
    return disp % unit == 0 && disp / unit == (byte) (disp / unit) ? 1 : 2;
  }

  private void displacement(int mode, int disp) {
    if (mode == 1) {
      out.write(disp / displacementUnit());
    } else if (mode == 2) {
      little(disp, 4);
    }
  }

  /** EVEX counts a one-byte displacement in units of the memory operand's size. */
  private int displacementUnit() {
    return form.scheme() == Form.Scheme.EVEX ? rmMemoryBits / 8 : 1;
  }

  private void immediates() {
    if (immediateSlot.isPresent()) {
      little(immediate, immediateSlot.get().bits() / 8);
    }
    if (highNibble >= 0) {
      out.write(highNibble << 4);
    }
    if (form.last() >= 0) {
      out.write(form.last());
    }
  }

  private void little(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> 8 * i));
    }
  }

  private static int bit3(int number) {
    return number >> 3 & 1;
  }

  private static int bit4(int number) {
    return number >> 4 & 1;
  }

  /** The line of text for an instruction, in the syntax of the manual and of objdump. */
  static String text(Op op, Form form, Form.Match match, List<Operand> given) {
    var line = new StringBuilder(op.mnemonic());
    for (int i = 0; i < given.size(); i++) {
      line.append(i == 0 ? " " : ", ");
      var operand = given.get(i);
      if (Form.plain(operand) instanceof Mem m && i < form.slots().size()) {
        line.append(
            sizeName(
                form.slots().get(i).sizeInMemory(match.length(), match.wide(), m.broadcast()),
                m.broadcast()));
      }
      line.append(operand);
    }
    return line.toString();
  }

  private static String sizeName(int bits, boolean broadcast) {
    var name =
        switch (bits) {
          case 8 -> "byte";
          case 16 -> "word";
          case 32 -> "dword";
          case 64 -> "qword";
          case 128 -> "xmmword";
          case 256 -> "ymmword";
          case 512 -> "zmmword";
          default -> "";
        };
    return name.isEmpty() ? "" : name + (broadcast ? " bcst " : " ptr ");
  }
}
