package examples;

import java.util.List;
import weft.constrain.Grammar;
import weft.constrain.Regex;
import weft.load.LanguageModel;

/** Lets a model choose among given answers alone: {@code examples/run Constrain red green blue}. */
public final class Constrain {
  private Constrain() {}

  public static void main(String[] args) {
    var answers = args.length > 0 ? List.of(args) : List.of("red", "green", "blue");
    try (var model = LanguageModel.builtIn()) {
      // Grammar.parse reads GBNF; weft.constrain.schema.JsonSchema.compile reads JSON Schema.
      var mask = model.constrain(Grammar.of(Regex.anyText(answers)));
      var request = model.request("The color of the grass is ").withMask(mask);
      System.out.println(model.generate(request).text());
    }
  }
}
