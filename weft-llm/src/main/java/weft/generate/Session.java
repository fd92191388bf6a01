package weft.generate;

/**
 * One sequence's place in a model: its state and how many tokens that state has seen. Confined to
 * the thread that runs the model.
 */
public interface Session extends AutoCloseable {

  /** How many tokens the state has seen. */
  int position();

  /**
   * Forgets the tokens from {@code position} on, or more where the state cannot stop there
   * (recurrent layers): ask {@link #position()} afterwards and feed again what is missing.
   * Rewinding to the present position changes nothing. A state that can stop before each token that
   * the last forward pass drafted keeps rejected drafts cheap.
   */
  void rewind(int position);

  /**
   * The position that a {@link #rewind} or a {@link #fork} to this one would reach: {@code
   * position}, or less where the state cannot stop there.
   */
  int nearest(int position);

  /**
   * Another session that has seen what this one saw up to {@code position}, or less where {@link
   * #nearest} says so, and goes its own way; whoever forks it closes it. Throws {@link
   * StepRefusedException} where there is no memory for it.
   */
  Session fork(int position);

  /** Gives memory back that going back needs and going on does not. */
  default void slim() {}

  @Override
  void close();
}
