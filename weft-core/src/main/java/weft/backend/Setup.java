package weft.backend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.ir.Op;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;

/**
 * What a launch at load computes, whichever program has it: its op over tensors, constants, and
 * other such values. Two that are equal have the same elements.
 */
record Setup(Op op, List<Source> sources) {
  /** An operand; of a view, the value that it is part of, for buffers are each program's own. */
  private record Source(Operand operand, List<Setup> of) {}

  /** Those of a program by the buffer they are written to, in the order of its launches. */
  static Map<Integer, Setup> of(Program program) {
    var known = new LinkedHashMap<Integer, Setup>();
    for (Launch launch : program.setup()) {
      var sources = new ArrayList<Source>();
      for (var operand : launch.operands()) sources.add(source(operand, known));
      known.put(launch.result().buffer(), new Setup(launch.op(), List.copyOf(sources)));
    }
    return known;
  }

  private static Source source(Operand operand, Map<Integer, Setup> known) {
    if (!(operand instanceof Operand.View view)) return new Source(operand, List.of());
    var anywhere = new Operand.View(0, view.offset(), view.strides(), view.type());
    return new Source(anywhere, List.of(known.get(view.buffer())));
  }
}
