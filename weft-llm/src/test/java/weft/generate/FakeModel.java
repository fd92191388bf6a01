package weft.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    return new FakeSession();
  }

  @Override
  public List<Logits[]> forward(List<Step> batch) {
    beforeForward(batch);
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
    largestStep = Math.max(largestStep, tokens);
    return out;
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
    private final List<Long> hashes = new ArrayList<>();
    private boolean closed;

    private record Copy(List<Long> hashes) implements Snapshot {
      @Override
      public int position() {
        return hashes.size();
      }

      @Override
      public void close() {}
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
      if (position < hashes.size()) {
        hashes.subList(position / grain * grain, hashes.size()).clear();
      }
    }

    @Override
    public Snapshot snapshot() {
      return new Copy(List.copyOf(hashes));
    }

    @Override
    public void restore(Snapshot snapshot) {
      requireOpen();
      hashes.clear();
      hashes.addAll(((Copy) snapshot).hashes());
    }

    @Override
    public void close() {
      requireOpen();
      closed = true;
      open--;
    }
  }
}
