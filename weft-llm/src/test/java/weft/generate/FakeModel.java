package weft.generate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A language model whose logits are a hash of the whole text, so that any token fed twice, skipped
 * or left behind shows at once. Its sessions can stop only at multiples of {@code grain}.
 */
class FakeModel implements Model {
  private static final int CONTEXT = 100_000;

  private final int vocabularySize;
  private final int grain;
  private final int contextLength;
  int forwards;
  int fed;
  int largestStep;
  int open;

  /** Tokens of different texts that all sessions may hold together: what they share counts once. */
  long budget = Long.MAX_VALUE;

  long mostUsed;
  private final Set<FakeSession> sessions = new LinkedHashSet<>();

  FakeModel(int vocabularySize, int grain) {
    this(vocabularySize, grain, CONTEXT);
  }

  FakeModel(int vocabularySize, int grain, int contextLength) {
    this.vocabularySize = vocabularySize;
    this.grain = grain;
    this.contextLength = contextLength;
  }

  static long hash(long before, int token) {
    long h = (before + token + 1) * 0x9E3779B97F4A7C15L;
    return h ^ (h >>> 29);
  }

  static float[] logits(long hash, int vocabularySize) {
    float[] logits = new float[vocabularySize];
    for (int token = 0; token < vocabularySize; token++) {
      long h = hash(hash, token) * 0xBF58476D1CE4E5B9L;
      logits[token] = 8 * (float) ((h >>> 40) * 0x1p-24) - 4;
    }
    return logits;
  }

  /** What the model says after a text, without any session. */
  float[] after(int... text) {
    long hash = 0;
    for (int token : text) {
      hash = hash(hash, token);
    }
    return row(hash, text.length);
  }

  /** The logits after a text of this hash and length; tests override it to misbehave. */
  float[] row(long hash, int length) {
    return logits(hash, vocabularySize);
  }

  /** Called before each forward pass; tests override it to look or to fail. */
  void beforeForward(List<Step> batch) {}

  @Override
  public Session open() {
    open++;
    return new FakeSession(List.of());
  }

  @Override
  public List<Logits[]> forward(List<Step> batch) {
    beforeForward(batch);
    requireRoom(batch);
    forwards++;
    List<Logits[]> out = new ArrayList<>();
    int tokens = 0;
    for (Step step : batch) {
      var session = (FakeSession) step.session();
      List<Logits> rows = new ArrayList<>();
      for (int token : step.tokens()) {
        session.feed(token);
        tokens++;
        if (!step.tap().isNone()) {
          step.tap().to().row(rows.size(), new float[] {session.position()});
        }
        rows.add(Logits.of(row(session.last(), session.position())));
      }
      out.add(rows.subList(rows.size() - step.wanted(), rows.size()).toArray(new Logits[0]));
    }
    fed += tokens;
    mostUsed = Math.max(mostUsed, memory().used());
    largestStep = Math.max(largestStep, tokens);
    return out;
  }

  private void requireRoom(List<Step> batch) {
    long free = memory().free();
    var refused = new ArrayList<Step>();
    for (Step step : batch) {
      if (step.tokens().length <= free) free -= step.tokens().length;
      else refused.add(step);
    }
    if (!refused.isEmpty()) throw new StepRefusedException("no room", refused);
  }

  @Override
  public synchronized Memory memory() {
    if (budget == Long.MAX_VALUE) return Memory.UNBOUNDED;
    var held = new HashSet<Long>();
    sessions.forEach(session -> held.addAll(session.hashes));
    return new Memory(held.size(), budget);
  }

  @Override
  public long bytesFor(int tokens) {
    return tokens;
  }

  @Override
  public boolean rewindsAnywhere() {
    return grain == 1;
  }

  @Override
  public int vocabularySize() {
    return vocabularySize;
  }

  @Override
  public List<String> points() {
    return List.of("position");
  }

  @Override
  public int contextLength() {
    return contextLength;
  }

  @Override
  public Optional<String> diagnose(int[] tokens) {
    return Optional.empty();
  }

  private final class FakeSession implements Session {
    private final List<Long> hashes;
    private boolean closed;

    private FakeSession(List<Long> hashes) {
      this.hashes = new ArrayList<>(hashes);
      sessions.add(this);
    }

    private void feed(int token) {
      requireOpen();
      if (hashes.size() == contextLength) {
        throw new IllegalStateException("fed beyond the context");
      }
      hashes.add(hash(last(), token));
    }

    private long last() {
      return hashes.isEmpty() ? 0 : hashes.getLast();
    }

    private void requireOpen() {
      if (closed) {
        throw new IllegalStateException("the session is closed");
      }
    }

    @Override
    public int position() {
      return hashes.size();
    }

    @Override
    public void rewind(int position) {
      requireOpen();
      hashes.subList(nearest(position), hashes.size()).clear();
    }

    @Override
    public int nearest(int position) {
      return position >= hashes.size() ? hashes.size() : position / grain * grain;
    }

    @Override
    public Session fork(int position) {
      requireOpen();
      open++;
      return new FakeSession(hashes.subList(0, nearest(position)));
    }

    @Override
    public void close() {
      requireOpen();
      closed = true;
      open--;
      sessions.remove(this);
    }
  }
}
