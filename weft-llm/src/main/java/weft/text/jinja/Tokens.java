package weft.text.jinja;

import java.util.List;
import weft.text.jinja.Token.Kind;

/** The tokens of a template and how far the parser is through them. */
final class Tokens {
  /**
   * How deep blocks (one level each) and brackets (two) may nest; Python itself stops at 100 blocks
   * and 200 brackets.
   */
  private static final int MAX_NESTING = 200;

  private final Source source;
  private final List<Token> tokens;
  private int at;
  private int nesting;

  Tokens(Source source) {
    this.source = source;
    this.tokens = Lexer.tokens(source);
  }

  Token current() {
    return tokens.get(at);
  }

  Token look() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  /** The current token; the next one becomes current. */
  Token next() {
    Token token = tokens.get(at);
    at = Math.min(at + 1, tokens.size() - 1);
    return token;
  }

  boolean is(Kind kind) {
    return current().kind() == kind;
  }

  boolean isName(String name) {
    return current().isName(name);
  }

  boolean isOperator(String sign) {
    return current().isOperator(sign);
  }

  boolean skipName(String name) {
    boolean found = isName(name);
    if (found) {
      next();
    }
    return found;
  }

  boolean skipOperator(String sign) {
    boolean found = isOperator(sign);
    if (found) {
      next();
    }
    return found;
  }

  Token expect(Kind kind) {
    if (!is(kind)) {
      throw unexpected("'" + kind + "'");
    }
    return next();
  }

  Token expectName(String name) {
    if (!isName(name)) {
      throw unexpected("'" + name + "'");
    }
    return next();
  }

  Token expectOperator(String sign) {
    if (!isOperator(sign)) {
      throw unexpected("'" + sign + "'");
    }
    return next();
  }

  private TemplateException unexpected(String expected) {
    return is(Kind.END)
        ? error("unexpected end of template, expected " + expected)
        : error("expected token " + expected + ", got " + current().describe());
  }

  TemplateException error(String reason) {
    return error(current(), reason);
  }

  TemplateException error(Token token, String reason) {
    return source.syntaxError(token.position(), reason);
  }

  Source source() {
    return source;
  }

  /** Enters one level of nesting; left by {@link #leave}. */
  void enter() {
    if (++nesting > MAX_NESTING) {
      throw error("the template nests more than " + MAX_NESTING + " levels deep");
    }
  }

  void leave() {
    nesting--;
  }
}
