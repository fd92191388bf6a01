package weft.cuda.ptx;

import java.util.List;

/** What an instruction is given, as PTX writes it. */
public sealed interface Operand {
  String text();

  /** 32 bits: a register or a number. */
  sealed interface Word extends Operand permits Reg.B32, Imm.I32, Imm.Bits {}

  /** 64 bits: a register or a number. */
  sealed interface Wide extends Operand permits Reg.B64, Imm.I64 {}

  /** A float: a register or a number. */
  sealed interface Real extends Operand permits Reg.F32, Imm.R32 {}

  /** A register of any type. */
  sealed interface Register extends Operand permits Reg.Pred, Reg.B16, Reg.F64, Reg.Any {}

  /** Several registers in braces. */
  record Vector(List<? extends Operand> parts) implements Operand {
    public Vector {
      parts = List.copyOf(parts);
    }

    @Override
    public String text() {
      var text = new StringBuilder("{");
      for (int i = 0; i < parts.size(); i++) {
        text.append(i == 0 ? "" : ", ").append(parts.get(i).text());
      }
      return text.append('}').toString();
    }
  }

  /** A place in memory, in brackets. */
  record Place(Mem mem) implements Operand {
    @Override
    public String text() {
      return mem.text();
    }
  }

  /** A label, a special register, a symbol. */
  record Name(String text) implements Operand {}
}
