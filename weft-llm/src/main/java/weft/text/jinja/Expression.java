package weft.text.jinja;

import java.util.List;
import java.util.stream.Stream;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Tuple;

/** An expression of a template. */
sealed interface Expression extends Node {

  Value eval(Frame frame);

  record Constant(int position, Value value) implements Expression {
    @Override
    public Value eval(Frame frame) {
      return value;
    }
  }

  record Name(int position, String name) implements Expression {
    @Override
    public Value eval(Frame frame) {
      return frame.lookup(name);
    }
  }

  record ListLiteral(int position, List<Expression> items) implements Expression {
    @Override
    public Value eval(Frame frame) {
      return new Listing(evalAll(frame, items));
    }

    @Override
    public List<Expression> children() {
      return items;
    }
  }

  record TupleLiteral(int position, List<Expression> items) implements Expression {
    @Override
    public Value eval(Frame frame) {
      return new Tuple(evalAll(frame, items));
    }

    @Override
    public List<Expression> children() {
      return items;
    }
  }

  record DictLiteral(int position, List<Expression> keys, List<Expression> values)
      implements Expression {
    @Override
    public Value eval(Frame frame) {
      Dict dict = new Dict(frame.run());
      for (int i = 0; i < keys.size(); i++) {
        Value key = keys.get(i).eval(frame);
        Value value = values.get(i).eval(frame);
        frame.run().at(position);
        dict.put(key, value);
      }
      return dict;
    }

    @Override
    public List<Expression> children() {
      return Stream.concat(keys.stream(), values.stream()).toList();
    }
  }

  /** {@code object.name}. */
  record Attribute(int position, Expression object, String name) implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = object.eval(frame);
      frame.run().at(position);
      return Access.attribute(frame.run(), value, name);
    }

    @Override
    public List<Expression> children() {
      return List.of(object);
    }
  }

  /** {@code object[key]}. */
  record Item(int position, Expression object, Expression key) implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = object.eval(frame);
      Value index = key.eval(frame);
      frame.run().at(position);
      return Access.item(frame.run(), value, index);
    }

    @Override
    public List<Expression> children() {
      return List.of(object, key);
    }
  }

  /** {@code object[start:stop:step]}; a bound left out is the constant None. */
  record Slice(int position, Expression object, Expression start, Expression stop, Expression step)
      implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = object.eval(frame);
      Value from = start.eval(frame);
      Value to = stop.eval(frame);
      Value by = step.eval(frame);
      frame.run().at(position);
      return Access.slice(frame.run(), value, from, to, by);
    }

    @Override
    public List<Expression> children() {
      return List.of(object, start, stop, step);
    }
  }

  record Call(int position, Expression callee, Actuals arguments) implements Expression {
    @Override
    public Value eval(Frame frame) {
      return call(frame, callee.eval(frame), arguments.eval(frame));
    }

    Value call(Frame frame, Value function, Arguments values) {
      frame.run().budget().step();
      frame.run().at(position);
      return switch (function) {
        case Value.Callable callable -> callable.call(frame.run(), values);
        case Undefined undefined -> throw undefined.failure();
        default -> throw Failure.runtime("'" + function.typeName() + "' object is not callable");
      };
    }

    @Override
    public List<Expression> children() {
      return Stream.concat(Stream.of(callee), arguments.children().stream()).toList();
    }
  }

  record Filter(int position, Expression input, String name, Builtin filter, Actuals arguments)
      implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = input.eval(frame);
      Arguments values = arguments.eval(frame);
      frame.run().budget().step();
      frame.run().at(position);
      return filter.apply(frame.run(), value, values);
    }

    @Override
    public List<Expression> children() {
      return Stream.concat(Stream.of(input), arguments.children().stream()).toList();
    }
  }

  record Test(int position, Expression input, String name, Builtin test, Actuals arguments)
      implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = input.eval(frame);
      Arguments values = arguments.eval(frame);
      frame.run().at(position);
      return test.apply(frame.run(), value, values);
    }

    @Override
    public List<Expression> children() {
      return Stream.concat(Stream.of(input), arguments.children().stream()).toList();
    }
  }

  record Not(int position, Expression operand) implements Expression {
    @Override
    public Value eval(Frame frame) {
      return Value.bool(!operand.eval(frame).truth());
    }

    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  /** {@code -operand} or {@code +operand}. */
  record Signed(int position, boolean negative, Expression operand) implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = operand.eval(frame);
      frame.run().at(position);
      return negative ? Arithmetic.negate(value) : Arithmetic.plus(value);
    }

    @Override
    public List<Expression> children() {
      return List.of(operand);
    }
  }

  record And(int position, Expression left, Expression right) implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = left.eval(frame);
      return value.truth() ? right.eval(frame) : value;
    }

    @Override
    public List<Expression> children() {
      return List.of(left, right);
    }
  }

  record Or(int position, Expression left, Expression right) implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value value = left.eval(frame);
      return value.truth() ? value : right.eval(frame);
    }

    @Override
    public List<Expression> children() {
      return List.of(left, right);
    }
  }

  record Binary(int position, Arithmetic.Operator operator, Expression left, Expression right)
      implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value a = left.eval(frame);
      Value b = right.eval(frame);
      frame.run().at(position);
      return operator.apply(frame.run(), a, b);
    }

    @Override
    public List<Expression> children() {
      return List.of(left, right);
    }
  }

  /** {@code a ~ b ~ c}: everything printed and joined. */
  record Concatenation(int position, List<Expression> parts) implements Expression {
    @Override
    public Value eval(Frame frame) {
      TextBuilder text = new TextBuilder(frame.run());
      for (Expression part : parts) {
        Value value = part.eval(frame);
        frame.run().at(position);
        text.append(Printer.str(frame.run(), value));
      }
      return Value.text(text.toString());
    }

    @Override
    public List<Expression> children() {
      return parts;
    }
  }

  /** {@code a < b <= c}: each operand evaluated at most once, up to the first that fails. */
  record Chain(
      int position, Expression first, List<Comparison.Operator> operators, List<Expression> rest)
      implements Expression {
    @Override
    public Value eval(Frame frame) {
      Value left = first.eval(frame);
      for (int i = 0; i < rest.size(); i++) {
        Value right = rest.get(i).eval(frame);
        frame.run().at(position);
        if (!operators.get(i).test(frame.run(), left, right)) {
          return Value.Bool.FALSE;
        }
        left = right;
      }
      return Value.Bool.TRUE;
    }

    @Override
    public List<Expression> children() {
      return Stream.concat(Stream.of(first), rest.stream()).toList();
    }
  }

  /** {@code then if test else otherwise}. */
  record Conditional(int position, Expression test, Expression then, Expression otherwise)
      implements Expression {
    @Override
    public Value eval(Frame frame) {
      return test.eval(frame).truth() ? then.eval(frame) : otherwise.eval(frame);
    }

    @Override
    public List<Expression> children() {
      return List.of(test, then, otherwise);
    }
  }

  private static List<Value> evalAll(Frame frame, List<Expression> expressions) {
    Items values = new Items(frame.run());
    for (Expression expression : expressions) {
      values.add(expression.eval(frame));
    }
    return values.list();
  }
}
