package weft.chat;

/** How far a JSON value goes, by its brackets and quotes, character by character. */
final class JsonSpan {
  private static final String LITERAL = "+-.";

  private int depth;
  private boolean isText;
  private boolean isEscaped;
  private boolean isComplete;
  private boolean isLiteral;

  /** Whether the value goes on with this character; once it does not, the value is over. */
  boolean takes(char c) {
    if (isComplete) return false;
    if (isText) {
      readText(c);
      return true;
    }
    if (isLiteral) {
      isComplete = !isPartOfLiteral(c);
      return !isComplete;
    }
    switch (c) {
      case '"' -> isText = true;
      case '{', '[' -> depth++;
      case '}', ']' -> {
        if (depth == 0) return false;
        depth--;
        isComplete = depth == 0;
      }
      default -> {
        if (depth > 0) return true;
        isLiteral = isPartOfLiteral(c);
        return isLiteral;
      }
    }
    return true;
  }

  private void readText(char c) {
    if (isEscaped) {
      isEscaped = false;
    } else if (c == '\\') {
      isEscaped = true;
    } else if (c == '"') {
      isText = false;
      isComplete = depth == 0;
    }
  }

  private static boolean isPartOfLiteral(char c) {
    return Character.isLetterOrDigit(c) || LITERAL.indexOf(c) >= 0;
  }

  /** Whether the next character is within a string. */
  boolean isText() {
    return isText;
  }

  boolean isComplete() {
    return isComplete;
  }
}
