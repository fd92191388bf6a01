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

  /** Each level is analysed with all that is inside it; Python itself stops at 20 loops. */
  private static final int MAX_FRAMES = 30;

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final TargetParser targets;
  private final List<String> openTags = new ArrayList<>();

  /** Loops that a jump here could leave. */
  private int loops;

  /** Loops around this place, whatever lies between. */
  private int outerLoops;

  private int frames;

  StatementParser(Tokens tokens) {
    this.tokens = tokens;
    this.expressions = new ExpressionParser(tokens);
    this.targets = new TargetParser(tokens);
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
          statements.add(statement(ends));
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

  private Statement statement(List<String> ends) {
    Token tag = tokens.current();
    if (tag.kind() != Kind.NAME) {
      throw tokens.error("tag name expected");
    }
    tokens.next();
    openTags.add(tag.text());
    Statement statement =
        switch (tag.text()) {
          case "for" -> forLoop(tag);
          case "if" -> condition(tag);
          case "set" -> set(tag);
          case "with" -> with(tag);
          case "macro" -> macro(tag);
          case "call" -> callBlock(tag);
          case "filter" -> filterBlock(tag);
          case "generation" -> generation(tag);
          case "break" -> jump(tag, Signal.BREAK);
          case "continue" -> jump(tag, Signal.CONTINUE);
          default -> {
            openTags.removeLast();
            String hint = ends.isEmpty() ? "" : " " + lookingFor(ends);
            throw tokens.error(tag, "Encountered unknown tag '" + tag.text() + "'." + hint);
          }
        };
    openTags.removeLast();
    return statement;
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
    Target target = targets.plain("in");
    rejectLoopVariable(target);
    tokens.expectName("in");
    Expression iterable = expressions.parseTupleBeforeIf();
    List<Expression> test = tokens.skipName("if") ? List.of(expressions.parse()) : List.of();
    enterFrame(tag);
    outerLoops++;
    loops++;
    List<Statement> body = body("endfor", "else");
    loops--;
    List<Statement> otherwise = tokens.next().isName("else") ? lastBody("endfor") : List.of();
    outerLoops--;
    frames--;
    return new Statement.For(
        tag.position(), target, iterable, loopBody(target, test, body, otherwise));
  }

  private LoopBody loopBody(
      Target target, List<Expression> test, List<Statement> body, List<Statement> otherwise) {
    boolean usesLoop = !Scope.undeclared(body, List.of("loop")).isEmpty();
    List<String> targets = target.names();
    List<String> parameters =
        usesLoop ? Stream.concat(targets.stream(), Stream.of("loop")).toList() : targets;
    return new LoopBody(
        target,
        test,
        body,
        otherwise,
        usesLoop ? LoopBody.Variable.USED : LoopBody.Variable.UNUSED,
        Scope.of(targets, test),
        Scope.of(parameters, body),
        Scope.of(List.of(), otherwise));
  }

  /** The targets of a loop and all assignments inside it leave its own variable alone. */
  private void rejectLoopVariable(Target target) {
    if (target.names().contains("loop")) {
      throw tokens
          .source()
          .syntaxError(
              target.position(), "Can't assign to special loop variable in for-loop target");
    }
  }

  private void enterFrame(Token tag) {
    if (++frames > MAX_FRAMES) {
      throw tokens.error(tag, "loops and macros nest more than " + MAX_FRAMES + " levels deep");
    }
  }

  private Statement set(Token tag) {
    Target target = targets.namespaced();
    if (outerLoops > 0) {
      rejectLoopVariable(target);
    }
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
    List<Target> variables = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    while (!tokens.is(Kind.BLOCK_END)) {
      if (!variables.isEmpty()) {
        tokens.expectOperator(",");
      }
      variables.add(targets.plain("="));
      tokens.expectOperator("=");
      values.add(expressions.parse());
    }
    List<Statement> body = lastBody("endwith");
    List<String> names = variables.stream().flatMap(variable -> variable.names().stream()).toList();
    return new Statement.With(tag.position(), variables, values, body, Scope.of(names, body));
  }

  private Statement macro(Token tag) {
    Token name = tokens.expect(Kind.NAME);
    return new Statement.MacroDefinition(
        tag.position(), definition(name.text(), tag, signature(), "endmacro"));
  }

  private Statement callBlock(Token tag) {
    Signature signature = tokens.isOperator("(") ? signature() : Signature.NONE;
    if (!(expressions.parse() instanceof Expression.Call call)) {
      throw tokens.error(tag, "expected call");
    }
    return new Statement.CallBlock(
        tag.position(), call, definition(Macro.Definition.ANONYMOUS, tag, signature, "endcall"));
  }

  private Statement generation(Token tag) {
    return new Statement.Generation(
        tag.position(),
        definition(Macro.Definition.ANONYMOUS, tag, Signature.NONE, "endgeneration"));
  }

  private Macro.Definition definition(String name, Token tag, Signature signature, String end) {
    enterFrame(tag);
    List<Statement> body = functionBody(end);
    frames--;
    List<String> names = signature.names();
    List<String> special =
        Scope.undeclared(body, SPECIAL_PARAMETERS).stream()
            .filter(used -> used.equals("caller") || !names.contains(used))
            .toList();
    if (special.contains("caller") && signature.requires("caller")) {
      throw tokens.error(
          tag, "the special \"caller\" argument must be omitted or be given a default");
    }
    List<String> all = Stream.concat(names.stream(), special.stream()).toList();
    Scope scope =
        Scope.of(all, Stream.of(signature.defaults(), body).<Node>flatMap(List::stream).toList());
    int depth = 2 + Node.deepest(new Name(tag.position(), name), body).depth();
    return new Macro.Definition(
        name, signature.parameters(), signature.defaults(), special, body, scope, depth);
  }

  /** The body of a function of its own: a loop around it cannot be left from inside. */
  private List<Statement> functionBody(String end) {
    int outside = loops;
    loops = 0;
    List<Statement> body = lastBody(end);
    loops = outside;
    return body;
  }

  /** The parameters of a macro; the last ones have the defaults. */
  private record Signature(List<Target.Variable> parameters, List<Expression> defaults) {
    static final Signature NONE = new Signature(List.of(), List.of());

    List<String> names() {
      return parameters.stream().map(Target.Variable::name).toList();
    }

    boolean requires(String name) {
      int index = names().indexOf(name);
      return index >= 0 && index < parameters.size() - defaults.size();
    }
  }

  private Signature signature() {
    List<Target.Variable> parameters = new ArrayList<>();
    List<Expression> defaults = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    tokens.expectOperator("(");
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
      parameters.add(targets.variable(name));
    }
    tokens.next();
    return new Signature(parameters, defaults);
  }

  private Statement jump(Token tag, Signal signal) {
    if (loops == 0) {
      throw tokens.error(tag, "'" + tag.text() + "' outside loop");
    }
    return new Statement.Jump(tag.position(), signal);
  }
}
