package weft.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import weft.generate.Model.Step;

/**
 * A text that a model and its prediction head go through together, driven by hand: what each of
 * them says after every token, what the head says behind tokens that may come, and states to come
 * back to. Owns a session of each. One thread at a time may use it.
 */
public final class HeadedSequence implements AutoCloseable {
  /**
   * What is said of the token behind a text.
   *
   * @param next the model's logits
   * @param foretold the head's, which it had without the row of the text's last token; empty behind
   *     a text of one token, for the head has seen nothing then
   */
  public record Outlook(float[] next, float[] foretold) {}

  private final Model head;
  private final String point;
  private final Sequence trunk;
  private final List<float[]> rows = new ArrayList<>();
  private Session ahead;

  /** The row of the text's last token, which the next one is fed to the head with. */
  private float[] last = {};

  private HeadedSequence(Model model, Model head, String point) {
    this.head = head;
    this.point = point;
    this.trunk = Sequence.open(model, new Tap(point, (row, values) -> rows.add(values)));
    this.ahead = head.open();
  }

  /** Opens a sequence of a model and of its head, which reads the model's rows at a point. */
  public static HeadedSequence open(Model model, Model head, String point) {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(head, "head");
    return new HeadedSequence(model, head, Objects.requireNonNull(point, "point"));
  }

  /** A state to come back to; whoever takes it closes it. */
  public static final class Checkpoint implements AutoCloseable {
    private final Sequence.Snapshot trunk;
    private final Session ahead;
    private final float[] last;

    private Checkpoint(Sequence.Snapshot trunk, Session ahead, float[] last) {
      this.trunk = trunk;
      this.ahead = ahead;
      this.last = last;
    }

    public int position() {
      return trunk.position();
    }

    @Override
    public void close() {
      trunk.close();
      ahead.close();
    }
  }

  /** The text so far: a live view. */
  public Tokens tokens() {
    return trunk.tokens();
  }

  public int position() {
    return trunk.position();
  }

  /**
   * Makes this the text and gives what may follow it. What is known of its beginning is kept, the
   * rest is forgotten.
   */
  public Outlook prefill(int... text) {
    if (text.length == 0) throw Request.emptyPrompt();
    rewind(Math.min(tokens().sharedPrefix(text), text.length - 1));
    return append(Arrays.copyOfRange(text, position(), text.length));
  }

  /** Appends one token and gives what may follow it. */
  public Outlook step(int token) {
    return append(token);
  }

  /** Appends tokens, as those of a draft that held, without asking what may follow them. */
  public void commit(int... tokens) {
    if (tokens.length == 0) return;
    rows.clear();
    int from = position();
    trunk.commit(tokens);
    follow(from, tokens, 0);
  }

  private Outlook append(int... tokens) {
    rows.clear();
    int from = position();
    trunk.commit(Arrays.copyOf(tokens, tokens.length - 1));
    float[] next = trunk.step(tokens[tokens.length - 1]);
    return new Outlook(next, follow(from, tokens, 1));
  }

  /** Feeds the head what the model was fed, each token with the row before it. */
  private float[] follow(int from, int[] tokens, int wanted) {
    int first = from == 0 ? 1 : 0; // no row is before the first token of all
    var beside = new ArrayList<float[]>();
    if (first == 0) beside.add(last);
    beside.addAll(rows.subList(0, tokens.length - 1));
    last = rows.getLast();
    if (first == tokens.length) return new float[0];
    int[] fed = Arrays.copyOfRange(tokens, first, tokens.length);
    Logits[] said =
        head.forward(List.of(new Step(ahead, fed, wanted, 0, Tap.NONE, beside))).getFirst();
    return wanted == 0 ? new float[0] : said[0].toArray();
  }

  /** What the head says behind tokens that may come next, at least one: the text stays as it is. */
  public float[] foresee(int... tokens) {
    if (tokens.length == 0 || position() == 0) {
      throw new GenerateException(
          "a head foresees what is behind a text of 1 or more tokens and 1 or more that may come,"
              + " got %d and %d".formatted(position(), tokens.length));
    }
    int base = ahead.position();
    try {
      float[] said = {};
      var own = new ArrayList<>(List.of(last));
      for (int token : tokens) {
        var tap = new Tap(point, (row, values) -> own.add(values));
        var step = new Step(ahead, new int[] {token}, 1, 0, tap, List.of(own.getLast()));
        said = head.forward(List.of(step)).getFirst()[0].toArray();
      }
      return said;
    } finally {
      ahead.rewind(base);
    }
  }

  /**
   * Forgets the tokens from {@code position} on. The row before it is wanted again, so the token
   * there is fed again, and those that the model's state must go back by.
   */
  public void rewind(int position) {
    if (position == position()) return;
    int[] text = tokens().toArray();
    if (position < 0 || position > text.length) {
      throw new GenerateException(
          "cannot rewind to %d: the sequence holds %d tokens".formatted(position, text.length));
    }
    trunk.rewind(Math.max(0, position - 1));
    ahead.rewind(Math.max(0, position - 1));
    if (position == 0) return;
    rows.clear();
    trunk.commit(Arrays.copyOfRange(text, position(), position));
    last = rows.getLast();
  }

  /** A state to come back to, with the text that led to it. */
  public Checkpoint checkpoint() {
    return new Checkpoint(trunk.snapshot(), ahead.fork(ahead.position()), last);
  }

  /** Comes back to a checkpoint of this model. */
  public void restore(Checkpoint checkpoint) {
    trunk.restore(checkpoint.trunk);
    Session again = checkpoint.ahead.fork(checkpoint.ahead.position());
    ahead.close();
    ahead = again;
    last = checkpoint.last;
  }

  @Override
  public void close() {
    trunk.close();
    ahead.close();
  }
}
