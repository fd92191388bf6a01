package weft.text.jinja;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
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
    Recursion recursion,
    Variable variable,
    Scope testScope,
    Scope bodyScope,
    Scope otherwiseScope,
    int depth) {

  /** Whether {@code loop(items)} may run the loop again inside itself. */
  enum Recursion {
    FLAT,
    RECURSIVE
  }

  /** Whether the body looks at the variable {@code loop}. */
  enum Variable {
    UNUSED,
    USED
  }

  List<Node> children() {
    return Stream.of(body, otherwise, test).<Node>flatMap(List::stream).toList();
  }

  Signal exec(Frame frame, Value items) {
    return switch (recursion) {
      case FLAT -> run(frame, items, Loop.Recursion.NONE, 0);
      case RECURSIVE -> {
        frame.run().write(Printer.str(frame.run(), render(frame, items, 0)));
        yield Signal.DONE;
      }
    };
  }

  private Value render(Frame frame, Value items, int level) {
    Run run = frame.run();
    run.budget().enter(depth);
    try {
      StringBuilder outer = run.capture();
      run(frame, items, (inner, innerLevel) -> render(frame, inner, innerLevel), level);
      return Value.text(run.release(outer));
    } finally {
      run.budget().leave(depth);
    }
  }

  private Signal run(Frame frame, Value items, Loop.Recursion recurse, int level) {
    Run run = frame.run();
    Iterator<Value> source = Iteration.iterate(items);
    OptionalInt length = test.isEmpty() ? Iteration.length(run, items) : OptionalInt.empty();
    if (!test.isEmpty()) {
      source = new Filtered(frame.inner(), source);
    }
    Loop loop = new Loop(run, source, length, recurse, level);
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

  /** The items that pass the loop's own condition. */
  private final class Filtered implements Iterator<Value> {
    private final Frame frame;
    private final Iterator<Value> source;
    private Optional<Value> ahead = Optional.empty();

    private Filtered(Frame frame, Iterator<Value> source) {
      this.frame = frame;
      this.source = source;
    }

    @Override
    public boolean hasNext() {
      while (ahead.isEmpty() && source.hasNext()) {
        frame.run().budget().step();
        Value item = source.next();
        target.assign(frame, item);
        testScope.start(frame);
        if (test.getFirst().eval(frame).truth()) {
          ahead = Optional.of(target.read(frame));
        }
      }
      return ahead.isPresent();
    }

    @Override
    public Value next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Value value = ahead.orElseThrow();
      ahead = Optional.empty();
      return value;
    }
  }
}
