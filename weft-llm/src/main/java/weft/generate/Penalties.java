package weft.generate;

import java.util.Map;

/**
 * What is added to or taken from the logits before anything else, as llama.cpp defines it. For each
 * token that occurs {@code count > 0} times among the last {@code lastN} of prompt and reply:
 *
 * <ol>
 *   <li>a logit above zero is divided by {@code repeat}, any other is multiplied by it;
 *   <li>{@code count * frequency + presence} is subtracted;
 * </ol>
 *
 * then {@code bias} is added for the tokens it names.
 *
 * <p>A value, made by the {@code with} methods; safe for all threads.
 */
public final class Penalties {
  public static final Penalties NONE = new Penalties(1, 64, 0, 0, Map.of());

  private final double repeat;
  private final int lastN;
  private final double presence;
  private final double frequency;
  private final Map<Integer, Double> bias;

  Penalties(
      double repeat, int lastN, double presence, double frequency, Map<Integer, Double> bias) {
    if (!(repeat > 0 && repeat < Double.POSITIVE_INFINITY)) {
      throw new GenerateException("repeat penalty must be above 0 (1 is off), got " + repeat);
    }
    if (lastN < -1) {
      throw new GenerateException(
          "repeat last-n must be 0 (off), -1 (the whole text) or a count of tokens, got " + lastN);
    }
    requireFinite("presence penalty", presence);
    requireFinite("frequency penalty", frequency);
    bias = Map.copyOf(bias);
    bias.forEach(
        (token, added) -> {
          if (added.isNaN() || added == Double.POSITIVE_INFINITY) {
            throw new GenerateException(
                "logit bias of token "
                    + token
                    + " must be a number, or negative infinity to forbid it, got "
                    + added);
          }
        });
    this.repeat = repeat;
    this.lastN = lastN;
    this.presence = presence;
    this.frequency = frequency;
    this.bias = bias;
  }

  private static void requireFinite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new GenerateException(name + " must be a finite number (0 is off), got " + value);
    }
  }

  public Penalties withRepeat(double penalty, int lastTokens) {
    return new Penalties(penalty, lastTokens, presence, frequency, bias);
  }

  public Penalties withPresence(double penalty) {
    return new Penalties(repeat, lastN, penalty, frequency, bias);
  }

  public Penalties withFrequency(double penalty) {
    return new Penalties(repeat, lastN, presence, penalty, bias);
  }

  public Penalties withBias(Map<Integer, Double> added) {
    return new Penalties(repeat, lastN, presence, frequency, added);
  }

  boolean isNone() {
    return !looksBack() && bias.isEmpty();
  }

  private boolean looksBack() {
    return lastN != 0 && (repeat != 1 || presence != 0 || frequency != 0);
  }

  /** Changes the logits in place; {@code counts} is all zeros before and after. */
  void apply(float[] logits, Tokens known, int[] counts) {
    if (looksBack()) {
      int from = lastN < 0 ? 0 : Math.max(0, known.length() - lastN);
      for (int i = from; i < known.length(); i++) {
        if (!Album.isRow(known.at(i))) counts[known.at(i)]++;
      }
      for (int i = from; i < known.length(); i++) {
        int token = known.at(i);
        if (!Album.isRow(token) && counts[token] > 0) {
          logits[token] = penalized(logits[token], counts[token]);
          counts[token] = 0;
        }
      }
    }
    bias.forEach((token, added) -> logits[token] += added.floatValue());
  }

  private float penalized(float logit, int count) {
    double scaled = logit > 0 ? logit / repeat : logit * repeat;
    return (float) (scaled - count * frequency - presence);
  }

  /** 1 is off, above 1 discourages repetition. */
  public double repeat() {
    return repeat;
  }

  /** How far back the three penalties look; 0 is off, -1 the whole text. */
  public int lastN() {
    return lastN;
  }

  public double presence() {
    return presence;
  }

  public double frequency() {
    return frequency;
  }

  /** By token id; negative infinity forbids a token. */
  public Map<Integer, Double> bias() {
    return bias;
  }
}
