package weft.text.jinja;

import java.math.BigInteger;
import java.util.List;

/**
 * A value inside a template, behaving as its Python namesake does; equality here is Java's,
 * Python's is in Comparison.
 */
sealed interface Value
    permits Value.None,
        Value.Numeric,
        Value.Text,
        Value.Sequence,
        Value.View,
        Value.Callable,
        Dict,
        Undefined,
        Generator,
        Namespace,
        Loop {

  /** The name Python gives this type. */
  String typeName();

  /** Whether Python takes this value for true. */
  default boolean truth() {
    return true;
  }

  /** Python's {@code None}, JSON's {@code null}. */
  enum None implements Value {
    NONE;

    @Override
    public String typeName() {
      return "NoneType";
    }

    @Override
    public boolean truth() {
      return false;
    }
  }

  /** A number; a {@link Bool} is one too. */
  sealed interface Numeric extends Value {}

  /** A whole number of any size. */
  sealed interface Whole extends Numeric {
    BigInteger big();
  }

  enum Bool implements Whole {
    FALSE,
    TRUE;

    static Bool of(boolean value) {
      return value ? TRUE : FALSE;
    }

    @Override
    public String typeName() {
      return "bool";
    }

    @Override
    public boolean truth() {
      return this == TRUE;
    }

    @Override
    public BigInteger big() {
      return BigInteger.valueOf(ordinal());
    }
  }

  /** A whole number that fits 64 bits. */
  record Int(long value) implements Whole {
    @Override
    public String typeName() {
      return "int";
    }

    @Override
    public boolean truth() {
      return value != 0;
    }

    @Override
    public BigInteger big() {
      return BigInteger.valueOf(value);
    }
  }

  /** A whole number that does not fit 64 bits. */
  record BigInt(BigInteger big) implements Whole {
    public BigInt {
      if (big.bitLength() < Long.SIZE) {
        throw new IllegalArgumentException(big + " fits 64 bits and has to be an Int");
      }
    }

    @Override
    public String typeName() {
      return "int";
    }
  }

  record Real(double value) implements Numeric {
    @Override
    public String typeName() {
      return "float";
    }

    @Override
    public boolean truth() {
      return value != 0;
    }
  }

  /** A string, plain or marked as safe HTML. */
  sealed interface Text extends Value {
    String text();

    @Override
    default boolean truth() {
      return !text().isEmpty();
    }

    /** The same sort of string with another text. */
    Text like(String text);
  }

  record Str(String text) implements Text {
    static final Str EMPTY = new Str("");

    @Override
    public String typeName() {
      return "str";
    }

    @Override
    public Str like(String other) {
      return new Str(other);
    }
  }

  /**
   * A string that {@code |safe} or {@code |escape} made: plain strings joined to it are escaped.
   */
  record Markup(String text) implements Text {
    @Override
    public String typeName() {
      return "Markup";
    }

    @Override
    public Markup like(String other) {
      return new Markup(other);
    }
  }

  /** Values in a fixed order. */
  sealed interface Sequence extends Value {
    int size();

    Value get(int index);

    @Override
    default boolean truth() {
      return size() > 0;
    }
  }

  /** A list; the sandbox forbids every method that would change one. */
  record Listing(List<Value> items) implements Sequence {
    @Override
    public String typeName() {
      return "list";
    }

    @Override
    public int size() {
      return items.size();
    }

    @Override
    public Value get(int index) {
      return items.get(index);
    }
  }

  record Tuple(List<Value> items) implements Sequence {
    static Tuple of(Value... items) {
      return new Tuple(List.of(items));
    }

    @Override
    public String typeName() {
      return "tuple";
    }

    @Override
    public int size() {
      return items.size();
    }

    @Override
    public Value get(int index) {
      return items.get(index);
    }
  }

  /** What {@code range} gives: {@code size} numbers from {@code start}, {@code step} apart. */
  record Range(long start, long stop, long step, int size) implements Sequence {
    @Override
    public String typeName() {
      return "range";
    }

    @Override
    public Int get(int index) {
      return new Int(start + index * step);
    }
  }

  /** A live view of a dictionary. */
  record View(Dict dict, Kind kind) implements Value {
    enum Kind {
      KEYS("dict_keys"),
      VALUES("dict_values"),
      ITEMS("dict_items");

      private final String typeName;

      Kind(String typeName) {
        this.typeName = typeName;
      }
    }

    @Override
    public String typeName() {
      return kind.typeName;
    }

    @Override
    public boolean truth() {
      return dict.truth();
    }
  }

  /** A value that can be called. */
  sealed interface Callable extends Value permits Function, Macro {
    Value call(Run run, Arguments arguments);
  }

  /** A function or method of ours. */
  record Function(String name, Value self, Builtin body) implements Callable {
    @Override
    public String typeName() {
      return "builtin_function_or_method";
    }

    @Override
    public Value call(Run run, Arguments arguments) {
      return body.apply(run, self, arguments);
    }
  }

  static Str text(String text) {
    return text.isEmpty() ? Str.EMPTY : new Str(text);
  }

  static Int number(long value) {
    return new Int(value);
  }

  static Whole number(BigInteger value) {
    return value.bitLength() < Long.SIZE ? new Int(value.longValue()) : new BigInt(value);
  }

  static Bool bool(boolean value) {
    return Bool.of(value);
  }
}
