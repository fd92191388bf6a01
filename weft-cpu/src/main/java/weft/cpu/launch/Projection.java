package weft.cpu.launch;

import java.util.ArrayList;
import java.util.List;
import weft.backend.Weights;
import weft.ir.Fn;

/** One or more weights that meet the same rows, bound to memory. */
public record Projection(Rows2d x, Norm norm, List<Part> parts, After after, Rows2d result) {
  /** A weight with the place of its outputs among all outputs. */
  public record Part(Weights.Tensor weight, float[] bias, int column) {
    public int outputs() {
      return Math.toIntExact(weight.rows());
    }

    public float biasOf(int output) {
      return bias.length == 0 ? 0 : bias[output];
    }
  }

  /** What comes before the products: nothing, or a norm by this weight. */
  public record Norm(float[] weight, float eps) {
    public static final Norm NONE = new Norm(new float[0], 0);

    /** A norm's weight as it multiplies: some models keep it around one. */
    public static float[] shifted(float[] weight, float offset) {
      var out = weight.clone();
      for (int i = 0; i < out.length; i++) out[i] += offset;
      return out;
    }

    public boolean isNone() {
      return weight.length == 0;
    }
  }

  /** What comes after: nothing, a residual to add, a gate over two equal parts, or a function. */
  public sealed interface After {
    record Nothing() implements After {}

    record Add(Rows2d residual) implements After {}

    record Gate(Fn fn) implements After {}

    record Map(Fn fn) implements After {}
  }

  public Projection {
    parts = List.copyOf(parts);
  }

  /** The outputs of weights behind each other, with a bias each or none at all. */
  public static List<Part> parts(List<Weights.Tensor> weights, List<float[]> biases) {
    var parts = new ArrayList<Part>();
    int column = 0;
    for (int i = 0; i < weights.size(); i++) {
      var bias = biases.isEmpty() ? new float[0] : biases.get(i);
      parts.add(new Part(weights.get(i), bias, column));
      column += parts.getLast().outputs();
    }
    return parts;
  }
}
