package weft.cuda.product;

import weft.ir.Fn;
import weft.quant.Encoding;

/**
 * A weight of {@code outputs} rows that meets rows of {@code columns} activations.
 *
 * @param finish what is done to the sums
 */
public record Product(Encoding encoding, int columns, int outputs, Finish finish) {
  /** What is done to a product's sums, after a bias is added where there is one. */
  public sealed interface Finish {
    record None() implements Finish {}

    /** A residual is added. */
    record Add() implements Finish {}

    /** {@code fn(gate) · up}, of two weights. */
    record Gate(Fn fn) implements Finish {}
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
          case Finish.Gate(var fn) -> "_" + fn.name().toLowerCase();
        };
    return "%s_%s_%dx%d%s".formatted(kind, encoding.name().toLowerCase(), outputs, columns, end);
  }
}
