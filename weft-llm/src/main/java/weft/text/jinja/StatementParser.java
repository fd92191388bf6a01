package weft.text.jinja;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import weft.text.jinja.Expression.Name;
import weft.text.jinja.Statement.Branch;
import weft.text.jinja.Statement.Signal;
import weft.text.jinja.Token.Kind;

/** Parses the text and tags of a template into statements. */
final class StatementParser {
  private static final List<String> SPECIAL_PARAMETERS = List.of("caller", "kwargs", "varargs");

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final List<String> openTags = new ArrayList<>();
  private final Set<String> blockNames = new HashSet<>();
  private int loops;

  StatementParser(Tokens tokens) {
    this.tokens = tokens;
    this.expressions = new ExpressionParser(tokens);
  }

  List<Statement> parse() {
    List<Statement> statements = until(List.of());
    if (!tokens.is(Kind.END)) {
      throw tokens.error("unexpected " + tokens.current().describe());
    }
    return statements;
  }

  /** Statements up to a tag named in {@code ends}, whose name becomes the current token. */
  private List<Statement> until(List<String> ends) {
    List<Statement> statements = new ArrayList<>();
    while (!tokens.is(Kind.END)) {
      Token token = tokens.next();
      switch (token.kind()) {
        case DATA -> statements.add(new Statement.Text(token.position(), token.text()));
        case VARIABLE_BEGIN -> {
          statements.add(new Statement.Print(token.position(), expressions.parseTuple()));
          tokens.expect(Kind.VARIABLE_END);
        }
        case BLOCK_BEGIN -> {
          if (tokens.is(Kind.NAME) && ends.contains(tokens.current().text())) {
            return statements;
          }
          tokens.enter();
          statements.addAll(statement(ends));
          tokens.leave();
          tokens.expect(Kind.BLOCK_END);
        }
        default -> throw tokens.error(token, "unexpected " + token.describe());
      }
    }
    if (!ends.isEmpty()) {
      throw tokens.error("Unexpected end of template. " + lookingFor(ends));
    }
    return statements;
  }

  private String lookingFor(List<String> ends) {
    String innermost =
        openTags.isEmpty()
            ? ""
            : " The innermost block that needs to be closed is '" + openTags.getLast() + "'.";
    return "Jinja was looking for the following tags: '"
        + String.join("' or '", ends)
        + "'."
        + innermost;
  }

  private List<Statement> statement(List<String> ends) {
    Token tag = tokens.current();
    if (tag.kind() != Kind.NAME) {
      throw tokens.error("tag name expected");
    }
    tokens.next();
    openTags.add(tag.text());
    List<Statement> statements =
        switch (tag.text()) {
          case "print" -> print(tag);
          case "for" -> List.of(forLoop(tag));
          case "if" -> List.of(condition(tag));
          case "set" -> List.of(set(tag));
          case "with" -> List.of(with(tag));
          case "macro" -> List.of(macro(tag));
          case "call" -> List.of(callBlock(tag));
          case "filter" -> List.of(filterBlock(tag));
          case "generation" -> List.of(generation(tag));
          case "block" -> List.of(block(tag));
          case "break" -> List.of(jump(tag, Signal.BREAK));
          case "continue" -> List.of(jump(tag, Signal.CONTINUE));
          case "include" -> List.of(include(tag));
          case "extends" ->
              List.of(new Statement.Unavailable(tag.position(), tag.text(), skipExpression()));
          case "import" -> List.of(importTemplate(tag));
          case "from" -> List.of(importNames(tag));
          case "autoescape" ->
              throw tokens.error(
                  tag, "'autoescape' is not available: chat templates write plain text");
          default -> {
            openTags.removeLast();
            String hint = ends.isEmpty() ? "" : " " + lookingFor(ends);
            throw tokens.error(tag, "Encountered unknown tag '" + tag.text() + "'." + hint);
          }
        };
    openTags.removeLast();
    return statements;
  }

