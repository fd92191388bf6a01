package weft.text.jinja;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import weft.text.jinja.Value.BigInt;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Sequence;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.Whole;

/** Python's binary and unary operators. */
final class Arithmetic {
  private Arithmetic() {}

  /** A binary operator with Python's sign for it. */
  enum Operator {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    FLOOR_DIVIDE("//"),
    MODULO("%"),
    POWER("**");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    static Operator of(String sign) {
      return Arrays.stream(values())
          .filter(operator -> operator.sign.equals(sign))
          .findFirst()
          .orElseThrow();
    }

    Value apply(Run run, Value left, Value right) {
      return switch (this) {
        case ADD -> add(run, left, right);
        case MULTIPLY -> multiply(run, left, right);
        case MODULO ->
            left instanceof Text format
                ? PercentFormat.format(run, format, right)
                : numeric(this, left, right);
        case SUBTRACT, DIVIDE, FLOOR_DIVIDE, POWER -> numeric(this, left, right);
      };
    }
  }

  private static Value add(Run run, Value left, Value right) {
    if (left instanceof Text a && right instanceof Text b) {
      return concatenate(run, a, b);
    }
    if (left instanceof Listing(List<Value> a) && right instanceof Listing(List<Value> b)) {
      return new Listing(concatenate(run, a, b));
    }
    if (left instanceof Tuple a && right instanceof Tuple b) {
      return new Tuple(concatenate(run, a.items(), b.items()));
    }
    if (left instanceof Text || left instanceof Listing || left instanceof Tuple) {
      checkDefined(left, right);
      String type = left.typeName();
      throw Failure.runtime(
          "can only concatenate %s (not \"%s\") to %s".formatted(type, right.typeName(), type));
    }
    return numeric(Operator.ADD, left, right);
  }

  private static Text concatenate(Run run, Text left, Text right) {
    TextBuilder both = new TextBuilder(run);
    if (left instanceof Markup || right instanceof Markup) {
      return new Markup(
          both.append(Html.escape(run, left)).append(Html.escape(run, right)).toString());
    }
    return Value.text(both.append(left.text()).append(right.text()).toString());
  }

  private static List<Value> concatenate(Run run, List<Value> left, List<Value> right) {
    return new Items(run).addAll(left).addAll(right).list();
  }

  private static Value multiply(Run run, Value left, Value right) {
    if (left instanceof Numeric && right instanceof Numeric) {
      return numeric(Operator.MULTIPLY, left, right);
    }
    if (right instanceof Whole && (left instanceof Text || left instanceof Sequence)) {
      return repeat(run, left, count(right));
    }
    if (left instanceof Whole && (right instanceof Text || right instanceof Sequence)) {
      return repeat(run, right, count(left));
    }
    throw unsupported(Operator.MULTIPLY, left, right);
  }

  private static int count(Value times) {
    if (times instanceof BigInt) {
      throw Failure.runtime("cannot fit 'int' into an index-sized integer");
    }
    return Math.max(0, Numbers.index(times));
  }

  private static Value repeat(Run run, Value value, int count) {
    return switch (value) {
      case Text text -> text.like(TextBuilder.repeated(run, text.text(), count));
      case Listing(List<Value> items) -> new Listing(repeat(run, items, count));
      case Tuple tuple -> new Tuple(repeat(run, tuple.items(), count));
      default -> throw unsupported(Operator.MULTIPLY, value, new Int(count));
    };
  }

  private static List<Value> repeat(Run run, List<Value> items, int count) {
    Items all = new Items(run);
    for (int i = 0; i < count && !items.isEmpty(); i++) {
      all.addAll(items);
    }
    return all.list();
  }

  private static Value numeric(Operator operator, Value left, Value right) {
    if (left instanceof Whole a && right instanceof Whole b) {
      return whole(operator, exact(a), exact(b));
    }
    if (left instanceof Numeric a && right instanceof Numeric b) {
      return real(operator, Numbers.real(a), Numbers.real(b));
    }
    throw unsupported(operator, left, right);
  }

  private static long exact(Whole whole) {
    return switch (whole) {
      case Int(long value) -> value;
      case Bool bool -> bool.ordinal();
      case BigInt(BigInteger big) ->
          throw Failure.limit(
              "the template computes with a whole number of "
                  + big.bitLength()
                  + " bits, and can with up to 63");
    };
  }

