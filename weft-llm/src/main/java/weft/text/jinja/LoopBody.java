package weft.text.jinja;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import weft.text.jinja.Statement.Signal;

/**
 * What a for statement does with its items: test them, run the body for each, or run {@code
 * otherwise} without any.
 */
record LoopBody(
    Target target,
    List<Expression> test,
    List<Statement> body,
    List<Statement> otherwise,
    Variable variable,
    Scope testScope,
    Scope bodyScope,
    Scope otherwiseScope) {
  /** Whether the body looks at the variable {@code loop}. */
  enum Variable {
    UNUSED,
    USED
  }

  List<Node> children() {
    return Stream.of(body, otherwise, test).<Node>flatMap(List::stream).toList();
  }

  Signal exec(Frame frame, Value items) {
    Run run = frame.run();
    Iterator<Value> source = Iteration.iterate(items);
    OptionalInt length = test.isEmpty() ? Iteration.length(run, items) : OptionalInt.empty();
    if (!test.isEmpty()) {
      Frame tested = frame.inner();
      source = new Selected(run, source, item -> tested(tested, item));
    }
    Loop loop = new Loop(run, source, length);
    Frame inner = frame.inner();
    if (variable == Variable.USED) {
      inner.define("loop", loop);
    }
    // Jinja2 runs the else branch unless some iteration came to its end.
    boolean completed = false;
    while (loop.hasNext()) {
      run.budget().step();
      target.assign(inner, loop.next());
      bodyScope.start(inner);
      Signal signal = Statement.execAll(body, inner);
      if (signal == Signal.BREAK) {
        break;
      }
      completed |= signal == Signal.DONE;
    }
    if (completed || otherwise.isEmpty()) {
      return Signal.DONE;
    }
    Frame rest = frame.inner();
    otherwiseScope.start(rest);
    return Statement.execAll(otherwise, rest);
  }

  /** The item as the loop's targets took it, when it passes the loop's own condition. */
  private Optional<Value> tested(Frame frame, Value item) {
    target.assign(frame, item);
    testScope.start(frame);
    return test.getFirst().eval(frame).truth() ? Optional.of(target.read(frame)) : Optional.empty();
  }
}
