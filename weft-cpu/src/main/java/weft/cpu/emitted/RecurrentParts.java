package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import weft.backend.HostState;
import weft.backend.Step;
import weft.cpu.kernel.recurrent.RecurrentPart;
import weft.cpu.kernel.walk.CallList;
import weft.ir.Slot;

/** Where the sequences of a step have the state of a recurrent slot, as emitted code reads it. */
public final class RecurrentParts {
  private RecurrentParts() {}

  static MemorySegment table(Slot slot, Step step, CallList calls) {
    var table = calls.arguments(step.parts().size() * RecurrentPart.BYTES);
    int row = 0;
    for (int i = 0; i < step.parts().size(); i++) {
      var part = step.parts().get(i);
      var state = HostState.of(part.state());
      new RecurrentPart(
              state.recurrent(slot),
              state.kept(slot),
              state.pending(),
              row,
              part.rows(),
              part.tentative())
          .write(table, i);
      row += part.rows();
    }
    return table;
  }
}
