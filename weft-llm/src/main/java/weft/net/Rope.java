package weft.net;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Rotary positions (arXiv:2104.09864): how many elements of a head turn, how fast each pair turns
 * after any scaling to longer contexts, and which elements are a pair. Where rows have several
 * positions, {@code sections} says for each pair by which of them it turns; without any, all turn
 * by the first.
 */
public record Rope(double[] inverseFrequencies, Pairing pairing, double scale, int[] sections) {
  /** Nothing turns: the layer does not see positions. */
  public static final Rope NONE = new Rope(new double[0], Pairing.HALVES, 1, new int[0]);

  /** How many positions a text has that shows pictures: in time, down and across. */
  private static final int TEXT_SECTIONS = 3;

  static final String SHORT_FACTORS = "rope_factors_short.weight";

  public enum Pairing {
    /** Element i turns with i + half. */
    HALVES,
    /** Element 2i turns with 2i + 1. */
    NEIGHBOURS
  }

  public Rope {
    for (double speed : inverseFrequencies) requireFinite(speed);
    requireFinite(scale);
  }

  private static void requireFinite(double number) {
    if (!Float.isFinite((float) number)) {
      throw new ModelException(
          "rope would turn by " + number + "; check rope.freq_base and the keys of rope.scaling");
    }
  }

  /** {@code theta^(-2i/dims)} for each pair. */
  public static Rope plain(int dims, double theta) {
    if (dims < 2 || dims % 2 != 0) {
      throw new ModelException("rope turns pairs, so its dimensions must be even, got " + dims);
    }
    if (!(theta > 0))
      throw new ModelException("rope.freq_base is " + theta + ", expected it positive");
    var inverse = new double[dims / 2];
    for (int i = 0; i < inverse.length; i++) inverse[i] = Math.pow(theta, -2.0 * i / dims);
    return new Rope(inverse, Pairing.HALVES, 1, new int[0]);
  }

  /** The rope that the keys under {@code rope.} describe, for heads of this size. */
  public static Rope of(Meta meta, int headDim) {
    return described(meta, turned(meta, headDim, headDim), "");
  }

  /** The same where only a part of each head turns, this much of it unless the keys say. */
  public static Rope partial(Meta meta, int headDim, double otherwise) {
    int part = (int) (headDim * meta.real("rope.partial_factor", Range.FRACTION, otherwise));
    return described(meta, turned(meta, headDim, part), "");
  }

  /** The rope of layers that see a window only, which have a base and a scaling of their own. */
  public static Rope ofWindow(Meta meta, int headDim) {
    return described(meta, turned(meta, headDim, headDim), "_swa");
  }

  private static int turned(Meta meta, int headDim, int otherwise) {
    int dims = meta.integer("rope.dimension_count", Range.HEAD, Math.max(1, otherwise));
    if (dims > headDim || dims % 2 != 0) {
      throw meta.wrong(
          "rope.dimension_count",
          dims,
          "an even number, since rope turns pairs, and no more than the head's " + headDim);
    }
    return dims;
  }

  private static Rope described(Meta meta, int dims, String suffix) {
    double theta = meta.real("rope.freq_base" + suffix, Range.POSITIVE, 10_000);
    return new RopeScaling(meta, "rope.scaling" + suffix, theta).apply(plain(dims, theta));
  }

  /** How many positions a model has: its context, or the part of it that its rope serves. */
  public static int reach(Meta meta) {
    return new RopeScaling(meta, "rope.scaling", 1).reach();
  }

  public Rope paired(Pairing as) {
    return new Rope(inverseFrequencies, as, scale, sections);
  }

  Rope turning(double[] inverse, double by) {
    return new Rope(inverse, pairing, scale * by, sections);
  }

  public int dims() {
    return 2 * inverseFrequencies.length;
  }

  /**
   * The rope of places on a plane: half of the pairs turn by the row and half by the column, alike.
   */
  public static Rope plane(int headDim, double theta) {
    if (headDim % 4 != 0) {
      throw new ModelException(
          "rope turns two pairs a place on a plane, so heads have a multiple of 4, got " + headDim);
    }
    var line = plain(headDim / 2, theta).inverseFrequencies;
    var both = Arrays.copyOf(line, 2 * line.length);
    System.arraycopy(line, 0, both, line.length, line.length);
    var axes = new int[both.length];
    Arrays.fill(axes, line.length, axes.length, 1);
    return new Rope(both, Pairing.HALVES, 1, axes);
  }

  /**
   * Pairs take turns in time, down and across (Qwen3-VL's interleaved M-RoPE) as long as the last
   * two have any of theirs left; how many each has is {@code rope.dimension_sections}.
   */
  public Rope interleaved(Meta meta, int... otherwise) {
    var said = meta.numbers("rope.dimension_sections", Range.COUNT_OR_NONE);
    var counts = said.isEmpty() ? otherwise : said.stream().mapToInt(Double::intValue).toArray();
    if (counts.length < TEXT_SECTIONS) {
      throw meta.wrong(
          "rope.dimension_sections", said, "a number for each of time, down and across");
    }
    var turns = new int[inverseFrequencies.length];
    for (int i = 0; i < turns.length; i++) {
      int section = i % TEXT_SECTIONS;
      turns[i] = i / TEXT_SECTIONS < counts[section] ? section : 0;
    }
    return new Rope(inverseFrequencies, pairing, scale, turns);
  }

  /** How many positions a row has where it has several. */
  int positions() {
    return 1 + Arrays.stream(sections).max().orElse(0);
  }

  /**
   * The table of speeds by each of so many positions, divided by the checkpoint's own factors where
   * it brings them: a pair has one by its own, and by the others none.
   */
  Tensor frequencies(Net net, int positions) {
    int pairs = inverseFrequencies.length;
    var speeds = new double[positions * pairs];
    for (int i = 0; i < pairs; i++) {
      speeds[positions == 1 ? i : sections[i] * pairs + i] = inverseFrequencies[i];
    }
    var table = net.constant(speeds);
    var outer = net.root();
    // GGUF writes some scalings as a tensor of divisors instead of keys.
    for (var name : List.of("rope_freqs.weight", SHORT_FACTORS)) {
      if (!outer.has(name)) continue;
      var divisors = outer.parameter(name, pairs);
      return table.over(
          positions == 1 ? divisors : net.concat(Collections.nCopies(positions, divisors)));
    }
    return table;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rope r
        && Arrays.equals(inverseFrequencies, r.inverseFrequencies)
        && Arrays.equals(sections, r.sections)
        && pairing == r.pairing
        && scale == r.scale;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(inverseFrequencies);
  }

  @Override
  public String toString() {
    return "Rope[" + dims() + " of " + pairing + " x" + scale + "]";
  }
}
