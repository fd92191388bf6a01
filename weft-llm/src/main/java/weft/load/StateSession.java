package weft.load;

import weft.backend.State;
import weft.generate.Session;

/** A session is a state of the device; its snapshots are forks of it. */
final class StateSession implements Session {
  private record Fork(CompiledModel model, State state) implements Snapshot {
    @Override
    public int position() {
      return state.position();
    }

    @Override
    public void close() {
      model.giveBack(state);
    }
  }

  private final CompiledModel model;
  private State state;

  StateSession(CompiledModel model, State state) {
    this.model = model;
    this.state = state;
  }

  State state() {
    return state;
  }

  boolean isOf(CompiledModel other) {
    return model == other;
  }

  @Override
  public int position() {
    return state.position();
  }

  @Override
  public void rewind(int position) {
    model.inside(
        () -> {
          state.rewind(position);
          return state;
        });
  }

  @Override
  public Snapshot snapshot() {
    return model.inside(() -> new Fork(model, state.fork(state.position())));
  }

  @Override
  public void restore(Snapshot snapshot) {
    if (!(snapshot instanceof Fork(var of, var kept)) || of != model) {
      throw new LoadException("this snapshot is of another kind of session");
    }
    model.inside(
        () -> {
          var again = kept.fork(kept.position());
          state.close();
          state = again;
          return state;
        });
  }

  @Override
  public void close() {
    model.giveBack(state);
  }
}
