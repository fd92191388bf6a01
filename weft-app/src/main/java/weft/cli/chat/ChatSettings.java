package weft.cli.chat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import weft.chat.ChatOptions;
import weft.generate.GenerateException;
import weft.generate.Request;
import weft.generate.Sampling;

/** What {@code /set} changes: how replies are sampled, their length, and whether models think. */
public record ChatSettings(Sampling sampling, int maxTokens, Optional<Boolean> thinking) {
  static final List<String> NAMES =
      List.of(
          "temperature",
          "top-k",
          "top-p",
          "min-p",
          "typical",
          "repeat-penalty",
          "repeat-last-n",
          "seed",
          "max-tokens",
          "thinking");

  /** Whether models think is left to their templates. */
  public static ChatSettings of(Sampling sampling, int maxTokens) {
    return new ChatSettings(sampling, maxTokens, Optional.empty());
  }

  /** These options with one changed; what cannot be is a {@link GenerateException}. */
  ChatSettings with(String name, String value) {
    try {
      return switch (name) {
        case "temperature" -> sampled(sampling.withTemperature(Double.parseDouble(value)));
        case "top-k" -> sampled(sampling.withTopK(Integer.parseInt(value)));
        case "top-p" -> sampled(sampling.withTopP(Double.parseDouble(value)));
        case "min-p" -> sampled(sampling.withMinP(Double.parseDouble(value)));
        case "typical" -> sampled(sampling.withTypical(Double.parseDouble(value)));
        case "repeat-penalty" -> repeat(Double.parseDouble(value), sampling.penalties().lastN());
        case "repeat-last-n" -> repeat(sampling.penalties().repeat(), Integer.parseInt(value));
        case "seed" -> sampled(sampling.withSeed(Long.parseLong(value)));
        case "max-tokens" -> new ChatSettings(sampling, positive(value), thinking);
        case "thinking" -> new ChatSettings(sampling, maxTokens, Optional.of(isOn(value)));
        default ->
            throw new GenerateException("no option is called " + name + "; there are " + NAMES);
      };
    } catch (NumberFormatException e) {
      throw new GenerateException(name + " takes a number, got " + value);
    }
  }

  private ChatSettings sampled(Sampling other) {
    return new ChatSettings(other, maxTokens, thinking);
  }

  private ChatSettings repeat(double penalty, int lastTokens) {
    return sampled(sampling.withPenalties(sampling.penalties().withRepeat(penalty, lastTokens)));
  }

  private static int positive(String value) {
    int number = Integer.parseInt(value);
    if (number < 1) throw new GenerateException("max-tokens must be at least 1, got " + number);
    return number;
  }

  private static boolean isOn(String value) {
    return switch (value) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default -> throw new GenerateException("thinking is on or off, got " + value);
    };
  }

  /** As a conversation takes them; each reply draws its own numbers from the one seed. */
  ChatOptions of(UnaryOperator<Request> standing, int reply) {
    var options =
        ChatOptions.standard()
            .withRequest(standing)
            .withSampling(sampling.withSeed(sampling.seed() + reply))
            .withMaxTokens(maxTokens);
    return thinking.map(options::withThinking).orElse(options);
  }

  Map<String, Object> values() {
    var values = new LinkedHashMap<String, Object>();
    values.put("temperature", sampling.temperature());
    values.put("top-k", sampling.topK());
    values.put("top-p", sampling.topP());
    values.put("min-p", sampling.minP());
    values.put("typical", sampling.typical());
    values.put("repeat-penalty", sampling.penalties().repeat());
    values.put("repeat-last-n", sampling.penalties().lastN());
    values.put("seed", sampling.seed());
    values.put("max-tokens", maxTokens);
    values.put("thinking", thinking.map(on -> on ? "on" : "off").orElse("as the template has it"));
    return values;
  }
}
