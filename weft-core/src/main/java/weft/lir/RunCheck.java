package weft.lir;

import java.util.Map;
import weft.ir.DType;
import weft.ir.Dim;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;

/**
 * Says whether a step can run a program: its inputs are the lists that a step brings, rows are
 * looked up by those lists alone, whose numbers are compared with the step, and state ops see each
 * row of it.
 */
final class RunCheck {
  private static final Map<String, Type> INPUTS =
      Map.of(
          "tokens", Type.i32(Bounds.TOKENS),
          "positions", Type.i32(Bounds.TOKENS),
          "wanted", Type.i32(Bounds.WANTED));

  private RunCheck() {}

  static void check(Program program) {
    for (var launch : program.setup()) {
      if (launch.operands().stream().anyMatch(operand -> operand instanceof Operand.Input)) {
        throw ProgramCheck.wrong("a step's input at load", launch);
      }
    }
    program
        .inputs()
        .forEach(
            (name, view) -> {
              if (!view.type().dim(0).equals(Bounds.TOKENS)) {
                throw new ProgramException(
                    "input " + name + " " + view.type() + " has not a row for each of the step's");
              }
            });
    program.steps().forEach(RunCheck::check);
  }

  private static void check(Launch launch) {
    for (var operand : launch.operands()) {
      if (operand instanceof Operand.Input(var name, var type) && !isBrought(name, type)) {
        throw ProgramCheck.wrong("an input that no step brings, " + name + " " + type, launch);
      }
    }
    switch (launch.op()) {
      case Op.Embed(var table, var ids) -> {
        index(launch, ids, "tokens");
        if (!(launch.operand(table) instanceof Operand.Weight)) {
          throw ProgramCheck.wrong("a table that is no tensor", launch);
        }
      }
      case Op.Rows(var x, var rows) -> {
        index(launch, rows, "wanted");
        rows(launch, x.type());
      }
      case Op.Rope(_, var positions, _, _, _) -> index(launch, positions, "positions");
      case Op.RopeAttend attend -> {
        index(launch, attend.positions(), "positions");
        rows(launch, launch.result().type());
      }
      case Op.Stateful _ -> rows(launch, launch.result().type());
      default -> {}
    }
  }

  /** Positions may come in several sections a row. */
  private static boolean isBrought(String name, Type type) {
    boolean isSections = name.equals("positions") && type.rank() == 2;
    return isSections
        ? type.dtype() == DType.I32
            && type.dim(0).equals(Bounds.TOKENS)
            && type.dim(1) instanceof Dim.Fixed
        : type.equals(INPUTS.get(name));
  }

  private static void index(Launch launch, Value value, String name) {
    if (!(launch.operand(value) instanceof Operand.Input input) || !input.name().equals(name)) {
      throw ProgramCheck.wrong("an index that is not " + name, launch);
    }
  }

  private static void rows(Launch launch, Type type) {
    if (!type.dim(0).equals(Bounds.TOKENS)) {
      throw ProgramCheck.wrong("rows that are not the step's", launch);
    }
  }
}
