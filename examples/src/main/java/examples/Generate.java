package examples;

import weft.generate.Sampling;
import weft.load.LanguageModel;

/** Goes on from a text: {@code examples/run Generate "Once upon a time"}. */
public final class Generate {
  private Generate() {}

  public static void main(String[] args) {
    var prompt = args.length > 0 ? args[0] : "Once upon a time";
    // A model of your own: LanguageModel.load(Path.of("model.gguf")).
    try (var model = LanguageModel.builtIn()) {
      var request = model.request(prompt).withMaxTokens(80).withSampling(Sampling.seeded(7));
      var reply = model.generate(request);
      System.out.println(prompt + reply.text());
      System.out.println(
          reply.usage().generatedTokens()
              + " tokens in "
              + reply.usage().decode().toMillis()
              + " ms");
    }
  }
}
