package weft.cuda.product;

import java.util.Locale;
import java.util.Optional;
import weft.ir.Fn;
import weft.quant.Encoding;
import weft.quant.Encodings;

/**
 * A weight of {@code outputs} rows that meets rows of {@code columns} activations.
 *
 * @param finish what is done to the sums
 * @param norm what is done to the activations first
 */
public record Product(
    Encoding encoding, int columns, int outputs, Finish finish, Optional<Norm> norm) {
  public Product(Encoding encoding, int columns, int outputs, Finish finish) {
    this(encoding, columns, outputs, finish, Optional.empty());
  }

  /**
   * {@code x / rms(x) · (w + offset)}. A row's factor is the same for all of its values, so it is
   * the sums that are multiplied by it, and the squares are added up while activations pass.
   */
  public record Norm(float eps, float offset) {
    /** Numbers of a norm are part of a kernel, so their bits are part of its name. */
    String name() {
      return "_norm_%x_%x".formatted(Float.floatToRawIntBits(eps), Float.floatToRawIntBits(offset));
    }
  }

  /** What is done to a product's sums, after a bias is added where there is one. */
  public sealed interface Finish {
    record None() implements Finish {}

    /** A residual is added. */
    record Add() implements Finish {}

    /** {@code fn(gate) · up}, of two weights. */
    record Gate(Fn fn) implements Finish {}
  }

  /** The same of activations that were normed before. */
  Product normed() {
    return new Product(encoding, columns, outputs, finish);
  }

  /** The same of a weight whose values became halves. */
  public Product ofHalves() {
    return new Product(Encodings.F16, columns, outputs, finish, norm);
  }

  /** The rows of all weights together, which lie behind each other. */
  public int rowsOfWeights() {
    return outputs * weights();
  }

  RowLayout layout() {
    return RowLayout.of(encoding, columns);
  }

  boolean isGated() {
    return finish instanceof Finish.Gate;
  }

  /** The weights that an output is made of. */
  int weights() {
    return isGated() ? 2 : 1;
  }

  /** A name for a kernel, unlike that of any other product. */
  String name(String kind) {
    var end =
        switch (finish) {
          case Finish.None() -> "";
          case Finish.Add() -> "_add";
          case Finish.Gate(var fn) -> "_" + fn.name().toLowerCase(Locale.ROOT);
        };
    var begin = norm.map(Norm::name).orElse("");
    var weights = encoding.name().toLowerCase(Locale.ROOT);
    return "%s_%s_%dx%d%s%s".formatted(kind, weights, outputs, columns, begin, end);
  }
}
