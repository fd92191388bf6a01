package weft.text.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.text.jinja.Expression.Constant;
import weft.text.jinja.Token.Kind;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Str;

/** Parses expressions by recursive descent, one method for each level of precedence. */
final class ExpressionParser {
  /**
   * Chains such as {@code a + b + c} deepen the tree without nesting the parser; evaluation
   * recurses into them.
   */
  private static final int MAX_DEPTH = 400;

  private final Tokens tokens;

  ExpressionParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /** A whole expression. */
  Expression parse() {
    return checked(expression());
  }

  /** Expressions with commas between them make a tuple; one alone is itself. */
  Expression parseTuple() {
    return checked(tuple(this::expression, false));
  }

  /** As {@link #parseTuple}, but {@code if} ends it, as in the heads of loops and conditions. */
  Expression parseTupleBeforeIf() {
    return checked(tuple(this::or, false));
  }

  /** {@code name(arguments) | name(arguments)...} applied to {@code input}. */
  Expression parseFilters(Expression input) {
    return checked(filters(filter(input)));
  }

  private Expression checked(Expression expression) {
    Node.Placed deepest = Node.deepest(expression, List.of(expression));
    if (deepest.depth() > MAX_DEPTH) {
      throw tokens
          .source()
          .syntaxError(
              deepest.node().position(),
              "the expression is more than " + MAX_DEPTH + " levels deep");
    }
    return expression;
  }

  private Expression expression() {
    tokens.enter();
    int position = tokens.current().position();
    Expression result = or();
    while (tokens.skipName("if")) {
      Expression test = or();
      Expression otherwise = tokens.skipName("else") ? expression() : missingElse(position);
      result = new Expression.Conditional(position, test, result, otherwise);
    }
    tokens.leave();
    return result;
  }

  private Expression missingElse(int position) {
    Source source = tokens.source();
    return new Constant(
        position,
        new Undefined(
            () ->
                "the inline if-expression on line "
                    + source.lineOf(position)
                    + " evaluated to false and no else section was defined."));
  }

  private Expression or() {
    Expression left = and();
    while (tokens.isName("or")) {
      int position = tokens.next().position();
      left = new Expression.Or(position, left, and());
    }
    return left;
  }

  private Expression and() {
    Expression left = not();
    while (tokens.isName("and")) {
      int position = tokens.next().position();
      left = new Expression.And(position, left, not());
    }
    return left;
  }

  private Expression not() {
    if (!tokens.isName("not")) {
      return comparison();
    }
    tokens.enter();
    int position = tokens.next().position();
    Expression result = new Expression.Not(position, not());
    tokens.leave();
    return result;
  }

  private Expression comparison() {
    Expression first = sum();
    List<Comparison.Operator> operators = new ArrayList<>();
    List<Expression> rest = new ArrayList<>();
    int position = tokens.current().position();
    while (takeComparison(operators)) {
      rest.add(sum());
    }
    return rest.isEmpty() ? first : new Expression.Chain(position, first, operators, rest);
  }

  private boolean takeComparison(List<Comparison.Operator> operators) {
    Token token = tokens.current();
    if (token.isName("not") && tokens.look().isName("in")) {
      tokens.next();
      tokens.next();
      return operators.add(Comparison.Operator.NOT_IN);
    }
    for (Comparison.Operator operator : Comparison.Operator.values()) {
      if (operator == Comparison.Operator.IN
          ? token.isName("in")
          : token.isOperator(operator.sign())) {
        tokens.next();
        return operators.add(operator);
      }
    }
    return false;
  }

  private Expression sum() {
    Expression left = concatenation();
    while (tokens.isOperator("+") || tokens.isOperator("-")) {
      Token sign = tokens.next();
      left = binary(sign, left, concatenation());
    }
    return left;
  }

  private Expression concatenation() {
    Expression first = product();
    if (!tokens.isOperator("~")) {
      return first;
    }
    int position = tokens.current().position();
    List<Expression> parts = new ArrayList<>(List.of(first));
    while (tokens.skipOperator("~")) {
      parts.add(product());
    }
    return new Expression.Concatenation(position, parts);
  }

  private Expression product() {
    Expression left = power();
    while (tokens.isOperator("*")
        || tokens.isOperator("/")
        || tokens.isOperator("//")
        || tokens.isOperator("%")) {
      Token sign = tokens.next();
      left = binary(sign, left, power());
    }
    return left;
  }

  private Expression power() {
    Expression left = unary(true);
    while (tokens.isOperator("**")) {
      Token sign = tokens.next();
      left = binary(sign, left, unary(true));
    }
    return left;
  }

