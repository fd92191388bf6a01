package weft.serve.ask;

import java.util.Arrays;
import weft.load.LanguageModel;

/**
 * A text as a vector of length one: the mean of the model's last rows, or what its metadata says.
 *
 * @param tokens how many the text has
 */
public record Embedding(float[] values, int tokens) {
  /** Of a text; the rows of all tokens are in memory at once. */
  static final int MOST_TOKENS = 8192;

  /** How the rows of a text become one, by the numbers that GGUF files have for it. */
  private enum Pooling {
    MEAN,
    FIRST,
    LAST;

    static Pooling of(LanguageModel model) {
      var metadata = model.checkpoint().metadata();
      var key = metadata.string("general.architecture").orElse("") + ".pooling_type";
      return switch ((int) metadata.integer(key).orElse(1)) {
        case 2 -> FIRST;
        case 3 -> LAST;
        default -> MEAN;
      };
    }
  }

  /** What a model makes of a text or of tokens, for as long as the client is there. */
  public static Embedding of(LanguageModel model, Prompt prompt, Client client) {
    return of(model, Prepared.tokens(model, prompt, most(model)), client);
  }

  /** The same of as much of a text as the model takes. */
  public static Embedding ofBeginning(LanguageModel model, Prompt prompt, Client client) {
    var tokens = Prepared.tokens(model, prompt, Integer.MAX_VALUE);
    return of(model, Arrays.copyOf(tokens, Math.min(tokens.length, most(model))), client);
  }

  private static int most(LanguageModel model) {
    return Math.min(MOST_TOKENS, model.contextLength());
  }

  private static Embedding of(LanguageModel model, int[] tokens, Client client) {
    var rows = model.hidden("final", client::requireThere, tokens);
    var pooled =
        switch (Pooling.of(model)) {
          case MEAN -> mean(rows);
          case FIRST -> rows[0];
          case LAST -> rows[rows.length - 1];
        };
    return new Embedding(normalized(pooled), tokens.length);
  }

  /** The first values alone, of length one again. */
  public Embedding shortened(int length) {
    return new Embedding(normalized(Arrays.copyOf(values, length)), tokens);
  }

  private static float[] mean(float[][] rows) {
    var sums = new double[rows[0].length];
    for (var row : rows) {
      for (int i = 0; i < sums.length; i++) sums[i] += row[i];
    }
    var mean = new float[sums.length];
    for (int i = 0; i < sums.length; i++) mean[i] = (float) (sums[i] / rows.length);
    return mean;
  }

  private static float[] normalized(float[] values) {
    double square = 0;
    for (float value : values) square += (double) value * value;
    double length = Math.sqrt(square);
    var normalized = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      normalized[i] = length == 0 ? 0 : (float) (values[i] / length);
    }
    return normalized;
  }
}
