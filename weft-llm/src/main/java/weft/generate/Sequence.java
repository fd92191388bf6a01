package weft.generate;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import weft.generate.Model.Step;

/**
 * A session together with the tokens it was fed, so that a prompt that begins like them is not fed
 * again. It is also the way to drive a model by hand: {@link #prefill}, {@link #step} and {@link
 * #commit}. Owns the session. One thread at a time may use it: a second one is told who does; while
 * others use the model, it waits for its turn.
 */
public final class Sequence implements AutoCloseable {
  /** A prompt goes in by pieces of this many tokens, which bounds the model's working memory. */
  private static final int CHUNK = 512;

  private final Model model;
  private final Tap tap;
  private final Guard guard;
  private Session session;
  private final Tokens fed;
  private volatile Album album = Album.NONE;
  private final ReentrantLock use = new ReentrantLock();
  private volatile String user = "";
  private volatile boolean isClosed;

  private Sequence(Model model, Tap tap, Session session, int... fed) {
    this.model = model;
    this.tap = tap;
    this.guard = new Guard(model);
    this.session = session;
    this.fed = Tokens.of(fed);
  }

  public static Sequence open(Model model) {
    return open(model, Tap.NONE);
  }

  /** One whose tokens' rows somebody looks at, as they are fed. */
  static Sequence open(Model model, Tap tap) {
    return new Sequence(Objects.requireNonNull(model, "model"), tap, model.open());
  }

  /**
   * Another sequence with the same text up to {@code position}, or less where the model's state
   * cannot stop there: it shares memory with this one and goes its own way.
   */
  public Sequence fork(int position) {
    return alone(
        () -> {
          requireHolds("fork at", position);
          Session forked = session.fork(position);
          return new Sequence(model, tap, forked, fed.slice(0, forked.position())).with(album);
        });
  }

  /** A state to come back to, with the text that led to it; whoever takes it closes it. */
  public static final class Snapshot implements AutoCloseable {
    private final Model model;
    private final Session state;
    private final int[] tokens;

    private Snapshot(Model model, Session state, int[] tokens) {
      this.model = model;
      this.state = state;
      this.tokens = tokens;
    }

    public int position() {
      return tokens.length;
    }

    @Override
    public void close() {
      state.close();
    }
  }

  /** Takes texts with rows of these pictures, too, from now on; gives this sequence. */
  public Sequence with(Album pictures) {
    album = album.and(pictures);
    return this;
  }

  /** The text the session has seen: a live view. */
  public Tokens tokens() {
    return fed;
  }

  public int position() {
    return fed.length();
  }

  /**
   * Makes this the text and gives the logits after its last token. What the session already holds
   * of its beginning is kept, the rest is forgotten.
   */
  public float[] prefill(int... text) {
    if (text.length == 0) {
      throw Request.emptyPrompt();
    }
    requireFits(0, text);
    return alone(
        () -> {
          try (var _ = model.claim()) {
            int kept = reuse(text);
            return feed(Arrays.copyOfRange(text, kept, text.length), 1)[0].toArray();
          }
        });
  }

  /** Appends one token and gives the logits after it. */
  public float[] step(int token) {
    int[] one = {token};
    return alone(
        () -> {
          requireFits(position(), one);
          try (var _ = model.claim()) {
            return forward(one, 1, 1)[0].toArray();
          }
        });
  }

  /** Appends tokens without asking what may follow them. */
  public void commit(int... tokens) {
    alone(
        () -> {
          requireFits(position(), tokens);
          if (tokens.length == 0) return this;
          try (var _ = model.claim()) {
            feed(tokens, 0);
          }
          return this;
        });
  }

  /** Does something that no other thread may meet. */
  private <T> T alone(Supplier<T> work) {
    if (!use.tryLock()) {
      throw new GenerateException(
          "the sequence is in use by thread "
              + user
              + "; one thread at a time may use it: wait for that one, or open another sequence");
    }
    try {
      user = Thread.currentThread().getName();
      if (isClosed) {
        throw new GenerateException("the sequence is closed; open another");
      }
      return work.get();
    } finally {
      use.unlock();
    }
  }

  /**
   * Forgets the tokens from {@code position} on, or more where the model's state cannot stop there:
   * {@link #position()} tells, and what is missing can be committed again.
   */
  public void rewind(int position) {
    alone(
        () -> {
          goBack(position);
          return this;
        });
  }

  private void goBack(int position) {
    requireHolds("rewind to", position);
    session.rewind(position);
    if (session.position() > position) {
      throw new GenerateException(
          "asked to rewind to "
              + position
              + ", the session stopped at "
              + session.position()
              + "; a session may stop lower, never higher");
    }
    fed.truncate(session.position());
  }

  private void requireHolds(String what, int position) {
    if (position < 0 || position > position()) {
      throw new GenerateException(
          "cannot %s %d: the sequence holds %d tokens".formatted(what, position, position()));
    }
  }

  /**
   * Rewinds to what this text and the one fed before have in common, and gives the position. The
   * text's last token is never kept: its logits are what a prompt is fed for.
   */
  public int reuse(int... text) {
    return alone(
        () -> {
          goBack(Math.min(fed.sharedPrefix(text), Math.max(0, text.length - 1)));
          return position();
        });
  }

  public Snapshot snapshot() {
    return alone(() -> new Snapshot(model, session.fork(position()), fed.toArray()));
  }

  /** Comes back to a snapshot of this model. */
  public void restore(Snapshot snapshot) {
    alone(
        () -> {
          if (snapshot.model != model) {
            throw new GenerateException("the snapshot is of another model's sequence");
          }
          Session again = snapshot.state.fork(snapshot.position());
          session.close();
          session = again;
          fed.truncate(0);
          advanced(snapshot.tokens);
          return this;
        });
  }

  /** Gives its state back; a second time does nothing. */
  @Override
  public void close() {
    if (isClosed) return;
    alone(
        () -> {
          isClosed = true;
          session.close();
          return this;
        });
  }

  Session session() {
    return session;
  }

  /** Notes that the model was fed these tokens. */
  void advanced(int[] tokens) {
    fed.add(tokens);
    if (session.position() != fed.length()) {
      throw new GenerateException(
          "the session is at position "
              + session.position()
              + " after "
              + fed.length()
              + " tokens: a model must advance a session by what it is fed");
    }
  }

  /** Tokens that are read, in cuts. */
  private Logits[] feed(int[] tokens, int wanted) {
    int from = 0;
    Tokens text = Tokens.of(tokens);
    while (tokens.length - from > CHUNK) {
      int to = album.cut(text, from, from + CHUNK);
      if (to >= tokens.length) break;
      forward(Arrays.copyOfRange(tokens, from, to), 0, 0);
      from = to;
    }
    return forward(Arrays.copyOfRange(tokens, from, tokens.length), wanted, 0);
  }

  private Logits[] forward(int[] tokens, int wanted, int written) {
    var step = new Step(session, tokens, wanted, 0, written, tap, List.of(), album);
    Logits[] rows = model.forward(List.of(step)).getFirst();
    advanced(tokens);
    for (Logits row : rows) {
      guard.check(row, fed);
    }
    return rows;
  }

  private void requireFits(int position, int[] more) {
    Tokens.requireInVocabulary(more, model.vocabularySize(), album);
    if (more.length > model.contextLength() - position) {
      throw Request.tooLong((long) position + more.length, model.contextLength());
    }
  }
}
