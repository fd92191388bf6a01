package weft.backend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import weft.ir.Slot;
import weft.lir.Operand;
import weft.lir.Program;

/**
 * What every run of a program does with its sequences before its first launch and after its last. A
 * step that is not this program's, or that there is no room for, is refused before anything is
 * written: kernels go where a state says without asking again.
 */
public final class StateSteps {
  private final Program program;
  private final StatePool pool;
  private final int sections;

  /** The slots of the state seen last, known to be the program's: sequences share one list. */
  private List<Slot> known;

  /** States of this pool alone are taken. */
  public StateSteps(Program program, StatePool pool) {
    this.program = program;
    this.pool = pool;
    this.sections = sections(program);
    this.known = program.slots();
  }

  /**
   * Makes room for a step's rows in all of its states, runs the launches, and moves the states on;
   * where the launches fail, the room is given back. Nobody else may touch them meanwhile.
   */
  public void feed(Step step, Runnable launches) {
    requireFits(step);
    int entered = 0;
    try {
      for (var part : step.parts()) {
        state(part).enter();
        entered++;
      }
      reserve(step.parts());
      run(launches, step.parts());
      for (var part : step.parts()) state(part).advance(part.rows(), part.tentative());
    } finally {
      for (var part : step.parts().subList(0, entered)) state(part).leave();
    }
  }

  private static void run(Runnable launches, List<Step.Part> parts) {
    try {
      launches.run();
    } catch (RuntimeException | Error e) {
      parts.forEach(part -> state(part).unreserve());
      throw e;
    }
  }

  /** Room for all parts is set aside before any takes it: one that cannot go on takes nothing. */
  private void reserve(List<Step.Part> parts) {
    if (!needRoom(parts)) return;
    var rooms = new ArrayList<StatePool.Room>();
    try {
      for (var part : parts) {
        long bytes = part.state().needs(part.rows(), part.tentative());
        rooms.add(pool.claim(() -> name(part), bytes));
      }
      for (int i = 0; i < parts.size(); i++) {
        var part = parts.get(i);
        state(part).reserve(part.rows(), part.tentative(), rooms.get(i));
      }
    } catch (RuntimeException | Error e) {
      parts.forEach(part -> state(part).unreserve());
      throw e;
    } finally {
      rooms.forEach(StatePool.Room::close);
    }
  }

  /** Whether a step needs room at all: most tokens have it in the last page of their sequence. */
  private static boolean needRoom(List<Step.Part> parts) {
    for (var part : parts) {
      if (part.state().needs(part.rows(), part.tentative()) > 0) return true;
    }
    return false;
  }

  private static String name(Step.Part part) {
    return "a sequence of %d tokens that is fed %d more"
        .formatted(part.state().position(), part.rows());
  }

  private static SequenceState state(Step.Part part) {
    return (SequenceState) part.state();
  }

  private void requireFits(Step step) {
    if (!program.bounds().covers(step.bounds())) {
      throw new BackendException(
          "a step of " + step.bounds() + " exceeds the program's " + program.bounds());
    }
    requireInputs(step);
    for (int row : step.wanted()) {
      if (row < 0 || row >= step.rows()) {
        throw new BackendException(
            "row " + row + " is wanted of a step that has rows 0 to " + (step.rows() - 1));
      }
    }
    for (var part : step.parts()) requireOwn(part.state());
    requireDistinct(step.parts());
  }

  private void requireInputs(Step step) {
    if (sections > 0 && step.sections() != sections) {
      throw new BackendException(
          "a step of %d positions a row, but the program turns by %d"
              .formatted(step.sections(), sections));
    }
    for (var input : program.inputs().entrySet()) {
      var given = step.inputs().get(input.getKey());
      int width = input.getValue().type().rowElements();
      if (given == null || given.width() != width) {
        throw new BackendException(
            "the program takes rows of %d numbers called %s, but the step brings %s"
                .formatted(
                    width,
                    input.getKey(),
                    given == null ? "none such" : "rows of " + given.width()));
      }
    }
  }

  /** How many positions of a row the program reads; none where nothing turns. */
  private static int sections(Program program) {
    return program.steps().stream()
        .flatMap(launch -> launch.operands().stream())
        .filter(o -> o instanceof Operand.Input input && input.name().equals("positions"))
        .mapToInt(o -> o.type().rowElements())
        .max()
        .orElse(0);
  }

  private void requireOwn(State state) {
    if (!(state instanceof SequenceState own)) {
      throw new BackendException(
          "a state of another kind of device (" + state.getClass().getSimpleName() + ")");
    }
    if (own.pool() != pool) {
      throw new BackendException(
          "a state of another device, which keeps "
              + own.kvType()
              + " keys and values; open it with the device that runs the program");
    }
    if (own.slots() == known) return;
    if (!own.slots().equals(program.slots())) {
      throw new BackendException(
          "a state of another model: it has slots "
              + own.slots()
              + ", but the program has "
              + program.slots());
    }
    known = own.slots();
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
    if (view == null) throw noOutput(program, name);
    return view;
  }

  public static BackendException noOutput(Program program, String name) {
    return new BackendException(
        "the program has no output " + name + ", only " + program.outputs().keySet());
  }
}