  private static Expression binary(Token sign, Expression left, Expression right) {
    return new Expression.Binary(sign.position(), Arithmetic.Operator.of(sign.text()), left, right);
  }

  private Expression unary(boolean withFilters) {
    tokens.enter();
    Token token = tokens.current();
    boolean negative = tokens.skipOperator("-");
    Expression result =
        negative || tokens.skipOperator("+")
            ? new Expression.Signed(token.position(), negative, unary(false))
            : primary();
    result = postfix(result);
    if (withFilters) {
      result = filters(result);
    }
    tokens.leave();
    return result;
  }

  Expression primary() {
    Token token = tokens.next();
    return switch (token.kind()) {
      case NAME -> name(token);
      case STRING -> strings(token);
      case INTEGER, FLOAT -> new Constant(token.position(), token.value());
      case OPERATOR ->
          switch (token.text()) {
            case "(" -> {
              Expression inside = tuple(this::expression, true);
              tokens.expectOperator(")");
              yield inside;
            }
            case "[" -> list(token);
            case "{" -> dict(token);
            default -> throw tokens.error(token, "unexpected " + token.describe());
          };
      case DATA, BLOCK_BEGIN, BLOCK_END, VARIABLE_BEGIN, VARIABLE_END, END ->
          throw tokens.error(token, "unexpected " + token.describe());
    };
  }

  private static Expression name(Token token) {
    return switch (token.text()) {
      case "true", "True" -> new Constant(token.position(), Bool.TRUE);
      case "false", "False" -> new Constant(token.position(), Bool.FALSE);
      case "none", "None" -> new Constant(token.position(), None.NONE);
      default -> new Expression.Name(token.position(), token.text());
    };
  }

  private Expression strings(Token first) {
    StringBuilder text = new StringBuilder(first.text());
    while (tokens.is(Kind.STRING)) {
      text.append(tokens.next().text());
    }
    return new Constant(first.position(), new Str(text.toString()));
  }

  /** A level of the grammar. */
  @FunctionalInterface
  interface Level {
    Expression parse();
  }

  private Expression tuple(Level level, boolean mayBeEmpty) {
    Token start = tokens.current();
    List<Expression> items = new ArrayList<>();
    boolean comma = false;
    while (!endsTuple()) {
      items.add(level.parse());
      if (!tokens.isOperator(",")) {
        break;
      }
      tokens.next();
      comma = true;
    }
    if (comma || items.isEmpty() && mayBeEmpty) {
      return new Expression.TupleLiteral(start.position(), items);
    }
    if (items.isEmpty()) {
      throw tokens.error("Expected an expression, got " + tokens.current().describe());
    }
    return items.getFirst();
  }

  /** A tuple may end in a comma, so its end has to be seen. */
  private boolean endsTuple() {
    return tokens.is(Kind.VARIABLE_END) || tokens.is(Kind.BLOCK_END) || tokens.isOperator(")");
  }

  private Expression list(Token start) {
    List<Expression> items = new ArrayList<>();
    while (!tokens.isOperator("]")) {
      if (!items.isEmpty()) {
        tokens.expectOperator(",");
        if (tokens.isOperator("]")) {
          break;
        }
      }
      items.add(expression());
    }
    tokens.next();
    return new Expression.ListLiteral(start.position(), items);
  }

  private Expression dict(Token start) {
    List<Expression> keys = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    while (!tokens.isOperator("}")) {
      if (!keys.isEmpty()) {
        tokens.expectOperator(",");
        if (tokens.isOperator("}")) {
          break;
        }
      }
      keys.add(expression());
      tokens.expectOperator(":");
      values.add(expression());
    }
    tokens.next();
    return new Expression.DictLiteral(start.position(), keys, values);
  }

  private Expression postfix(Expression start) {
    Expression result = start;
    while (true) {
      Token token = tokens.current();
      if (token.isOperator(".")) {
        tokens.next();
        result = attribute(result);
      } else if (token.isOperator("[")) {
        tokens.next();
        result = subscript(token, result);
      } else if (token.isOperator("(")) {
        result = new Expression.Call(token.position(), result, arguments());
      } else {
        return result;
      }
    }
  }

  private Expression attribute(Expression object) {
    Token name = tokens.next();
    return switch (name.kind()) {
      case NAME -> new Expression.Attribute(name.position(), object, name.text());
      case INTEGER ->
          new Expression.Item(name.position(), object, new Constant(name.position(), name.value()));
      default -> throw tokens.error(name, "expected name or number");
    };
  }