  /** The body of a block up to one of {@code ends}, whose name becomes the current token. */
  private List<Statement> body(String... ends) {
    tokens.skipOperator(":");
    tokens.expect(Kind.BLOCK_END);
    return until(List.of(ends));
  }

  private List<Statement> lastBody(String end) {
    List<Statement> body = body(end);
    tokens.next();
    return body;
  }

  private List<Statement> print(Token tag) {
    List<Statement> prints = new ArrayList<>();
    while (!tokens.is(Kind.BLOCK_END)) {
      if (!prints.isEmpty()) {
        tokens.expectOperator(",");
      }
      prints.add(new Statement.Print(tag.position(), expressions.parse()));
    }
    return prints;
  }

  private Statement condition(Token tag) {
    List<Branch> branches = new ArrayList<>();
    List<Statement> otherwise = List.of();
    while (true) {
      Expression test = expressions.parseTupleBeforeIf();
      branches.add(new Branch(test, body("elif", "else", "endif")));
      Token end = tokens.next();
      if (end.isName("else")) {
        otherwise = lastBody("endif");
      } else if (end.isName("elif")) {
        continue;
      }
      return new Statement.If(tag.position(), branches, otherwise);
    }
  }

  private Statement forLoop(Token tag) {
    Target target = target("in");
    tokens.expectName("in");
    Expression iterable = expressions.parseTupleBeforeIf();
    List<Expression> test = tokens.skipName("if") ? List.of(expressions.parse()) : List.of();
    boolean recursive = tokens.skipName("recursive");
    loops++;
    List<Statement> body = body("endfor", "else");
    loops--;
    List<Statement> otherwise = tokens.next().isName("else") ? lastBody("endfor") : List.of();
    return new Statement.For(
        tag.position(), target, iterable, loopBody(target, test, body, otherwise, recursive));
  }

  private LoopBody loopBody(
      Target target,
      List<Expression> test,
      List<Statement> body,
      List<Statement> otherwise,
      boolean recursive) {
    boolean usesLoop = recursive || !Scope.undeclared(body, List.of("loop")).isEmpty();
    List<String> targets = names(target);
    List<String> parameters =
        usesLoop ? Stream.concat(targets.stream(), Stream.of("loop")).toList() : targets;
    rejectLoopAsTarget(Stream.of(List.of(target), body, otherwise).flatMap(List::stream).toList());
    return new LoopBody(
        target,
        test,
        body,
        otherwise,
        recursive ? LoopBody.Recursion.RECURSIVE : LoopBody.Recursion.FLAT,
        usesLoop ? LoopBody.Variable.USED : LoopBody.Variable.UNUSED,
        Scope.of(targets, test),
        Scope.of(parameters, body),
        Scope.of(List.of(), otherwise),
        2 + Node.deepest(target, body).depth());
  }

  private void rejectLoopAsTarget(List<? extends Node> nodes) {
    for (Node node : nodes) {
      if (node instanceof Target.Variable(int position, String name) && name.equals("loop")) {
        throw tokens
            .source()
            .syntaxError(position, "Can't assign to special loop variable in for-loop target");
      }
      rejectLoopAsTarget(node.children());
    }
  }

  private static List<String> names(Target target) {
    return switch (target) {
      case Target.Variable variable -> List.of(variable.name());
      case Target.Attribute attribute -> List.of();
      case Target.Unpacking unpacking ->
          unpacking.targets().stream().flatMap(part -> names(part).stream()).toList();
    };
  }

  private Statement set(Token tag) {
    Target target = namespacedTarget();
    if (tokens.skipOperator("=")) {
      return new Statement.Set(tag.position(), target, expressions.parseTuple());
    }
    Expression value = new Name(tag.position(), Capture.NAME);
    if (tokens.skipOperator("|")) {
      value = expressions.parseFilters(value);
    }
    List<Statement> body = lastBody("endset");
    return new Statement.SetBlock(tag.position(), target, value, body, captureScope(body, value));
  }

