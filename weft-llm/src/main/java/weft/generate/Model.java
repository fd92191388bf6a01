package weft.generate;

import java.util.List;
import java.util.Optional;

/**
 * A compiled model, seen from the turn loop: it advances sessions over tokens and says what may
 * come next. One thread at a time is let in, the others wait for it; but a session is one thread's.
 */
public interface Model extends AutoCloseable {

  /** What a session is fed after a step, as far as its caller knows. */
  enum Next {
    OPEN,
    /** The greatest token of the step's last row, alone, unless the text has ended. */
    GREATEST
  }

  /**
   * One session's share of a forward pass.
   *
   * @param tokens to feed; one that is below zero is a row of a picture
   * @param wanted how many of the last rows of logits are wanted (none for a chunk in the middle of
   *     a prompt)
   * @param drafted how many of the last tokens are guesses, before each of which a session can stop
   *     when it is rewound
   * @param written how many of the last tokens were written by the model or are guesses, those
   *     before them being read: a row's logits may depend on which it is, but not on what else is
   *     fed with it
   * @param tap who looks at the tokens' rows at some point of the model
   * @param beside a row of numbers for each token, where the model takes them beside its tokens
   * @param album the pictures whose rows are among the tokens
   * @param next what follows: a model may begin with that before it is asked to, and takes it back
   *     where something else comes
   */
  record Step(
      Session session,
      int[] tokens,
      int wanted,
      int drafted,
      int written,
      Tap tap,
      List<float[]> beside,
      Album album,
      Next next) {
    public Step {
      beside = List.copyOf(beside);
      if (tokens.length == 0) {
        throw new GenerateException("a step feeds at least one token, got none");
      }
      if (wanted < 0 || wanted > tokens.length) {
        throw new GenerateException(
            "a step of "
                + tokens.length
                + " tokens has that many rows at most, asked for "
                + wanted);
      }
      if (drafted < 0 || drafted > tokens.length) {
        throw new GenerateException(
            "a step of " + tokens.length + " tokens has no draft of " + drafted);
      }
      if (written < 0 || written > tokens.length) {
        throw new GenerateException(
            "of a step of " + tokens.length + " tokens " + written + " cannot have been written");
      }
    }

    /** Anything may follow. */
    public Step(
        Session session,
        int[] tokens,
        int wanted,
        int drafted,
        int written,
        Tap tap,
        List<float[]> beside,
        Album album) {
      this(session, tokens, wanted, drafted, written, tap, beside, album, Next.OPEN);
    }

    /** The same step, after which this comes. */
    public Step before(Next known) {
      return new Step(session, tokens, wanted, drafted, written, tap, beside, album, known);
    }

    /** All of it is read. */
    public Step(
        Session session,
        int[] tokens,
        int wanted,
        int drafted,
        Tap tap,
        List<float[]> beside,
        Album album) {
      this(session, tokens, wanted, drafted, 0, tap, beside, album);
    }

    /** No rows of pictures. */
    public Step(
        Session session, int[] tokens, int wanted, int drafted, Tap tap, List<float[]> beside) {
      this(session, tokens, wanted, drafted, tap, beside, Album.NONE);
    }

    /** A step of what was written, of which the last so many are guesses. */
    public static Step written(Session session, int[] tokens, int wanted, int drafted) {
      return new Step(
          session, tokens, wanted, drafted, tokens.length, Tap.NONE, List.of(), Album.NONE);
    }

    /** Tokens alone. */
    public Step(Session session, int[] tokens, int wanted, int drafted, Tap tap) {
      this(session, tokens, wanted, drafted, tap, List.of());
    }

    public Step(Session session, int[] tokens, int wanted, int drafted) {
      this(session, tokens, wanted, drafted, Tap.NONE);
    }

    /** Nothing of it is a guess. */
    public Step(Session session, int[] tokens, int wanted) {
      this(session, tokens, wanted, 0);
    }
  }

  /** The sole use of a model by one thread, until it is closed by that thread. */
  @FunctionalInterface
  interface Claim extends AutoCloseable {
    Claim NONE = () -> {};

    @Override
    void close();
  }

  /** What the sessions of a model take together, and what they may: no bound is the greatest. */
  record Memory(long used, long budget) {
    public static final Memory UNBOUNDED = new Memory(0, Long.MAX_VALUE);

    public boolean isBounded() {
      return budget < Long.MAX_VALUE;
    }

    public long free() {
      return budget - used;
    }
  }

  /** The memory of all sessions; any thread may ask. */
  default Memory memory() {
    return Memory.UNBOUNDED;
  }

  /** The most memory that a session of so many tokens must have to be fed them; none is 0. */
  default long bytesFor(int tokens) {
    return 0;
  }

  /** Whether sessions can go back to every position, and be forked there. */
  default boolean rewindsAnywhere() {
    return true;
  }

  /**
   * Takes the model for the calling thread, from before a forward pass until its rows are read;
   * waits where another has it. A {@link GenerateException} says when this same thread has it
   * already, or that the model is closed.
   */
  default Claim claim() {
    return Claim.NONE;
  }

  /**
   * A new session at position 0; whoever opens it closes it. Throws {@link StepRefusedException}
   * where there is no memory for it.
   */
  Session open();

  /**
   * Advances each step's session over its tokens, all in one pass, and gives for each the logits of
   * its last {@code wanted} rows, oldest first, {@code vocabularySize()} long each. The rows belong
   * to the model and are valid until the next call. A {@link StepRefusedException} leaves all as it
   * was; when it throws anything else, the sessions of the batch are in an unknown state and may
   * only be closed.
   */
  List<Logits[]> forward(List<Step> batch);

  int vocabularySize();

  /** How many tokens a session can be fed. */
  int contextLength();

  /** Whether a picture can be part of a session's text. */
  default boolean takes(Seen picture) {
    return false;
  }

  /** The points whose rows a {@link Tap} can have, in the order they are computed. */
  default List<String> points() {
    return List.of();
  }

  /**
   * Where the model goes wrong on this text, for the message of the guard against broken logits:
   * the first bad layer and what is bad about it; empty when the model cannot tell. Leaves sessions
   * and the rows of the last forward pass as they are, for other turns of the batch are still to
   * read theirs.
   */
  default Optional<String> diagnose(int[] tokens) {
    return Optional.empty();
  }

  @Override
  default void close() {}
}