  private Expression subscript(Token bracket, Expression object) {
    List<Expression> keys = new ArrayList<>();
    while (!tokens.isOperator("]")) {
      if (!keys.isEmpty()) {
        tokens.expectOperator(",");
      }
      if (keys.isEmpty()) {
        Expression start = tokens.isOperator(":") ? absent(bracket) : expression();
        if (tokens.isOperator(":")) {
          return slice(bracket, object, start);
        }
        keys.add(start);
      } else {
        keys.add(expression());
      }
    }
    tokens.next();
    Expression key =
        keys.size() == 1 ? keys.getFirst() : new Expression.TupleLiteral(bracket.position(), keys);
    return new Expression.Item(bracket.position(), object, key);
  }

  private Expression slice(Token bracket, Expression object, Expression start) {
    tokens.expectOperator(":");
    Expression stop =
        tokens.isOperator(":") || tokens.isOperator("]") ? absent(bracket) : expression();
    Expression step = absent(bracket);
    if (tokens.skipOperator(":") && !tokens.isOperator("]")) {
      step = expression();
    }
    tokens.expectOperator("]");
    return new Expression.Slice(bracket.position(), object, start, stop, step);
  }

  private static Expression absent(Token near) {
    return new Constant(near.position(), None.NONE);
  }

  private Expression filters(Expression start) {
    Expression result = start;
    while (true) {
      Token token = tokens.current();
      if (tokens.skipOperator("|")) {
        result = filter(result);
      } else if (token.isName("is")) {
        result = test(result);
      } else if (token.isOperator("(")) {
        result = new Expression.Call(token.position(), result, arguments());
      } else {
        return result;
      }
    }
  }

  private Expression filter(Expression input) {
    Token name = tokens.expect(Kind.NAME);
    String full = dotted(name);
    Actuals arguments = tokens.isOperator("(") ? arguments() : Actuals.NONE;
    return new Expression.Filter(name.position(), input, full, Filters.named(full), arguments);
  }

  private String dotted(Token first) {
    StringBuilder name = new StringBuilder(first.text());
    while (tokens.skipOperator(".")) {
      name.append('.').append(tokens.expect(Kind.NAME).text());
    }
    return name.toString();
  }

  private Expression test(Expression input) {
    tokens.next();
    boolean negated = tokens.skipName("not");
    Token name = tokens.expect(Kind.NAME);
    String full = dotted(name);
    Actuals arguments = Actuals.NONE;
    if (tokens.isOperator("(")) {
      arguments = arguments();
    } else if (startsTestArgument()) {
      if (tokens.isName("is")) {
        throw tokens.error("You cannot chain multiple tests with is");
      }
      arguments = new Actuals(List.of(postfix(primary())), Map.of(), List.of(), List.of());
    }
    Expression result =
        new Expression.Test(name.position(), input, full, Tests.named(full), arguments);
    return negated ? new Expression.Not(name.position(), result) : result;
  }

  private boolean startsTestArgument() {
    return switch (tokens.current().kind()) {
      case NAME -> !tokens.isName("else") && !tokens.isName("or") && !tokens.isName("and");
      case STRING, INTEGER, FLOAT -> true;
      case OPERATOR -> tokens.isOperator("[") || tokens.isOperator("{");
      case DATA, BLOCK_BEGIN, BLOCK_END, VARIABLE_BEGIN, VARIABLE_END, END -> false;
    };
  }

  private Actuals arguments() {
    Token open = tokens.expectOperator("(");
    List<Expression> positional = new ArrayList<>();
    Map<String, Expression> keywords = new LinkedHashMap<>();
    List<Expression> star = new ArrayList<>();
    List<Expression> doubleStar = new ArrayList<>();
    while (!tokens.isOperator(")")) {
      if (tokens.skipOperator("**")) {
        ensure(open, doubleStar.isEmpty());
        doubleStar.add(expression());
      } else if (tokens.skipOperator("*")) {
        ensure(open, star.isEmpty() && doubleStar.isEmpty());
        star.add(expression());
      } else if (tokens.is(Kind.NAME) && tokens.look().isOperator("=")) {
        ensure(open, doubleStar.isEmpty());
        Token name = tokens.next();
        tokens.next();
        if (keywords.put(name.text(), expression()) != null) {
          throw tokens.error(name, "keyword argument repeated: " + name.text());
        }
      } else {
        ensure(open, star.isEmpty() && doubleStar.isEmpty() && keywords.isEmpty());
        positional.add(expression());
      }
      if (!tokens.isOperator(")")) {
        tokens.expectOperator(",");
      }
    }
    tokens.next();
    return new Actuals(positional, keywords, star, doubleStar);
  }

  private void ensure(Token open, boolean valid) {
    if (!valid) {
      throw tokens.error(open, "invalid syntax for function call expression");
    }
  }
}
