package weft.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A model that trusts no state: for every row of logits it feeds the whole text to a fresh session
 * of another model. The oracle for every cached path, and as slow as that sounds. Takes the other
 * model over: closing this closes it. As safe for threads as that model is.
 */
public final class Recompute implements Model {
  private final Model model;

  public Recompute(Model model) {
    this.model = model;
  }

  @Override
  public Claim claim() {
    return model.claim();
  }

  @Override
  public Memory memory() {
    return model.memory();
  }

  @Override
  public Session open() {
    return new Text(Album.NONE);
  }

  @Override
  public List<Logits[]> forward(List<Step> batch) {
    List<Logits[]> logits = new ArrayList<>(batch.size());
    for (Step step : batch) {
      Text session = (Text) step.session();
      Tokens text = session.tokens;
      text.add(step.tokens());
      session.album = session.album.and(step.album());
      Logits[] rows = new Logits[step.wanted()];
      for (int row = 0; row < rows.length; row++) {
        rows[row] = after(text.slice(0, text.length() - rows.length + 1 + row), session.album);
      }
      if (!step.tap().isNone()) {
        show(step, text.toArray(), session.album);
      }
      logits.add(rows);
    }
    return logits;
  }

  /** The last of the text's rows are the step's. */
  private void show(Step step, int[] text, Album album) {
    int before = text.length - step.tokens().length;
    Tap whole =
        new Tap(
            step.tap().point(),
            (row, values) -> {
              if (row >= before) {
                step.tap().to().row(row - before, values);
              }
            });
    try (Session session = model.open()) {
      model.forward(List.of(new Step(session, text, 0, 0, whole, List.of(), album)));
    }
  }

  private Logits after(int[] text, Album album) {
    try (Session session = model.open()) {
      var step = new Step(session, text, 1, 0, Tap.NONE, List.of(), album);
      // The row lives until the model's next forward pass, which the next row may be.
      return Logits.of(model.forward(List.of(step)).getFirst()[0].toArray());
    }
  }

  @Override
  public int vocabularySize() {
    return model.vocabularySize();
  }

  @Override
  public int contextLength() {
    return model.contextLength();
  }

  @Override
  public boolean takes(Seen picture) {
    return model.takes(picture);
  }

  @Override
  public List<String> points() {
    return model.points();
  }

  @Override
  public Optional<String> diagnose(int[] tokens) {
    return model.diagnose(tokens);
  }

  @Override
  public void close() {
    model.close();
  }

  /** All the state there is: the text, and the pictures in it. */
  private static final class Text implements Session {
    private final Tokens tokens;
    private Album album;

    private Text(Album album, int... ids) {
      this.tokens = Tokens.of(ids);
      this.album = album;
    }

    @Override
    public int position() {
      return tokens.length();
    }

    @Override
    public void rewind(int position) {
      tokens.truncate(position);
    }

    @Override
    public int nearest(int position) {
      return Math.min(position, tokens.length());
    }

    @Override
    public Session fork(int position) {
      return new Text(album, tokens.slice(0, nearest(position)));
    }

    @Override
    public void close() {}
  }
}
