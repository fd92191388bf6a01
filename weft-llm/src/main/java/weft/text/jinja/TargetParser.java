package weft.text.jinja;

import java.util.ArrayList;
import java.util.List;
import weft.text.jinja.Token.Kind;

/** Parses what stands left of an assignment. */
final class TargetParser {
  private final Tokens tokens;

  TargetParser(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Variables up to {@code end}, a name or a sign. */
  Target plain(String end) {
    return targets(end, false);
  }

  /** Variables or attributes of namespaces. */
  Target namespaced() {
    return targets("=", true);
  }

  private Target targets(String end, boolean namespaced) {
    Token start = tokens.current();
    List<Target> parts = new ArrayList<>();
    boolean comma = false;
    while (!ends(end)) {
      parts.add(single(namespaced));
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

  private boolean ends(String end) {
    return tokens.isName(end)
        || tokens.isOperator(end)
        || tokens.is(Kind.BLOCK_END)
        || tokens.isOperator(")");
  }

  private Target single(boolean namespaced) {
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

  Target.Variable variable(Token name) {
    return switch (name.text()) {
      case "true", "True", "false", "False", "none", "None" ->
          throw tokens.error(name, "can't assign to '" + name.text() + "'");
      default -> new Target.Variable(name.position(), name.text());
    };
  }
}
