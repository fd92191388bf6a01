package weft.cuda;

import weft.backend.BackendException;
import weft.ir.Dim;
import weft.ir.Type;
import weft.lir.Bounds;

/**
 * All that a step's launches depend on besides what lies in memory.
 *
 * @param pages of the longest sequence, up to a power of two
 */
record Shape(int rows, int wanted, int parts, int pages) {
  /** Written out, for every step asks: what the JVM makes of a record takes long until compiled. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Shape(int r, int w, int p, int n)
        && r == rows
        && w == wanted
        && p == parts
        && n == pages;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * rows + wanted) + parts) + pages;
  }

  /** How many rows a value has. */
  int rows(Type type) {
    return switch (type.dim(0)) {
      case Dim.Fixed(int size) -> size;
      case Dim d when d.equals(Bounds.TOKENS) -> rows;
      case Dim d when d.equals(Bounds.WANTED) -> wanted;
      case Dim.Sym(String name) -> throw new BackendException("axis " + name + " is not bound");
    };
  }

  int elements(Type type) {
    return Math.multiplyExact(rows(type), type.rowElements());
  }
}
