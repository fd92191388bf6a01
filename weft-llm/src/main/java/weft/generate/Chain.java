package weft.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.generate.Model.Step;

/**
 * What a guessing model has seen of one turn's text, and the guesses that it follows up with. Its
 * session holds tokens of the text alone between proposals: guesses are rewound, or fed to a fork
 * where the model's state cannot stop anywhere. A head sees no token whose row before it was never
 * shown, as when a prompt's beginning came from another text: it attends to what is behind that,
 * which rotary positions, being relative, do not mind. So it is with pictures: it begins behind the
 * last of them, for it knows tokens alone.
 */
final class Chain implements Drafting {
  /** So many tokens are fed as they come, so that the rows of a long prompt are not all kept. */
  private static final int EAGER = 64;

  /** A token's chance is among so many: the others weigh little where it is worth a guess. */
  private static final int BEST = 32;

  private final Model model;
  private final String point;
  private final DraftOptions options;
  private final Tokens known;
  private final HiddenRows hidden = new HiddenRows();
  private final List<Integer> guesses = new ArrayList<>();
  private final int[] best = new int[BEST];
  private final float[] logits = new float[BEST];

  private Optional<Session> session = Optional.empty();
  private Optional<Session> fork = Optional.empty();
  private String stopped = "";

  /** The token of the text that the session's first one is: none before the last picture's end. */
  private int begun;

  /** The length of the text that was last guessed at. */
  private int guessedAt;

  private int most;
  private boolean isGoing;

  /** The head's row of the last token that it was fed. */
  private float[] own = {};

  /** {@code point} is where a head reads rows, and has its own; none for a model of its own. */
  Chain(Model model, Optional<String> point, DraftOptions options, Tokens known) {
    this.model = model;
    this.point = point.orElse("");
    this.options = options;
    this.known = known;
    this.begun = Album.end(known);
  }

  private boolean isHead() {
    return !point.isEmpty();
  }

  /** The end of the tokens that can be fed as the text has them: for a head, those with rows. */
  private int firm() {
    return isHead() ? Math.min(known.length(), hidden.end() + 1) : known.length();
  }

  /** The token that a session is to be fed next. */
  private int next(Session at) {
    return begun + at.position();
  }

  @Override
  public int[] propose(int max) {
    throw new IllegalStateException("all turns of a step are asked for at once");
  }

  /** A new proposal, of at most so many tokens; the last one where nothing came since. */
  Chain begin(int max) {
    most = max;
    if (guessedAt == known.length()) return this;
    guesses.clear();
    guessedAt = known.length();
    isGoing = stopped.isEmpty() && firm() > begun && max > 0;
    return this;
  }

  boolean isGoing() {
    return isGoing;
  }

  /** What to feed for the next guess: asked again, the same; none where it stops instead. */
  Optional<Step> next() {
    try {
      Session at = line();
      int from = next(at);
      boolean isFirm = from < firm();
      int[] tokens = isFirm ? known.slice(from, firm()) : new int[] {token(from)};
      requireFits(at, tokens);
      List<float[]> rows = List.of();
      if (isHead()) rows = isFirm ? hidden.of(from - 1, firm() - 1) : List.of(own);
      Tap tap = isHead() ? new Tap(point, (row, values) -> own = values) : Tap.NONE;
      return Optional.of(new Step(at, tokens, 1, 0, tokens.length, tap, rows, Album.NONE));
    } catch (RuntimeException failure) {
      stop(failure);
      return Optional.empty();
    }
  }

  /** Forced tokens are known before their rows are, and are fed as guesses are. */
  private int token(int index) {
    return index < known.length() ? known.at(index) : guesses.get(index - known.length());
  }

  /** The session that the next token goes to. */
  private Session line() {
    if (session.isEmpty()) session = Optional.of(model.open());
    Session own = session.get();
    if (fork.isEmpty() && next(own) >= firm() && !model.rewindsAnywhere()) {
      fork = Optional.of(own.fork(own.position()));
    }
    return fork.orElse(own);
  }

  private void requireFits(Session at, int[] tokens) {
    if (at.position() + tokens.length > model.contextLength()) {
      throw new GenerateException(
          "the text is longer than the %d tokens of the guessing model's context"
              .formatted(model.contextLength()));
    }
    // A head may foretell but a part of the tokens that it takes.
    if (!isHead()) Tokens.requireInVocabulary(tokens, model.vocabularySize());
  }

  /** Takes the row behind what {@link #next} gave: a guess, unless the text goes on there. */
  void saw(Logits row) {
    int index = next(fork.orElseGet(session::orElseThrow));
    if (index < known.length()) return;
    int found = row.greatest(BEST, best, logits);
    isGoing = found > 0 && chance(found) >= options.leastChance();
    if (isGoing) guesses.add(best[0]);
    isGoing &= guesses.size() < most;
  }

  /** That of the greatest; not a number where logits are none. */
  private double chance(int found) {
    double sum = 0;
    for (int i = 0; i < found; i++) sum += Exp.of(logits[i] - logits[0]);
    return Float.isFinite(logits[0]) ? 1 / sum : Double.NaN;
  }

  /** The proposal; guesses that were fed are forgotten. */
  int[] end() {
    isGoing = false;
    try {
      fork.ifPresent(Session::close);
      fork = Optional.empty();
      session.ifPresent(
          had -> {
            if (next(had) > firm()) had.rewind(firm() - begun);
            seen(had);
          });
    } catch (RuntimeException failure) {
      stop(failure);
    }
    return guesses.stream().mapToInt(Integer::intValue).limit(most).toArray();
  }

  private void seen(Session had) {
    if (isHead()) hidden.forget(next(had) - 1);
  }

  @Override
  public void learn(Pass pass) {
    if (!stopped.isEmpty()) return;
    if (isHead() && hidden.add(pass.from(), pass.hidden())) {
      session.ifPresent(Session::close);
      session = Optional.empty();
      begun = Math.max(pass.from() + 1, Album.end(known));
    }
    guessedAt = 0;
    int from = session.map(this::next).orElse(begun);
    int to = Math.min(firm(), pass.from() + pass.fed());
    if (to - from >= EAGER) feed(to);
  }

  private void feed(int to) {
    try {
      Session at = line();
      int from = next(at);
      int[] tokens = known.slice(from, to);
      requireFits(at, tokens);
      List<float[]> rows = isHead() ? hidden.of(from - 1, to - 1) : List.of();
      model.forward(List.of(new Step(at, tokens, 0, 0, Tap.NONE, rows)));
      seen(at);
    } catch (RuntimeException failure) {
      stop(failure);
    }
  }

  /** Guesses no more: a model whose pass failed has sessions that may only be closed. */
  void stop(RuntimeException why) {
    stopped = Batch.reason(why);
    isGoing = false;
    close();
  }

  @Override
  public Optional<String> stopped() {
    return stopped.isEmpty() ? Optional.empty() : Optional.of(stopped);
  }

  @Override
  public boolean release() {
    if (!isHead() || session.isEmpty()) return false;
    close();
    hidden.clear();
    guessedAt = 0;
    return true;
  }

  @Override
  public void close() {
    fork.ifPresent(Session::close);
    fork = Optional.empty();
    session.ifPresent(Session::close);
    session = Optional.empty();
  }
}
