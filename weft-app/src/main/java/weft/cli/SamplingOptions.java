package weft.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import weft.generate.GenerateException;
import weft.generate.Penalties;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Stops;

/** How tokens are chosen and when a reply ends. */
final class SamplingOptions {
  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "The most tokens to generate (default: ${DEFAULT-VALUE}).")
  private int maxTokens = 512;

  @Option(
      names = "--temperature",
      paramLabel = "T",
      description = "0 always takes the likeliest token (default: ${DEFAULT-VALUE}).")
  private double temperature = 0.8;

  @Option(
      names = "--top-k",
      paramLabel = "K",
      description = "Draw from the K likeliest; 0 is off (default: ${DEFAULT-VALUE}).")
  private int topK = 40;

  @Option(
      names = "--top-p",
      paramLabel = "P",
      description =
          "Draw from the fewest that make up this probability; 1 is off (default:"
              + " ${DEFAULT-VALUE}).")
  private double topP = 0.95;

  @Option(
      names = "--min-p",
      paramLabel = "P",
      description =
          "Draw from those at least this likely, as a share of the likeliest; 0 is off (default:"
              + " ${DEFAULT-VALUE}).")
  private double minP = 0.05;

  @Option(
      names = "--typical",
      paramLabel = "P",
      description = "Locally typical sampling; 1 is off (default: ${DEFAULT-VALUE}).")
  private double typical = 1;

  @Option(
      names = "--repeat-penalty",
      paramLabel = "R",
      description = "Above 1 discourages what was said; 1 is off (default: ${DEFAULT-VALUE}).")
  private double repeat = 1;

  @Option(
      names = "--repeat-last-n",
      paramLabel = "N",
      description =
          "How far back the penalties look; 0 is off, -1 the whole text (default:"
              + " ${DEFAULT-VALUE}).")
  private int lastN = 64;

  @Option(
      names = "--presence-penalty",
      paramLabel = "X",
      description = "Taken from what was said at all (default: ${DEFAULT-VALUE}).")
  private double presence = 0;

  @Option(
      names = "--frequency-penalty",
      paramLabel = "X",
      description = "Taken for each time it was said (default: ${DEFAULT-VALUE}).")
  private double frequency = 0;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed gives the same text (default: another each time).")
  private @Nullable Long seed;

  @Option(
      names = "--stop",
      paramLabel = "TEXT",
      description = "End where this text appears; may be given several times.")
  private List<String> stops = new ArrayList<>();

  @Option(names = "--ignore-eos", description = "Go on after the model's end-of-text tokens.")
  private boolean isIgnoringEnd;

  SamplingOptions() {}

  /** What was chosen, once it is known to be right. */
  record Choice(Sampling sampling, Stops stops, boolean isIgnoringEnd) {
    /** Keeps the request's own end-of-text tokens, unless they are to be ignored. */
    Request of(Request request) {
      var chosen = request.withSampling(sampling).withStops(stops);
      return isIgnoringEnd ? chosen.ignoringEnds() : chosen;
    }
  }

  /** A value out of its range is wrong usage, and the generator's sentence says which. */
  Choice choice() {
    try {
      return new Choice(
          Sampling.seeded(seed == null ? RandomGenerator.getDefault().nextLong() : seed)
              .withTemperature(temperature)
              .withTopK(topK)
              .withTopP(topP)
              .withMinP(minP)
              .withTypical(typical)
              .withPenalties(
                  Penalties.NONE
                      .withRepeat(repeat, lastN)
                      .withPresence(presence)
                      .withFrequency(frequency)),
          Stops.NONE.withMaxTokens(maxTokens).withStrings(stops),
          isIgnoringEnd);
    } catch (GenerateException e) {
      throw new UsageException(e.getMessage());
    }
  }
}
