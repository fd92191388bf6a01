package weft.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** How likely a model takes each token of a text, given those before it. Safe for all threads. */
public final class Scores {
  /** Rows of logits that are there at once: each is as long as the vocabulary. */
  private static final int ROWS = 16;

  private Scores() {}

  /**
   * A piece without text for each token: its log-probability, NaN for the first, and the likeliest
   * in its place. {@code between} is called between two steps, and ends this by what it throws.
   */
  public static List<Piece> of(Model model, int[] text, int alternatives, Runnable between) {
    Objects.requireNonNull(between, "between");
    Request.of(text).requireFits(model);
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece(text[0], "", Double.NaN, List.of()));
    int[] ranks = new int[Math.max(1, alternatives)];
    try (Session session = model.open()) {
      // Nobody asks what comes behind the last.
      for (int from = 0; from < text.length - 1; from += ROWS) {
        between.run();
        int[] part = Arrays.copyOfRange(text, from, Math.min(from + ROWS, text.length - 1));
        Logits[] rows =
            model.forward(List.of(new Model.Step(session, part, part.length))).getFirst();
        for (int i = 0; i < rows.length; i++) {
          LogProbs chances = new LogProbs(rows[i].toArray());
          int next = text[from + i + 1];
          pieces.add(
              new Piece(
                  next,
                  "",
                  chances.of(next),
                  alternatives > 0 ? chances.likeliest(alternatives, ranks) : List.of()));
        }
      }
    }
    return pieces;
  }
}
