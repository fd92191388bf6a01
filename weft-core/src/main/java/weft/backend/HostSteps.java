package weft.backend;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import weft.ir.Slot;
import weft.lir.Operand;
import weft.lir.Program;

/**
 * What every run of a program over host memory does before its first launch and after its last. A
 * step that is not this program's is refused before anything is written: emitted code goes where a
 * state says without asking again.
 */
public final class HostSteps {
  private final Program program;
  private final HostStates states;

  /** The slots of the state seen last, known to be the program's: sequences share one list. */
  private List<Slot> known;

  public HostSteps(Program program, HostStates states) {
    this.program = program;
    this.states = states;
    this.known = program.slots();
  }

  /**
   * Makes room for a step's rows in all of its states, runs the launches, and moves the states on.
   * Nobody else may touch them meanwhile.
   */
  public void feed(Step step, Runnable launches) {
    requireFits(step);
    int entered = 0;
    try {
      for (var part : step.parts()) {
        state(part).enter();
        entered++;
      }
      for (var part : step.parts()) state(part).reserve(part.rows());
      launches.run();
      for (var part : step.parts()) state(part).advance(part.rows());
    } finally {
      for (var part : step.parts().subList(0, entered)) state(part).leave();
    }
  }

  private static HostState state(Step.Part part) {
    return (HostState) part.state();
  }

  private void requireFits(Step step) {
    if (!program.bounds().covers(step.bounds())) {
      throw new BackendException(
          "a step of " + step.bounds() + " exceeds the program's " + program.bounds());
    }
    for (int row : step.wanted()) {
      if (row < 0 || row >= step.rows()) {
        throw new BackendException(
            "row " + row + " is wanted of a step that has rows 0 to " + (step.rows() - 1));
      }
    }
    for (var part : step.parts()) requireOwn(part.state());
    requireDistinct(step.parts());
  }

  private void requireOwn(State state) {
    if (!(state instanceof HostState host)) {
      throw new BackendException(
          "a state of another kind of device (" + state.getClass().getSimpleName() + ")");
    }
    if (!host.isOf(states)) {
      throw new BackendException(
          "a state of another device, which keeps "
              + host.kvType()
              + " keys and values; open it with the device that runs the program");
    }
    if (host.slots() == known) return;
    if (!host.slots().equals(program.slots())) {
      throw new BackendException(
          "a state of another model: it has slots "
              + host.slots()
              + ", but the program has "
              + program.slots());
    }
    known = host.slots();
  }

  private static void requireDistinct(List<Step.Part> parts) {
    if (parts.size() == 1) return;
    var seen = Collections.newSetFromMap(new IdentityHashMap<State, Boolean>());
    for (var part : parts) {
      if (!seen.add(part.state())) {
        throw new BackendException(
            "one state is in a step twice, at position "
                + part.state().position()
                + "; feed all of a sequence's rows as one part");
      }
    }
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
