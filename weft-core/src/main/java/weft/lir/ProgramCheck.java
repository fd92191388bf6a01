package weft.lir;

import java.util.HashSet;
import java.util.List;
import weft.ir.Op;

/**
 * Bounds before use: every view lies in its region, every op gives the type of its result and uses
 * slots that the program declares.
 */
final class ProgramCheck {
  private final Program program;

  private ProgramCheck(Program program) {
    this.program = program;
  }

  static Program checked(Program program) {
    var check = new ProgramCheck(program);
    check.regions();
    check.slots();
    for (var launches : List.of(program.setup(), program.steps())) launches.forEach(check::launch);
    program.outputs().values().forEach(check::view);
    return program;
  }

  private void regions() {
    for (int i = 0; i < program.regions().size(); i++) {
      var region = program.regions().get(i);
      boolean isPlace = region.offset() >= 0 && region.bytes() >= 0;
      if (region.id() != i || !isPlace || region.offset() > Long.MAX_VALUE - region.bytes()) {
        throw new ProgramException("region " + region + " at place " + i);
      }
    }
  }

  private void slots() {
    var names = new HashSet<String>();
    for (var slot : program.slots()) {
      if (!names.add(slot.name())) throw new ProgramException("two slots named " + slot.name());
    }
  }

  private void launch(Launch launch) {
    view(launch.result());
    for (var operand : launch.operands()) {
      if (operand instanceof Operand.View view) view(view);
    }
    switch (launch.op()) {
      case Op.Input _, Op.Weight _, Op.Constant _ ->
          throw new ProgramException("an operand where a launch must be: " + line(launch));
      case Op.Stateful op when !program.slots().contains(op.slot()) ->
          throw new ProgramException("a slot that is not declared: " + line(launch));
      default -> {}
    }
    if (!launch.op().infer().equals(launch.result().type())) {
      throw new ProgramException("the result's type is not the op's: " + line(launch));
    }
  }

  private static String line(Launch launch) {
    return ProgramText.line(launch);
  }

  private void view(Operand.View view) {
    if (view.buffer() < 0
        || view.buffer() >= program.regions().size()
        || view.offset() < 0
        || view.strides().size() != view.type().rank()
        || view.strides().stream().anyMatch(s -> s < 0)) {
      throw new ProgramException("a view of no buffer: " + view);
    }
    long available = program.regions().get(view.buffer()).bytes() / Float.BYTES;
    // Each product is of two ints and stays far from overflow; the sum is checked as it grows.
    long last = view.offset();
    for (int axis = 0; axis < view.type().rank() && last < available; axis++) {
      long size = program.bounds().size(view.type().dim(axis));
      last += (size - 1) * view.strides().get(axis);
    }
    if (last >= available) throw new ProgramException("a view beyond its buffer: " + view);
  }
}
