package weft.ir;

import java.util.List;

/** Checks that ops share, each with the sentence it fails with. */
final class Rules {
  private Rules() {}

  static void positive(String what, int size) {
    if (size <= 0) throw new IrException(what + " must be at least 1, got " + size);
  }

  /** The sentence is made when it is needed: every op of a graph is checked after every pass. */
  static void require(boolean holds, String otherwise, Object... parts) {
    if (!holds) throw new IrException(otherwise.formatted(parts));
  }

  /** The type of a value that an op computes with: integers are only ever indices. */
  static Type numbers(String op, Value value) {
    if (value.type().dtype() != DType.F32) {
      throw new IrException(op + " wants f32 numbers, but " + value + " is " + value.type());
    }
    return value.type();
  }

  static Type cast(Value x, DType to) {
    require(
        x.type().dtype().isNumber() && to.isNumber(),
        "cast makes numbers of numbers, not %s of %s",
        to,
        x.type());
    return new Type(to, x.type().dims());
  }

  /** The type of a projection, whose weights, biases and epilogue must fit its rows. */
  static Type projected(Op.Project p) {
    var weights = p.weights();
    var biases = p.biases();
    require(!weights.isEmpty(), "project needs at least one weight");
    require(
        biases.isEmpty() || biases.size() == weights.size(),
        "project has %s weights but %s biases",
        weights.size(),
        biases.size());
    for (var w : weights) {
      rank("project", w, 2);
      sameWidth("project", p.x(), w);
    }
    for (int i = 0; i < biases.size(); i++) bias(biases.get(i), weights.get(i));
    var type = p.x().type().withLast(p.columns());
    return switch (p.epilogue()) {
      case Op.Epilogue.None(), Op.Epilogue.Map _ -> type;
      case Op.Epilogue.Add(var residual) -> {
        var added = residual.type();
        require(added.equals(type), "project: residual %s is not the result's %s", added, type);
        yield type;
      }
      case Op.Epilogue.Gate(var _) -> {
        require(
            weights.size() == 2 && weights.get(0).type().equals(weights.get(1).type()),
            "a gated project needs a gate and an up weight of one shape");
        yield type.withLast(p.columns() / 2);
      }
    };
  }

  /** The same projection with nothing behind it, for a device that has what follows apart. */
  static Op.Project plain(Op.Project p) {
    return new Op.Project(p.prologue(), p.x(), p.weights(), p.biases(), new Op.Epilogue.None());
  }

  /** Values side by side. */
  static Value joined(Graph.Builder into, List<Value> parts) {
    return parts.size() == 1 ? parts.getFirst() : into.add(new Op.Concat(parts));
  }

  private static void bias(Value bias, Value weight) {
    require(
        bias.type().equals(Type.f32(weight.type().dim(0))),
        "project: bias %s does not fit %s",
        bias.type(),
        weight.type());
  }

  static int sum(int a, int b) {
    return exact("+", a, b, (long) a + b);
  }

  static int product(int a, int b) {
    return exact("*", a, b, (long) a * b);
  }

  private static int exact(String operator, int a, int b, long result) {
    if (result != (int) result) {
      throw new IrException("an axis of " + a + " " + operator + " " + b + " is too long");
    }
    return (int) result;
  }

  static void rank(String op, Value value, int rank) {
    numbers(op, value);
    if (value.type().rank() != rank) {
      throw new IrException(op + " wants " + rank + " axes, but " + value + " is " + value.type());
    }
  }

  static void sameWidth(String op, Value a, Value b) {
    if (!numbers(op, a).dims().getLast().equals(numbers(op, b).dims().getLast())) {
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

  static void typed(String op, Value value, Type type) {
    require(value.type().equals(type), "%s wants %s, but %s is %s", op, type, value, value.type());
  }

  static void indices(String op, Value value) {
    if (value.type().dtype() != DType.I32 || value.type().rank() != 1) {
      throw new IrException(
          op + " wants a list of i32 indices, but " + value + " is " + value.type());
    }
  }

  /** Heads turn by positions, one a row or several, each with as many frequencies as the others. */
  static void turned(Value x, Value positions, Value frequencies) {
    rank("rope", x, 3);
    rank("rope", frequencies, 1);
    var at = positions.type();
    require(
        at.dtype() == DType.I32 && at.rank() <= 2,
        "rope wants i32 positions, one a row or several, but %s is %s",
        positions,
        at);
    require(
        at.dim(0).equals(x.type().dim(0)),
        "rope: %s has not as many rows as positions %s",
        x.type(),
        at);
    int sections = at.rowElements();
    int all = frequencies.type().width();
    require(all % sections == 0, "rope: %s frequencies are not for %s positions", all, sections);
    int pairs = all / sections;
    int width = x.type().width();
    require(2 * pairs <= width, "rope: %s pairs do not fit a head of %s", pairs, width);
  }

  /** The second spreads over the first: aligned at the last axis, each axis equal or 1. */
  static void spreads(Bin bin, Value a, Value b) {
    require(
        doesSpread(a.type(), b.type()),
        "zip %s: %s %s does not spread over %s %s",
        bin,
        b,
        b.type(),
        a,
        a.type());
  }

  private static boolean doesSpread(Type a, Type b) {
    if (b.dtype() != a.dtype() || b.rank() > a.rank()) return false;
    for (int i = 1; i <= b.rank(); i++) {
      var left = a.dim(a.rank() - i);
      var right = b.dim(b.rank() - i);
      if (!left.equals(right) && !right.equals(Dim.of(1))) return false;
    }
    return true;
  }

  /** The type of attention, whose keys and values must fit the slot that keeps them. */
  static Type attended(Slot.KeyValue slot, Value q, Value k, Value v) {
    for (var x : List.of(q, k, v)) rank("attend", x, 3);
    sameWidth("attend", q, k);
    int heads = q.type().dim(1).fixed();
    require(heads % slot.heads() == 0, "%s heads do not share %s kv heads", heads, slot.heads());
    var rows = q.type().dim(0);
    var kvHeads = Dim.of(slot.heads());
    require(
        k.type().equals(Type.f32(rows, kvHeads, Dim.of(slot.keyDim())))
            && v.type().equals(Type.f32(rows, kvHeads, Dim.of(slot.valueDim()))),
        "attend: keys %s and values %s do not fit %s",
        k.type(),
        v.type(),
        slot);
    return q.type().withLast(slot.valueDim());
  }

  /** Queries, keys and values of a delta rule, which must fit the slot that keeps its matrices. */
  static void delta(Slot.Delta slot, Value q, Value k, Value v) {
    for (var x : List.of(q, k, v)) rank("deltarule", x, 3);
    sameType("deltarule", q, k);
    require(
        k.type().width() == slot.keyDim()
            && k.type().dim(0).equals(v.type().dim(0))
            && v.type().width() == slot.valueDim()
            && v.type().dim(1).fixed() == slot.heads()
            && slot.heads() % k.type().dim(1).fixed() == 0,
        "deltarule: keys %s and values %s do not fit %s",
        k.type(),
        v.type(),
        slot);
  }
}
