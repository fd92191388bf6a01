package weft.bench.gaps;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Session;

/**
 * A model whose passes are written down: how large, how long, and what else happened meanwhile. The
 * model behind stays its owner's.
 */
final class WatchedModel implements Model {
  /**
   * One forward pass.
   *
   * @param begun when, in nanoseconds
   * @param ended when its logits were there
   * @param rows tokens that it fed
   * @param replies whose logits were wanted
   */
  record Pass(long begun, long ended, int rows, int replies, Vitals vitals) {
    double millis() {
      return (ended - begun) / 1e6;
    }
  }

  private final Model behind;
  private final List<Pass> passes = new ArrayList<>(); // guarded by itself
  private Vitals last = Vitals.now();

  WatchedModel(Model behind) {
    this.behind = behind;
  }

  @Override
  public List<Logits[]> forward(List<Step> batch) {
    long begun = System.nanoTime();
    List<Logits[]> rows = behind.forward(batch);
    long ended = System.nanoTime();
    var now = Vitals.now();
    int tokens = batch.stream().mapToInt(step -> step.tokens().length).sum();
    int replies = (int) batch.stream().filter(step -> step.wanted() > 0).count();
    synchronized (passes) {
      passes.add(new Pass(begun, ended, tokens, replies, now.since(last)));
    }
    last = now;
    return rows;
  }

  /** Those that ended between two moments. */
  List<Pass> passes(long from, long to) {
    synchronized (passes) {
      return passes.stream().filter(pass -> pass.ended > from && pass.ended <= to).toList();
    }
  }

  @Override
  public Claim claim() {
    return behind.claim();
  }

  @Override
  public Memory memory() {
    return behind.memory();
  }

  @Override
  public long bytesFor(int tokens) {
    return behind.bytesFor(tokens);
  }

  @Override
  public boolean rewindsAnywhere() {
    return behind.rewindsAnywhere();
  }

  @Override
  public Session open() {
    return behind.open();
  }

  @Override
  public int vocabularySize() {
    return behind.vocabularySize();
  }

  @Override
  public int contextLength() {
    return behind.contextLength();
  }

  @Override
  public List<String> points() {
    return behind.points();
  }

  @Override
  public Optional<String> diagnose(int[] tokens) {
    return behind.diagnose(tokens);
  }
}
