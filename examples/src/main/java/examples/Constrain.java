package examples;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import weft.generate.Mask;
import weft.load.LanguageModel;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;

/** Lets a model choose among given answers alone: {@code examples/run Constrain red green blue}. */
public final class Constrain {
  private Constrain() {}

  public static void main(String[] args) {
    var answers = args.length > 0 ? args : new String[] {"red", "green", "blue"};
    try (var model = LanguageModel.builtIn()) {
      var tokenizer = model.tokenizer();
      var choices =
          Arrays.stream(answers)
              .map(answer -> tokenizer.encode(answer, Surround.OMITTED, SpecialText.ESCAPED))
              .toList();
      var request =
          model
              .request("The color of the grass is ")
              .withMask(() -> new OneOf(choices, model.stopTokens()));
      System.out.println(model.generate(request).text());
    }
  }

  /** Allows the tokens that lead to one of several texts, then the end. One for each reply. */
  private static final class OneOf implements Mask {
    private final List<int[]> choices;
    private final Set<Integer> ends;
    private int[] said = {};

    OneOf(List<int[]> choices, Set<Integer> ends) {
      this.choices = choices;
      this.ends = ends;
    }

    @Override
    public void apply(float[] logits) {
      var allowed = new HashSet<Integer>();
      for (var choice : choices) {
        boolean isPossible = choice.length >= said.length && said.length == shared(choice);
        if (!isPossible) continue;
        if (choice.length == said.length) allowed.addAll(ends);
        else allowed.add(choice[said.length]);
      }
      for (int token = 0; token < logits.length; token++) {
        if (!allowed.contains(token)) logits[token] = Float.NEGATIVE_INFINITY;
      }
    }

    private int shared(int[] choice) {
      int mismatch = Arrays.mismatch(choice, said);
      return mismatch < 0 ? said.length : mismatch;
    }

    @Override
    public void chosen(int token) {
      said = Arrays.copyOf(said, said.length + 1);
      said[said.length - 1] = token;
    }
  }
}
