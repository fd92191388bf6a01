package weft.text.jinja;

import static java.util.Map.entry;

import java.util.Map;
import java.util.function.Predicate;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Sequence;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Whole;

/** All tests, the words after {@code is}, by name. */
final class Tests {
  private static final Map<String, Builtin> ALL =
      Map.ofEntries(
          plain("defined", value -> !(value instanceof Undefined)),
          plain("undefined", value -> value instanceof Undefined),
          plain("none", value -> value == None.NONE),
          plain("boolean", value -> value instanceof Bool),
          plain("true", value -> value == Bool.TRUE),
          plain("false", value -> value == Bool.FALSE),
          plain("integer", value -> value instanceof Whole && !(value instanceof Bool)),
          plain("float", value -> value instanceof Real),
          plain("number", value -> value instanceof Numeric),
          plain("string", value -> value instanceof Text),
          plain("mapping", value -> value instanceof Dict),
          plain("sequence", Tests::isSequence),
          plain(
              "iterable",
              value -> Iteration.tryIterate(value).isPresent() || value instanceof Loop),
          plain("callable", value -> value instanceof Value.Callable || value instanceof Undefined),
          entry(
              "lower",
              (run, self, arguments) -> cased(run, self, arguments, Character::isUpperCase)),
          entry(
              "upper",
              (run, self, arguments) -> cased(run, self, arguments, Character::isLowerCase)),
          entry("odd", (run, self, arguments) -> remainder(run, self, new Int(2), 1)),
          entry("even", (run, self, arguments) -> remainder(run, self, new Int(2), 0)),
          entry(
              "divisibleby",
              (run, self, arguments) -> remainder(run, self, operand(arguments, "num"), 0)),
          entry(
              "sameas",
              (run, self, arguments) -> Value.bool(same(self, operand(arguments, "other")))),
          comparing("in", Comparison.Operator.IN),
          comparing("==", Comparison.Operator.EQUAL),
          comparing("eq", Comparison.Operator.EQUAL),
          comparing("equalto", Comparison.Operator.EQUAL),
          comparing("!=", Comparison.Operator.NOT_EQUAL),
          comparing("ne", Comparison.Operator.NOT_EQUAL),
          comparing(">", Comparison.Operator.GREATER),
          comparing("gt", Comparison.Operator.GREATER),
          comparing("greaterthan", Comparison.Operator.GREATER),
          comparing(">=", Comparison.Operator.GREATER_OR_EQUAL),
          comparing("ge", Comparison.Operator.GREATER_OR_EQUAL),
          comparing("<", Comparison.Operator.LESS),
          comparing("lt", Comparison.Operator.LESS),
          comparing("lessthan", Comparison.Operator.LESS),
          comparing("<=", Comparison.Operator.LESS_OR_EQUAL),
          comparing("le", Comparison.Operator.LESS_OR_EQUAL));

  private Tests() {}

  static boolean exists(String name) {
    return ALL.containsKey(name);
  }

  /** The test of this name; one that does not exist fails when it is applied. */
  static Builtin named(String name) {
    return ALL.getOrDefault(
        name,
        (run, self, arguments) -> {
          throw Failure.runtime("No test named '" + name + "' found.");
        });
  }

  private static Map.Entry<String, Builtin> plain(String name, Predicate<Value> test) {
    return entry(
        name,
        (run, self, arguments) -> {
          arguments.bind(name);
          return Value.bool(test.test(self));
        });
  }

  private static Map.Entry<String, Builtin> comparing(String name, Comparison.Operator operator) {
    return entry(
        name,
        (run, self, arguments) ->
            Value.bool(operator.test(run, self, operand(arguments, "other"))));
  }

  private static Value operand(Arguments arguments, String name) {
    return arguments.bind("the test", name).required(0);
  }

  /** Python asks for a length and items, which an undefined value offers too. */
  private static boolean isSequence(Value value) {
    return value instanceof Sequence
        || value instanceof Text
        || value instanceof Dict
        || value instanceof Undefined;
  }

  private static Value cased(
      Run run, Value self, Arguments arguments, java.util.function.IntPredicate unwanted) {
    arguments.bind("the test");
    String text = Printer.str(run, self);
    run.budget().scan(text.length());
    return Value.bool(Characters.isCaseOnly(text, unwanted));
  }

  private static Value remainder(Run run, Value self, Value divisor, int expected) {
    Value remainder = Arithmetic.Operator.MODULO.apply(run, self, divisor);
    return Value.bool(Comparison.equal(run, remainder, new Int(expected)));
  }

  /**
   * Identity: Python shares small whole numbers and short literals, which equality stands for here.
   */
  private static boolean same(Value left, Value right) {
    return left == right
        || left instanceof Int && left.equals(right)
        || left instanceof Text && left.equals(right);
  }
}
