package weft.lir;

import java.util.List;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;

/**
 * One kernel call: an op over formal parameters {@code %0, %1, ..}, the operands bound to them, and
 * where the result goes.
 */
public record Launch(Op op, List<Operand> operands, Operand.View result) {
  public Launch {
    operands = List.copyOf(operands);
  }

  /** The parameter that stands for operand {@code index} in a launch's op. */
  public static Value formal(int index, Type type) {
    return new Value(index, new Op.Input("p" + index, type), type);
  }

  /** The operand behind one of the op's inputs. */
  public Operand operand(Value formal) {
    return operands.get(formal.id());
  }
}
