package weft.cpu.kernel.rows;

import java.util.Locale;
import weft.ir.Bin;
import weft.ir.Fn;

/** What an elementwise kernel computes for each element, of operands named by number. */
public sealed interface Formula {
  /** An operand's element. */
  record Element(int operand) implements Formula {
    @Override
    public String toString() {
      return letter(operand);
    }
  }

  /** An operand's one number for all elements of a piece. */
  record Spread(int operand) implements Formula {
    @Override
    public String toString() {
      return letter(operand) + "1";
    }
  }

  /** A number of the arguments. */
  record Number(int index) implements Formula {
    @Override
    public String toString() {
      return "#" + index;
    }
  }

  record Apply(Fn fn, Formula x) implements Formula {
    @Override
    public String toString() {
      return fn.name().toLowerCase(Locale.ROOT) + "(" + x + ")";
    }
  }

  record Join(Bin bin, Formula a, Formula b) implements Formula {
    @Override
    public String toString() {
      var sign =
          switch (bin) {
            case ADD -> "+";
            case SUB -> "-";
            case MUL -> "*";
            case DIV -> "/";
          };
      return "(" + a + sign + b + ")";
    }
  }

  private static String letter(int operand) {
    return Character.toString('a' + operand);
  }

  /** The elements as they are: a kernel that copies. */
  static Formula copy() {
    return new Element(0);
  }

  static Formula map(Fn fn) {
    return new Apply(fn, new Element(0));
  }

  static Formula zip(Bin bin) {
    return new Join(bin, new Element(0), new Element(1));
  }

  /** A zip whose second operand has one number a piece. */
  static Formula zipSpread(Bin bin) {
    return new Join(bin, new Element(0), new Spread(1));
  }

  static Formula glu(Fn fn) {
    return new Join(Bin.MUL, new Apply(fn, new Element(0)), new Element(1));
  }

  /** Each element times the first number. */
  static Formula scale() {
    return new Join(Bin.MUL, new Element(0), new Number(0));
  }

  /** The second number times the tanh of each element times the first: {@code 1/cap} and cap. */
  static Formula softCap() {
    return new Join(Bin.MUL, new Apply(Fn.TANH, scale()), new Number(1));
  }

  /** How many operands it reads: one more than the highest it names. */
  default int operands() {
    return switch (this) {
      case Element(int operand) -> operand + 1;
      case Spread(int operand) -> operand + 1;
      case Number _ -> 0;
      case Apply(_, var x) -> x.operands();
      case Join(_, var a, var b) -> Math.max(a.operands(), b.operands());
    };
  }

  /** How many values it holds at a time when it is computed from left to right. */
  default int depth() {
    return switch (this) {
      case Element _, Spread _, Number _ -> 1;
      case Apply(_, var x) -> x.depth();
      case Join(_, var a, var b) -> Math.max(a.depth(), b.depth() + 1);
    };
  }
}
