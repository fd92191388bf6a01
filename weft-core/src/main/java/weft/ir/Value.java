package weft.ir;

/**
 * A node of the graph. Equality is the id, so an op's own record equality stays shallow and
 * common-subexpression elimination is a {@code Map<Op, Value>}.
 */
public record Value(int id, Op op, Type type) {
  @Override
  public boolean equals(Object other) {
    return other instanceof Value v && v.id == id;
  }

  @Override
  public int hashCode() {
    return id;
  }

  @Override
  public String toString() {
    return "%" + id;
  }
}
