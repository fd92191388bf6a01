package weft.text.jinja;

import java.util.List;
import java.util.stream.Stream;

/** A statement of a template: it writes output, assigns variables, or both. */
sealed interface Statement extends Node {

  Signal exec(Frame frame);

  /** How a statement ended: loop controls travel outwards to the loop they leave. */
  enum Signal {
    DONE,
    BREAK,
    CONTINUE
  }

  static Signal execAll(List<Statement> body, Frame frame) {
    for (Statement statement : body) {
      frame.run().budget().step();
      Signal signal = statement.exec(frame);
      if (signal != Signal.DONE) {
        return signal;
      }
    }
    return Signal.DONE;
  }

  /** Text outside all tags. */
  record Text(int position, String text) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      frame.run().at(position);
      frame.run().write(text);
      return Signal.DONE;
    }
  }

  /** {@code {{ value }}}. */
  record Print(int position, Expression value) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      Value result = value.eval(frame);
      frame.run().at(position);
      frame.run().write(Printer.str(frame.run(), result));
      return Signal.DONE;
    }

    @Override
    public List<Expression> children() {
      return List.of(value);
    }
  }

  /** A condition with what it guards. */
  record Branch(Expression test, List<Statement> body) {}

  /** The first of {@code branches} whose test holds runs, else {@code otherwise}. */
  record If(int position, List<Branch> branches, List<Statement> otherwise) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      for (Branch branch : branches) {
        if (branch.test().eval(frame).truth()) {
          return execAll(branch.body(), frame);
        }
      }
      return execAll(otherwise, frame);
    }

    @Override
    public List<Node> children() {
      Stream<Node> guarded =
          branches.stream()
              .flatMap(branch -> Stream.concat(Stream.of(branch.test()), branch.body().stream()));
      return Stream.concat(guarded, otherwise.stream()).toList();
    }
  }

  /** {@code {% set target = value %}}. */
  record Set(int position, Target target, Expression value) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      checkNamespaces(target, frame);
      Value result = value.eval(frame);
      frame.run().at(position);
      target.assign(frame, result);
      return Signal.DONE;
    }

    private static void checkNamespaces(Target target, Frame frame) {
      switch (target) {
        case Target.Attribute attribute -> attribute.namespace(frame);
        case Target.Unpacking unpacking ->
            unpacking.targets().forEach(part -> checkNamespaces(part, frame));
        case Target.Variable variable -> {}
      }
    }

    @Override
    public List<Node> children() {
      return List.of(target, value);
    }
  }

  /**
   * {@code {% set target %}...{% endset %}}; {@code value} reads the captured text, through filters
   * if there are any.
   */
  record SetBlock(int position, Target target, Expression value, List<Statement> body, Scope scope)
      implements Statement {
    @Override
    public Signal exec(Frame frame) {
      Frame inner = frame.inner();
      Signal signal = Capture.into(inner, scope, body);
      if (signal == Signal.DONE) {
        Value result = value.eval(inner);
        frame.run().at(position);
        target.assign(frame, result);
      }
      return signal;
    }

    @Override
    public List<Node> children() {
      return Stream.concat(Stream.of(target, value), body.stream()).toList();
    }
  }

  /** {@code {% filter name %}...{% endfilter %}}. */
  record FilterBlock(int position, Expression filter, List<Statement> body, Scope scope)
      implements Statement {
    @Override
    public Signal exec(Frame frame) {
      Frame inner = frame.inner();
      Signal signal = Capture.into(inner, scope, body);
      if (signal == Signal.DONE) {
        Value result = filter.eval(inner);
        frame.run().at(position);
        frame.run().write(Printer.str(frame.run(), result));
      }
      return signal;
    }

    @Override
    public List<Node> children() {
      return Stream.concat(body.stream(), Stream.of(filter)).toList();
    }
  }

  /** {@code {% with a = 1, b = 2 %}...{% endwith %}}. */
  record With(
      int position,
      List<Target> targets,
      List<Expression> values,
      List<Statement> body,
      Scope scope)
      implements Statement {
    @Override
    public Signal exec(Frame frame) {
      Frame inner = frame.inner();
      for (int i = 0; i < targets.size(); i++) {
        Value value = values.get(i).eval(frame);
        targets.get(i).assign(inner, value);
      }
      scope.start(inner);
      return execAll(body, inner);
    }

    @Override
    public List<Node> children() {
      return Stream.of(targets, values, body).<Node>flatMap(List::stream).toList();
    }
  }

  /** {@code {% macro name(...) %}...{% endmacro %}}. */
  record MacroDefinition(int position, Macro.Definition macro) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      frame.define(macro.name(), new Macro(macro, frame.kept()));
      return Signal.DONE;
    }

    @Override
    public List<Node> children() {
      return macro.children();
    }
  }

  /** {@code {% call(...) callee(...) %}...{% endcall %}}. */
  record CallBlock(int position, Expression.Call call, Macro.Definition caller)
      implements Statement {
    @Override
    public Signal exec(Frame frame) {
      Value callee = call.callee().eval(frame);
      Arguments arguments =
          call.arguments().eval(frame).with("caller", new Macro(caller, frame.kept()));
      Value result = call.call(frame, callee, arguments);
      frame.run().write(Printer.str(frame.run(), result));
      return Signal.DONE;
    }

    @Override
    public List<Node> children() {
      return Stream.concat(Stream.of(call), caller.children().stream()).toList();
    }
  }

  /**
   * {@code {% generation %}...{% endgeneration %}}: marks what the model wrote; assignments inside
   * stay inside.
   */
  record Generation(int position, Macro.Definition body) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      Value result = new Macro(body, frame).call(frame.run(), Arguments.NONE);
      frame.run().write(Printer.str(frame.run(), result));
      return Signal.DONE;
    }

    @Override
    public List<Node> children() {
      return body.children();
    }
  }

  /** {@code {% break %}} or {@code {% continue %}}. */
  record Jump(int position, Signal signal) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      return signal;
    }
  }

  /** {@code {% for %}}: see {@link LoopBody} for how it runs. */
  record For(int position, Target target, Expression iterable, LoopBody loop) implements Statement {
    @Override
    public Signal exec(Frame frame) {
      Value items = iterable.eval(frame);
      frame.run().at(position);
      return loop.exec(frame, items);
    }

    @Override
    public List<Node> children() {
      return Stream.concat(Stream.of(target, iterable), loop.children().stream()).toList();
    }
  }
}
