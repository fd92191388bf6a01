package weft.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import weft.backend.Device;
import weft.backend.NoRoomException;
import weft.backend.State;
import weft.backend.StatePool;
import weft.generate.Model;
import weft.generate.Session;
import weft.generate.StepRefusedException;
import weft.ir.Slot;

/** A session is a state of the device, and where its text has pictures. */
final class StateSession implements Session {
  private final CompiledModel model;
  private final State state;
  private final Insets insets;

  /** How many tokens its state has been fed that nobody has asked for yet. */
  private int ahead;

  private StateSession(CompiledModel model, State state, Insets insets) {
    this.model = model;
    this.state = state;
    this.insets = insets;
  }

  /** An empty session, or a refusal where the device has no memory for it. */
  static StateSession open(CompiledModel model, Device device, List<Slot> slots) {
    return new StateSession(model, refused(() -> device.state(slots)), new Insets());
  }

  /** What the device has no memory for is refused as a step is. */
  static void refused(Runnable work) {
    refused(
        () -> {
          work.run();
          return work;
        });
  }

  private static <T> T refused(Supplier<T> work) {
    try {
      return work.get();
    } catch (NoRoomException e) {
      var refusal = new StepRefusedException(e.getMessage(), List.of());
      refusal.initCause(e);
      throw refusal;
    }
  }

  /**
   * Refuses the steps of a batch that there is no memory for beside those before them, while all
   * are as they were.
   */
  static void requireRoom(List<Model.Step> batch, StatePool pool) {
    long free = pool.free();
    long missing = 0;
    var refused = new ArrayList<Model.Step>();
    for (var step : batch) {
      var state = ((StateSession) step.session()).state;
      long needs = state.needs(step.tokens().length, step.drafted());
      if (needs <= free) {
        free -= needs;
      } else {
        refused.add(step);
        missing += needs;
      }
    }
    if (refused.isEmpty()) return;
    throw new StepRefusedException(
        "the next tokens of %d of %d texts need %d bytes for their keys and values, but of %d bytes for all texts %d are free; allow more (--memory), shorten the text, or run fewer at once"
            .formatted(refused.size(), batch.size(), missing, pool.budget(), pool.free()),
        refused);
  }

  State state() {
    return state;
  }

  /** Its state is fed a token that nobody has asked for: all others see it as it was. */
  void runAhead() {
    ahead++;
  }

  boolean isAhead() {
    return ahead > 0;
  }

  /** What it was fed ahead was asked for. */
  void catchUp() {
    ahead = 0;
  }

  /** What it was fed ahead was not asked for, and something else may be. */
  void takeBack() {
    if (ahead == 0) return;
    int to = position();
    ahead = 0;
    state.rewind(to);
  }

  Insets insets() {
    return insets;
  }

  boolean isOf(CompiledModel other) {
    return model == other;
  }

  @Override
  public int position() {
    return state.position() - ahead;
  }

  @Override
  public void rewind(int position) {
    if (isAhead() && position == position()) return;
    model.inside(
        () -> {
          takeBack();
          state.rewind(nearest(position));
          insets.truncate(state.position());
          return state;
        });
  }

  @Override
  public int nearest(int position) {
    int reached = state.nearest(position);
    while (insets.stop(reached) < reached) reached = state.nearest(insets.stop(reached));
    return reached;
  }

  @Override
  public Session fork(int position) {
    return model.inside(
        () -> {
          takeBack();
          var forked = refused(() -> state.fork(nearest(position)));
          return new StateSession(model, forked, insets.before(forked.position()));
        });
  }

  @Override
  public void slim() {
    model.inside(
        () -> {
          takeBack();
          state.slim();
          return state;
        });
  }

  @Override
  public void close() {
    ahead = 0;
    model.giveBack(state);
  }
}
