package weft.backend;

import weft.lir.Operand;
import weft.lir.Program;

/** What every run over host memory does before its first launch and after its last. */
public final class HostSteps {
  private HostSteps() {}

  public static void begin(Program program, Step step) {
    if (!program.bounds().covers(step.bounds())) {
      throw new BackendException(
          "a step of " + step.bounds() + " exceeds the program's " + program.bounds());
    }
    for (var part : step.parts()) ((HostState) part.state()).reserve(part.rows());
  }

  public static void end(Step step) {
    for (var part : step.parts()) ((HostState) part.state()).advance(part.rows());
  }

  public static Operand.View output(Program program, String name) {
    var view = program.outputs().get(name);
    if (view == null) {
      throw new BackendException(
          "the program has no output " + name + ", only " + program.outputs().keySet());
    }
    return view;
  }
}
