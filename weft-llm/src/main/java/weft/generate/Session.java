package weft.generate;

/**
 * One sequence's place in a model: its state and how many tokens that state has seen. Confined to
 * the thread that runs the model.
 */
public interface Session extends AutoCloseable {

  /** A copy of a session's state, to come back to; whoever takes it closes it. */
  interface Snapshot extends AutoCloseable {
    /** The position of the session when the snapshot was taken. */
    int position();

    @Override
    void close();
  }

  /** How many tokens the state has seen. */
  int position();

  /**
   * Forgets the tokens from {@code position} on, or more where the state cannot stop there
   * (recurrent layers): ask {@link #position()} afterwards and feed again what is missing.
   * Rewinding to the present position changes nothing. A state that can stop before each token that
   * the last forward pass drafted keeps rejected drafts cheap.
   */
  void rewind(int position);

  /** Copies the state as it is now. */
  Snapshot snapshot();

  /** Puts back a state that {@link #snapshot()} of this same session has copied. */
  void restore(Snapshot snapshot);

  @Override
  void close();
}