  /** Whole numbers are computed in 64 bits: no template counts further. */
  private static Value whole(Operator operator, long a, long b) {
    try {
      return switch (operator) {
        case ADD -> new Int(Math.addExact(a, b));
        case SUBTRACT -> new Int(Math.subtractExact(a, b));
        case MULTIPLY -> new Int(Math.multiplyExact(a, b));
        case DIVIDE -> new Real(a / nonZero(b, "division by zero"));
        case FLOOR_DIVIDE -> new Int(Math.floorDivExact(a, divisor(b)));
        case MODULO -> new Int(Math.floorMod(a, divisor(b)));
        // From 64 on only the powers of 0, 1 and -1 fit, and of these only the parity counts.
        case POWER ->
            b < 0
                ? power((double) a, b)
                : new Int(Math.powExact(a, (int) (b > Long.SIZE ? Long.SIZE + (b & 1) : b)));
      };
    } catch (ArithmeticException tooLarge) {
      throw Failure.limit("the template computes a whole number of more than 64 bits");
    }
  }

  private static long divisor(long divisor) {
    if (divisor == 0) {
      throw Failure.runtime("integer division or modulo by zero");
    }
    return divisor;
  }

  private static Real real(Operator operator, double a, double b) {
    return switch (operator) {
      case ADD -> new Real(a + b);
      case SUBTRACT -> new Real(a - b);
      case MULTIPLY -> new Real(a * b);
      case DIVIDE -> new Real(a / nonZero(b, "float division by zero"));
      case FLOOR_DIVIDE -> floorDivide(a, nonZero(b, "float floor division by zero"));
      case MODULO -> modulo(a, nonZero(b, "float modulo"));
      case POWER -> power(a, b);
    };
  }

  private static double nonZero(double divisor, String message) {
    if (divisor == 0) {
      throw Failure.runtime(message);
    }
    return divisor;
  }

  private static Real modulo(double a, double b) {
    double remainder = a % b;
    if (remainder == 0) {
      return new Real(Math.copySign(0, b));
    }
    return new Real(remainder < 0 != b < 0 ? remainder + b : remainder);
  }

  private static Real floorDivide(double a, double b) {
    double remainder = a % b;
    double quotient = (a - remainder) / b;
    if (remainder != 0 && remainder < 0 != b < 0) {
      quotient -= 1;
    }
    if (quotient == 0) {
      return new Real(Math.copySign(0, a / b));
    }
    double floor = Math.floor(quotient);
    return new Real(quotient - floor > 0.5 ? floor + 1 : floor);
  }

  private static Real power(double base, double exponent) {
    if (base == 0 && exponent < 0) {
      throw Failure.runtime("0.0 cannot be raised to a negative power");
    }
    if (base < 0 && exponent != Math.rint(exponent) && !Double.isInfinite(base)) {
      throw Failure.runtime(
          "a negative number to a fractional power is complex, which templates cannot hold");
    }
    // Python follows C here: 1 to any power is 1, even to NaN.
    double value = base == 1 ? 1 : Math.pow(base, exponent);
    if (Double.isInfinite(value) && !Double.isInfinite(base) && !Double.isInfinite(exponent)) {
      throw Failure.runtime("Numerical result out of range");
    }
    return new Real(value);
  }

  static Value negate(Value value) {
    return switch (value) {
      case Int(long whole) when whole != Long.MIN_VALUE -> new Int(-whole);
      case Real(double real) -> new Real(-real);
      case Bool bool -> new Int(-bool.ordinal());
      case Whole whole -> Value.number(whole.big().negate());
      default -> throw badOperand("-", value);
    };
  }

  static Value plus(Value value) {
    return switch (value) {
      case Bool bool -> new Int(bool.ordinal());
      case Numeric number -> number;
      default -> throw badOperand("+", value);
    };
  }

  static Value absolute(Value value) {
    return switch (value) {
      case Real(double real) -> new Real(Math.abs(real));
      case Whole whole -> Value.number(whole.big().abs());
      case Undefined undefined -> throw undefined.failure();
      default -> throw Failure.runtime("bad operand type for abs(): '" + value.typeName() + "'");
    };
  }

  private static Failure badOperand(String sign, Value value) {
    return value instanceof Undefined undefined
        ? undefined.failure()
        : Failure.runtime("bad operand type for unary " + sign + ": '" + value.typeName() + "'");
  }

  private static Failure unsupported(Operator operator, Value left, Value right) {
    checkDefined(left, right);
    return Failure.runtime(
        "unsupported operand type(s) for %s: '%s' and '%s'"
            .formatted(operator.sign, left.typeName(), right.typeName()));
  }

  private static void checkDefined(Value left, Value right) {
    if (left instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (right instanceof Undefined undefined) {
      throw undefined.failure();
    }
  }
}