  private Statement filterBlock(Token tag) {
    Expression filter = expressions.parseFilters(new Name(tag.position(), Capture.NAME));
    List<Statement> body = lastBody("endfilter");
    return new Statement.FilterBlock(tag.position(), filter, body, captureScope(body, filter));
  }

  private static Scope captureScope(List<Statement> body, Expression filter) {
    return Scope.of(
        List.of(Capture.NAME), Stream.concat(body.stream(), Stream.of(filter)).toList());
  }

  private Statement with(Token tag) {
    List<Target> targets = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    while (!tokens.is(Kind.BLOCK_END)) {
      if (!targets.isEmpty()) {
        tokens.expectOperator(",");
      }
      targets.add(target("="));
      tokens.expectOperator("=");
      values.add(expressions.parse());
    }
    List<Statement> body = lastBody("endwith");
    List<String> names = targets.stream().flatMap(target -> names(target).stream()).toList();
    return new Statement.With(tag.position(), targets, values, body, Scope.of(names, body));
  }

  private Statement macro(Token tag) {
    Token name = tokens.expect(Kind.NAME);
    return new Statement.MacroDefinition(
        tag.position(), definition(name.text(), tag, "endmacro", true));
  }

  private Statement callBlock(Token tag) {
    List<Target.Variable> parameters = new ArrayList<>();
    List<Expression> defaults = new ArrayList<>();
    if (tokens.isOperator("(")) {
      signature(parameters, defaults);
    }
    if (!(expressions.parse() instanceof Expression.Call call)) {
      throw tokens.error(tag, "expected call");
    }
    return new Statement.CallBlock(
        tag.position(),
        call,
        definition(Macro.Definition.ANONYMOUS, tag, parameters, defaults, "endcall"));
  }

  private Statement generation(Token tag) {
    return new Statement.Generation(
        tag.position(),
        definition(Macro.Definition.ANONYMOUS, tag, List.of(), List.of(), "endgeneration"));
  }

  private Macro.Definition definition(String name, Token tag, String end, boolean withSignature) {
    List<Target.Variable> parameters = new ArrayList<>();
    List<Expression> defaults = new ArrayList<>();
    if (withSignature) {
      signature(parameters, defaults);
    }
    return definition(name, tag, parameters, defaults, end);
  }

  private Macro.Definition definition(
      String name,
      Token tag,
      List<Target.Variable> parameters,
      List<Expression> defaults,
      String end) {
    // A macro is a function of its own: a loop around it cannot be left from inside.
    int outerLoops = loops;
    loops = 0;
    List<Statement> body = lastBody(end);
    loops = outerLoops;
    List<String> names = parameters.stream().map(Target.Variable::name).toList();
    List<String> special =
        Scope.undeclared(body, SPECIAL_PARAMETERS).stream()
            .filter(used -> used.equals("caller") || !names.contains(used))
            .toList();
    if (special.contains("caller")
        && names.contains("caller")
        && names.indexOf("caller") < names.size() - defaults.size()) {
      throw tokens.error(
          tag, "the special \"caller\" argument must be omitted or be given a default");
    }
    List<String> all = Stream.concat(names.stream(), special.stream()).toList();
    Scope scope = Scope.of(all, Stream.of(defaults, body).<Node>flatMap(List::stream).toList());
    int depth = 2 + Node.deepest(new Name(tag.position(), name), body).depth();
    return new Macro.Definition(name, parameters, defaults, special, body, scope, depth);
  }

  private void signature(List<Target.Variable> parameters, List<Expression> defaults) {
    tokens.expectOperator("(");
    Set<String> seen = new HashSet<>();
    while (!tokens.isOperator(")")) {
      if (!parameters.isEmpty()) {
        tokens.expectOperator(",");
      }
      Token name = tokens.expect(Kind.NAME);
      if (!seen.add(name.text())) {
        throw tokens.error(name, "duplicate argument '" + name.text() + "' in macro definition");
      }
      if (tokens.skipOperator("=")) {
        defaults.add(expressions.parse());
      } else if (!defaults.isEmpty()) {
        throw tokens.error(name, "non-default argument follows default argument");
      }
      parameters.add(variable(name));
    }
    tokens.next();
  }

