package weft.ir;

/** Checks that ops share, each with the sentence it fails with. */
final class Rules {
  private Rules() {}

  static void positive(String what, int size) {
    if (size <= 0) throw new IrException(what + " must be at least 1, got " + size);
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) throw new IrException(otherwise);
  }

  static void rank(String op, Value value, int rank) {
    if (value.type().rank() != rank) {
      throw new IrException(op + " wants " + rank + " axes, but " + value + " is " + value.type());
    }
  }

  static void sameWidth(String op, Value a, Value b) {
    if (!a.type().dims().getLast().equals(b.type().dims().getLast())) {
      throw new IrException(
          op + ": last axes differ, " + a + " is " + a.type() + " and " + b + " is " + b.type());
    }
  }

  static void sameType(String op, Value a, Value b) {
    if (!a.type().equals(b.type())) {
      throw new IrException(
          op + ": types differ, " + a + " is " + a.type() + " and " + b + " is " + b.type());
    }
  }

  static void indices(String op, Value value) {
    if (value.type().dtype() != DType.I32 || value.type().rank() != 1) {
      throw new IrException(
          op + " wants a list of i32 indices, but " + value + " is " + value.type());
    }
  }

  /** Whether {@code b} spreads over {@code a}: aligned at the last axis, each axis equal or 1. */
  static boolean spreads(Type a, Type b) {
    if (b.rank() > a.rank()) return false;
    for (int i = 1; i <= b.rank(); i++) {
      var left = a.dim(a.rank() - i);
      var right = b.dim(b.rank() - i);
      if (!left.equals(right) && !right.equals(Dim.of(1))) return false;
    }
    return true;
  }
}
