package weft.bench.speculation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Session;

/**
 * A model that says what a script has, once the model behind it has done all of its work: so it is
 * known what comes, whatever the weights are. The model behind stays its owner's.
 */
final class ScriptedModel implements Model {
  private final Model behind;
  private final int[] script;

  ScriptedModel(Model behind, int[] script) {
    this.behind = behind;
    this.script = script;
  }

  @Override
  public List<Logits[]> forward(List<Step> batch) {
    int[] next = new int[batch.size()];
    for (int i = 0; i < next.length; i++) {
      Step step = batch.get(i);
      next[i] = step.session().position() + step.tokens().length - step.wanted() + 1;
    }
    List<Logits[]> rows = behind.forward(batch);
    var scripted = new ArrayList<Logits[]>(rows.size());
    for (int i = 0; i < next.length; i++) {
      Logits[] told = new Logits[rows.get(i).length];
      for (int row = 0; row < told.length; row++) {
        int token = script[Math.min(next[i] + row, script.length - 1)];
        told[row] = new Told(rows.get(i)[row], token);
      }
      scripted.add(told);
    }
    return scripted;
  }

  /** Logits whose greatest is found, and then another token's. */
  private record Told(Logits behind, int token) implements Logits {
    @Override
    public int size() {
      return behind.size();
    }

    @Override
    public boolean isFinite() {
      return behind.isFinite();
    }

    @Override
    public int greatest(int count, int[] tokens, float[] logits) {
      int found = behind.greatest(count, tokens, logits);
      tokens[0] = token;
      return found;
    }

    @Override
    public void copyTo(float[] row) {
      behind.copyTo(row);
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
