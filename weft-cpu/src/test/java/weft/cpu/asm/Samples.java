package weft.cpu.asm;

import static weft.cpu.asm.Mem.at;

import java.util.ArrayList;
import java.util.List;

/** Operands for a form that, over the variations, meet each register group and address form. */
final class Samples {
  private final Form form;
  private final int variation;
  private final int length;
  private final boolean wide;

  Samples(Form form, int variation) {
    this.form = form;
    this.variation = variation;
    this.length = lengthOf(form, variation);
    this.wide = form.wide() || variation % 2 == 1;
  }

  private static int lengthOf(Form form, int variation) {
    var lengths = new ArrayList<Integer>();
    for (int bits = 128; bits <= 512; bits *= 2) {
      if ((form.lengths() & bits) != 0) {
        lengths.add(bits);
      }
    }
    return lengths.isEmpty() ? 0 : lengths.get(variation % lengths.size());
  }

  List<Operand> operands() {
    var operands = new ArrayList<Operand>();
    for (int i = 0; i < form.slots().size(); i++) {
      var operand = operand(form.slots().get(i), i);
      operands.add(i == 0 ? masked(operand) : operand);
    }
    if (variation % 6 == 4
        && form.slots().stream().anyMatch(Slot::rounding)
        && length == 512
        && operands.stream().noneMatch(Mem.class::isInstance)) {
      operands.add(Rounding.values()[variation / 6]);
    }
    return operands;
  }

  private Operand masked(Operand operand) {
    if (form.scheme() != Form.Scheme.EVEX || !form.maskable() || variation % 3 == 0) {
      return operand;
    }
    var mask = new Mask(1 + variation % 7);
    return switch (operand) {
      case Vec v -> variation % 3 == 1 ? v.merging(mask) : v.zeroing(mask);
      case Mem m -> m.merging(mask);
      case Mask k -> k.merging(mask);
      default -> operand;
    };
  }

  private Operand operand(Slot slot, int position) {
    boolean memory = slot.memory() && (!slot.register() || variation % 4 != 0);
    if (memory) {
      return memory(slot);
    }
    int pick = variation * 7 + position * 5;
    return switch (slot.kind()) {
      case GENERAL -> new Gpr(pick % 16, slot.bits() == Slot.BY_W ? wide ? 64 : 32 : slot.bits());
      case VECTOR ->
          new Vec(pick % (form.scheme() == Form.Scheme.EVEX ? 32 : 16), slot.vectorBits(length));
      case MASK -> new Mask(pick % 8);
      case TILE -> new Tmm(pick % 8);
      case SIGNED -> new Imm(signed(slot.bits()));
      case UNSIGNED -> new Imm((variation * 37 + 2) & 0x7f);
      case LABEL -> new Label("unused");
      case STRIDED -> throw new AssertionError("memory is all that has a stride");
      case COUNT_CL -> Gpr.RCX.b();
      case COUNT_ONE -> new Imm(1);
    };
  }

  private long signed(int bits) {
    return switch (bits) {
      case 8 -> (byte) (variation * 53 - 128);
      case 32 -> variation % 2 == 0 ? 0x12345600L + variation : -0x1234500L - variation;
      default -> 0x123456789abcdef0L + variation;
    };
  }

  /** Bases with every quirk (rsp, r12, rbp, r13) and displacements at the edges of a byte. */
  private Mem memory(Slot slot) {
    boolean broadcast =
        slot.broadcastBits() != 0 && form.scheme() == Form.Scheme.EVEX && variation % 4 == 2;
    int bits = slot.sizeInMemory(length, wide, broadcast);
    int unit = Math.max(1, bits / 8);
    var mem =
        switch (variation) {
          case 1 -> at(Gpr.RAX);
          case 2 -> at(Gpr.RSP);
          case 3 -> at(Gpr.RBP);
          case 5 -> at(Gpr.R12, unit);
          case 6 -> at(Gpr.R13, -unit);
          case 7 -> at(Gpr.R13);
          case 9 -> at(Gpr.RDI, 127L * unit);
          case 10 -> at(Gpr.RDI, 128L * unit);
          case 11 -> at(Gpr.RSI, -128L * unit);
          case 13 -> at(Gpr.RSI, -129L * unit);
          case 14 -> at(Gpr.R8, unit + 1L);
          case 15 -> at(Gpr.RSP, Gpr.RBP, 1);
          case 17 -> at(Gpr.RBP, Gpr.RAX, 2);
          case 18 -> at(Gpr.R13, Gpr.R12, 4, 64L * unit);
          case 19 -> at(Gpr.R12, Gpr.R13, 8, -64L * unit);
          case 21 -> at(Gpr.RAX, Gpr.R15, 8, 127);
          case 22 -> at(Gpr.R15, Gpr.RCX, 1, 0x12345);
          default -> at(Gpr.RBX, Gpr.RSI, 4, variation - 64L);
        };
    var sized = slot.kind() == Slot.Kind.GENERAL && slot.bits() != 0 ? mem.sized(bits) : mem;
    return broadcast ? sized.each() : sized;
  }
}
