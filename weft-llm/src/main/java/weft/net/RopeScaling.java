package weft.net;

import java.util.List;

/**
 * The ways by which rope is stretched to contexts longer than it was trained on, as the keys of one
 * {@code group} ask for them.
 */
record RopeScaling(Meta meta, String group, double theta) {
  Rope apply(Rope rope) {
    var type = meta.text(key("type"), "default");
    return switch (type) {
      case "default", "none", "" -> rope;
      case "linear" -> rope.turning(divided(rope, real("factor")), 1);
      // Within the trained context, which is all that a fixed table can serve, it changes nothing.
      case "dynamic" -> rope;
      case "llama3" -> rope.turning(banded(rope), 1);
      case "yarn" -> rope.turning(yarn(rope), yarnMagnitude());
      case "longrope", "su" -> rope.turning(shortFactors(rope), longRopeMagnitude());
      default ->
          throw meta.wrong(key("type"), type, "default, linear, dynamic, llama3, yarn or longrope");
    };
  }

  /** The positions that the scaled table serves. */
  int reach() {
    int context = meta.integer("context_length", Range.POSITIONS);
    return switch (meta.text(key("type"), "default")) {
      // The long table would turn the same keys otherwise, so a cache cannot grow into it.
      case "longrope", "su" -> Math.min(context, (int) trained());
      default -> context;
    };
  }

  private String key(String name) {
    return group + "." + name;
  }

  private double real(String name) {
    return meta.real(key(name), Range.POSITIVE);
  }

  private double real(String name, double otherwise) {
    return meta.real(key(name), Range.POSITIVE, otherwise);
  }

  private double trained() {
    int context = meta.integer("context_length", Range.POSITIONS);
    return meta.integer(key("original_context_length"), Range.POSITIONS, context);
  }

  private double factor() {
    return real("factor", meta.integer("context_length", Range.POSITIONS) / trained());
  }

  private static double[] divided(Rope rope, double factor) {
    var out = rope.inverseFrequencies().clone();
    for (int i = 0; i < out.length; i++) out[i] /= factor;
    return out;
  }

  /** arXiv:2407.21783: slow pairs are stretched, fast ones left, the band between blended. */
  private double[] banded(Rope rope) {
    double factor = real("factor");
    double low = real("low_freq_factor");
    double high = real("high_freq_factor");
    var out = rope.inverseFrequencies().clone();
    for (int i = 0; i < out.length; i++) {
      double turns = trained() * out[i] / (2 * Math.PI);
      if (turns < low) {
        out[i] /= factor;
      } else if (turns <= high) {
        double smooth = (turns - low) / (high - low);
        out[i] = (1 - smooth) * out[i] / factor + smooth * out[i];
      }
    }
    return out;
  }

  /** YaRN (arXiv:2309.00071): interpolates the pairs that turn less than once in the context. */
  private double[] yarn(Rope rope) {
    double fast = turningPair(rope, real("yarn_beta_fast", 32));
    double slow = turningPair(rope, real("yarn_beta_slow", 1));
    boolean truncate = meta.flag(key("truncate"), true);
    double from = Math.max(truncate ? Math.floor(fast) : fast, 0);
    double to = Math.min(truncate ? Math.ceil(slow) : slow, rope.dims() - 1);
    if (from == to) to += 0.001; // a step, without dividing by zero
    var out = rope.inverseFrequencies().clone();
    for (int i = 0; i < out.length; i++) {
      double ramp = Math.clamp((i - from) / (to - from), 0, 1);
      out[i] = out[i] / factor() * ramp + out[i] * (1 - ramp);
    }
    return out;
  }

  /** The (fractional) pair that makes this many turns over the trained context. */
  private double turningPair(Rope rope, double turns) {
    return rope.dims() * Math.log(trained() / (turns * 2 * Math.PI)) / (2 * Math.log(theta));
  }

  private double yarnMagnitude() {
    double mscale = meta.real(key("mscale"), Range.FACTOR, 0);
    double allDim = meta.real(key("mscale_all_dim"), Range.FACTOR, 0);
    double inferred =
        mscale != 0 && allDim != 0
            ? magnitude(factor(), mscale) / magnitude(factor(), allDim)
            : magnitude(factor(), 1);
    return magnitude("yarn_attn_factor", inferred) * magnitude("attn_factor", 1);
  }

  private static double magnitude(double factor, double mscale) {
    return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1;
  }

  /** LongRoPE (arXiv:2402.13753): a factor for each pair; the short ones serve what was trained. */
  private double[] shortFactors(Rope rope) {
    List<Double> factors = meta.numbers(key("short_factor"), Range.POSITIVE);
    var out = rope.inverseFrequencies().clone();
    // GGUF keeps the factors in a tensor, which the table meets when it is made.
    if (meta.has(Rope.SHORT_FACTORS)) return out;
    if (factors.size() != out.length) {
      throw meta.wrong(
          key("short_factor"), factors, "a factor for each of " + out.length + " pairs");
    }
    for (int i = 0; i < out.length; i++) out[i] /= factors.get(i);
    return out;
  }

  private double longRopeMagnitude() {
    double inferred = factor() <= 1 ? 1 : Math.sqrt(1 + Math.log(factor()) / Math.log(trained()));
    return magnitude("yarn_attn_factor", magnitude("attn_factor", inferred));
  }

  private double magnitude(String name, double otherwise) {
    return meta.real(key(name), Range.FACTOR, otherwise);
  }
}