  private Statement block(Token tag) {
    Token name = tokens.expect(Kind.NAME);
    if (!blockNames.add(name.text())) {
      throw tokens.error(name, "block '" + name.text() + "' defined twice");
    }
    boolean scoped = tokens.skipName("scoped");
    tokens.skipName("required");
    int outerLoops = loops;
    loops = 0;
    List<Statement> body = lastBody("endblock");
    loops = outerLoops;
    tokens.skipName(name.text());
    return new Statement.Block(
        tag.position(), name.text(), scoped, body, Scope.of(List.of(), body));
  }

  private Statement jump(Token tag, Signal signal) {
    if (loops == 0) {
      throw tokens.error(tag, "'" + tag.text() + "' outside loop");
    }
    return new Statement.Jump(tag.position(), signal);
  }

  private List<String> skipExpression() {
    expressions.parse();
    return List.of();
  }

  private Statement include(Token tag) {
    expressions.parse();
    if (tokens.isName("ignore") && tokens.look().isName("missing")) {
      tokens.next();
      tokens.next();
    }
    skipContext();
    return new Statement.Unavailable(tag.position(), tag.text(), List.of());
  }

  private Statement importTemplate(Token tag) {
    expressions.parse();
    tokens.expectName("as");
    String name = tokens.expect(Kind.NAME).text();
    skipContext();
    return new Statement.Unavailable(tag.position(), tag.text(), List.of(name));
  }

  private Statement importNames(Token tag) {
    expressions.parse();
    tokens.expectName("import");
    List<String> names = new ArrayList<>();
    do {
      String name = tokens.expect(Kind.NAME).text();
      names.add(tokens.skipName("as") ? tokens.expect(Kind.NAME).text() : name);
    } while (tokens.skipOperator(","));
    skipContext();
    return new Statement.Unavailable(tag.position(), "import", names);
  }

  private void skipContext() {
    if ((tokens.isName("with") || tokens.isName("without")) && tokens.look().isName("context")) {
      tokens.next();
      tokens.next();
    }
  }

  /** A target up to {@code end}, a name or a sign. */
  private Target target(String end) {
    return targets(end, false);
  }

  /** A target that may be an attribute of a namespace. */
  private Target namespacedTarget() {
    return targets("=", true);
  }

  private Target targets(String end, boolean namespaced) {
    Token start = tokens.current();
    List<Target> parts = new ArrayList<>();
    boolean comma = false;
    while (!endsTargets(end)) {
      parts.add(singleTarget(namespaced));
      if (!tokens.skipOperator(",")) {
        break;
      }
      comma = true;
    }
    if (parts.isEmpty()) {
      throw tokens.error("Expected an expression, got " + tokens.current().describe());
    }
    return comma ? new Target.Unpacking(start.position(), parts) : parts.getFirst();
  }

  private boolean endsTargets(String end) {
    return tokens.isName(end)
        || tokens.isOperator(end)
        || tokens.is(Kind.BLOCK_END)
        || tokens.isOperator(")");
  }

  private Target singleTarget(boolean namespaced) {
    Token token = tokens.next();
    if (token.isOperator("(")) {
      tokens.enter();
      Target inside = targets(")", false);
      tokens.leave();
      tokens.expectOperator(")");
      return inside;
    }
    if (token.kind() != Kind.NAME) {
      throw tokens.error(token, "can't assign to " + token.describe());
    }
    if (namespaced && tokens.skipOperator(".")) {
      return new Target.Attribute(token.position(), token.text(), tokens.expect(Kind.NAME).text());
    }
    return variable(token);
  }

  private Target.Variable variable(Token name) {
    return switch (name.text()) {
      case "true", "True", "false", "False", "none", "None" ->
          throw tokens.error(name, "can't assign to '" + name.text() + "'");
      default -> new Target.Variable(name.position(), name.text());
    };
  }
}
