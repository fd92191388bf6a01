package weft.lir;

import weft.ir.Dim;
import weft.ir.Type;

/**
 * The largest step that a program is compiled for: tokens fed and rows of logits wanted, which are
 * all that the sizes of its buffers depend on. How far a sequence has come is the state's matter. A
 * step may be smaller in each; lengths at run time are always the real ones.
 */
public record Bounds(int tokens, int wanted) {
  /** The symbolic axes of every model graph. */
  public static final Dim TOKENS = new Dim.Sym("T");

  public static final Dim WANTED = new Dim.Sym("W");

  public Bounds {
    if (tokens < 1 || wanted < 1 || wanted > tokens) {
      throw new ProgramException(
          "a step of "
              + tokens
              + " tokens and "
              + wanted
              + " wanted rows cannot be: want 1 <= wanted <= tokens");
    }
  }

  public boolean covers(Bounds step) {
    return step.tokens <= tokens && step.wanted <= wanted;
  }

  public int size(Dim dim) {
    return switch (dim) {
      case Dim.Fixed(int size) -> size;
      case Dim.Sym s when s.equals(TOKENS) -> tokens;
      case Dim.Sym s when s.equals(WANTED) -> wanted;
      case Dim.Sym(String name) ->
          throw new ProgramException("axis " + name + " is not one that a step binds (T, W)");
    };
  }

  public long elements(Type type) {
    long n = 1;
    for (var dim : type.dims()) n = Math.multiplyExact(n, (long) size(dim));
    return n;
  }
}
