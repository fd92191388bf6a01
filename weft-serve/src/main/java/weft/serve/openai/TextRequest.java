package weft.serve.openai;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import weft.generate.Sampling;
import weft.generate.Stops;
import weft.serve.ask.Ask;
import weft.serve.web.Fields;

/** The part of a request for texts that go on which others than OpenAI's clients write alike. */
public final class TextRequest {
  /** Tokens with a bias of their own. */
  public static final int MOST_BIASES = Manner.MOST_BIASES;

  private TextRequest() {}

  /** An ask for each prompt, to the model's own end; a seed of -1 is any. */
  public static List<Ask> asks(Fields body, Map<Integer, Double> bias) {
    var sampling = unseeded(Manner.sampling(body, bias));
    var form = Forms.read(body);
    boolean isIgnoring = body.flag("ignore_eos").orElse(false);
    var model = body.text("model").orElse(Ask.FIRST_MODEL);
    return Completions.prompts(body).stream()
        .map(prompt -> Ask.of(model, prompt, sampling).withForm(form))
        .map(ask -> isIgnoring ? ask.ignoringEnds() : ask)
        .toList();
  }

  private static Sampling unseeded(Sampling sampling) {
    return sampling.seed() == -1
        ? sampling.withSeed(RandomGenerator.getDefault().nextLong())
        : sampling;
  }

  /** The texts that end an answer. */
  public static Stops stops(Fields body) {
    return Manner.stops(body, List.of());
  }

  /** What is added to tokens' logits, as OpenAI writes it. */
  public static Map<Integer, Double> bias(Fields body) {
    return Manner.bias(body);
  }
}
