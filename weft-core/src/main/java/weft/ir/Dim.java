package weft.ir;

/**
 * One axis: a known size, or a named size bound at specialization ("T" tokens, "W" wanted rows).
 */
public sealed interface Dim {
  record Fixed(int size) implements Dim {
    public Fixed {
      if (size < 1) throw new IrException("an axis has at least size 1, got " + size);
    }

    @Override
    public String toString() {
      return Integer.toString(size);
    }
  }

  record Sym(String name) implements Dim {
    @Override
    public String toString() {
      return name;
    }
  }

  static Dim of(int size) {
    return new Fixed(size);
  }

  default int fixed() {
    return switch (this) {
      case Fixed(int size) -> size;
      case Sym(String name) ->
          throw new IrException(
              "axis " + name + " is symbolic here; bind it before asking for its size");
    };
  }
}
