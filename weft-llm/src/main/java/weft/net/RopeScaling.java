package weft.net;

import java.util.List;

/** The ways by which rope is stretched to contexts longer than it was trained on. */
final class RopeScaling {
  private RopeScaling() {}

  static Rope apply(Meta meta, Rope rope) {
    double theta = meta.real("rope.freq_base", 10_000);
    var type = meta.text("rope.scaling.type", "default");
    return switch (type) {
      case "default", "none", "" -> rope;
      case "linear" -> scaled(rope, divided(rope, meta.real("rope.scaling.factor")), 1);
      // Within the trained context, which is all that a fixed table can serve, it changes nothing.
      case "dynamic" -> rope;
      case "llama3" -> scaled(rope, llama3(meta, rope), 1);
      case "yarn" -> scaled(rope, yarn(meta, rope, theta), yarnAttention(meta));
      case "longrope", "su" -> scaled(rope, longRope(meta, rope), longRopeAttention(meta));
      default ->
          throw new ModelException(
              "rope.scaling.type is "
                  + type
                  + ", which weft does not know; it knows default, linear, dynamic, llama3, yarn and longrope");
    };
  }

  private static Rope scaled(Rope rope, double[] inverse, double by) {
    return new Rope(inverse, rope.pairing(), rope.scale() * by);
  }

  private static double[] divided(Rope rope, double factor) {
    var out = rope.inverseFrequencies().clone();
    for (int i = 0; i < out.length; i++) out[i] /= factor;
    return out;
  }

  /** Llama 3.1: slow pairs are stretched, fast ones left, the band between blended. */
  private static double[] llama3(Meta meta, Rope rope) {
    double factor = meta.real("rope.scaling.factor");
    double low = meta.real("rope.scaling.low_freq_factor");
    double high = meta.real("rope.scaling.high_freq_factor");
    double context = meta.integer("rope.scaling.original_context_length");
    var out = rope.inverseFrequencies().clone();
    for (int i = 0; i < out.length; i++) {
      double turns = context * out[i] / (2 * Math.PI);
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
  private static double[] yarn(Meta meta, Rope rope, double theta) {
    double factor = meta.real("rope.scaling.factor");
    double context =
        meta.integer("rope.scaling.original_context_length", meta.integer("context_length"));
    double fast =
        turningPair(meta.real("rope.scaling.yarn_beta_fast", 32), rope.dims(), theta, context);
    double slow =
        turningPair(meta.real("rope.scaling.yarn_beta_slow", 1), rope.dims(), theta, context);
    boolean truncate = meta.flag("rope.scaling.truncate", true);
    double from = Math.max(truncate ? Math.floor(fast) : fast, 0);
    double to = Math.min(truncate ? Math.ceil(slow) : slow, rope.dims() - 1);
    if (from == to) to += 0.001; // a step, without dividing by zero
    var out = rope.inverseFrequencies().clone();
    for (int i = 0; i < out.length; i++) {
      double ramp = Math.clamp((i - from) / (to - from), 0, 1);
      out[i] = out[i] / factor * ramp + out[i] * (1 - ramp);
    }
    return out;
  }

  /** The (fractional) pair that makes this many turns over the context. */
  private static double turningPair(double turns, int dims, double theta, double context) {
    return dims * Math.log(context / (turns * 2 * Math.PI)) / (2 * Math.log(theta));
  }

  private static double yarnAttention(Meta meta) {
    if (meta.value("rope.scaling.attn_factor").isPresent())
      return meta.real("rope.scaling.attn_factor");
    double factor = meta.real("rope.scaling.factor");
    double mscale = meta.real("rope.scaling.mscale", 0);
    double allDim = meta.real("rope.scaling.mscale_all_dim", 0);
    return mscale != 0 && allDim != 0
        ? magnitude(factor, mscale) / magnitude(factor, allDim)
        : magnitude(factor, 1);
  }

  private static double magnitude(double factor, double mscale) {
    return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1;
  }

  /**
   * LongRoPE (arXiv:2402.13753): a factor for each pair; the short table serves the trained
   * context.
   */
  private static double[] longRope(Meta meta, Rope rope) {
    boolean isLong =
        meta.integer("context_length") > meta.integer("rope.scaling.original_context_length");
    var key = isLong ? "rope.scaling.long_factor" : "rope.scaling.short_factor";
    List<Double> factors = meta.numbers(key);
    var out = rope.inverseFrequencies().clone();
    if (factors.size() != out.length) {
      throw new ModelException(
          key
              + " has "
              + factors.size()
              + " factors, expected one for each of "
              + out.length
              + " pairs");
    }
    for (int i = 0; i < out.length; i++) out[i] /= factors.get(i);
    return out;
  }

  private static double longRopeAttention(Meta meta) {
    if (meta.value("rope.scaling.attn_factor").isPresent())
      return meta.real("rope.scaling.attn_factor");
    double original = meta.integer("rope.scaling.original_context_length");
    double factor = meta.integer("context_length") / original;
    return factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
  }
}
