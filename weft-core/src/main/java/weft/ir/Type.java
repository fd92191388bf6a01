package weft.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Element type and shape of a value; row-major, the last axis contiguous. */
public record Type(DType dtype, List<Dim> dims) {
  public Type {
    dims = List.copyOf(dims);
    if (dims.isEmpty()) throw new IrException("a value has at least one axis; one number is [1]");
  }

  public static Type f32(Dim... dims) {
    return new Type(DType.F32, List.of(dims));
  }

  public static Type f32(int... sizes) {
    return new Type(DType.F32, java.util.Arrays.stream(sizes).mapToObj(Dim::of).toList());
  }

  public static Type i32(Dim... dims) {
    return new Type(DType.I32, List.of(dims));
  }

  public int rank() {
    return dims.size();
  }

  public Dim dim(int axis) {
    return dims.get(axis);
  }

  /** The size of the last axis, which is never symbolic in a well-formed op that asks. */
  public int width() {
    return dims.getLast().fixed();
  }

  public Type withLast(int size) {
    var out = new ArrayList<>(dims);
    out.set(out.size() - 1, Dim.of(size));
    return new Type(dtype, out);
  }

  public Type withFirst(Dim dim) {
    var out = new ArrayList<>(dims);
    out.set(0, dim);
    return new Type(dtype, out);
  }

  /** How many elements one step along the first axis covers. */
  public int rowElements() {
    int n = 1;
    for (int axis = 1; axis < dims.size(); axis++) n = Rules.product(n, dims.get(axis).fixed());
    return n;
  }

  public boolean isSymbolic() {
    return dims.stream().anyMatch(d -> d instanceof Dim.Sym);
  }

  @Override
  public String toString() {
    return dtype.name().toLowerCase(Locale.ROOT)
        + dims.stream().map(Dim::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
