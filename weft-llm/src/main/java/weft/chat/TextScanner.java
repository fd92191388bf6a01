package weft.chat;

import java.util.Optional;

/**
 * Reads what may be a call from a text that has not come to its end. Nothing moves where something
 * else stands; whether that is because the text ends too soon is remembered.
 */
final class TextScanner {
  private final CharSequence text;
  private final boolean isOver;
  private int at;
  private boolean hasRunOut;

  /** {@code isOver} says that no more text comes. */
  TextScanner(CharSequence text, boolean isOver) {
    this.text = text;
    this.isOver = isOver;
  }

  int at() {
    return at;
  }

  void to(int place) {
    at = place;
  }

  /** Whether more text could have made another result. */
  boolean wantsMore() {
    return hasRunOut && !isOver;
  }

  String from(int start) {
    return text.subSequence(start, at).toString();
  }

  /** Skips white space; gives whether anything follows. */
  boolean white() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    return has();
  }

  boolean has() {
    if (at < text.length()) return true;
    hasRunOut = true;
    return false;
  }

  boolean isAt(char c) {
    return has() && text.charAt(at) == c;
  }

  /** Takes a literal if it stands here. */
  boolean take(String literal) {
    int length = Math.min(literal.length(), text.length() - at);
    for (int i = 0; i < length; i++) {
      if (text.charAt(at + i) != literal.charAt(i)) return false;
    }
    if (length < literal.length()) {
      hasRunOut = true;
      return false;
    }
    at += length;
    return true;
  }

  /** White space and a literal, or nothing. */
  boolean takeBehindWhite(String literal) {
    int start = at;
    if (white() && take(literal)) return true;
    at = start;
    return false;
  }

  /** All before a literal, which is taken, too; not across an end of line. */
  Optional<String> until(String literal) {
    int start = at;
    for (int i = at; i < text.length() && text.charAt(i) != '\n'; i++) {
      at = i;
      if (take(literal)) {
        return Optional.of(text.subSequence(start, i).toString());
      }
    }
    boolean isCut = text.chars().skip(start).noneMatch(c -> c == '\n');
    hasRunOut |= isCut;
    at = start;
    return Optional.empty();
  }

  /** A JSON string, its quotes and escapes undone. */
  Optional<String> string() {
    int start = at;
    if (!isAt('"') || !skipString()) return Optional.empty();
    return JsonValues.string(from(start));
  }

  /** A string in either kind of quotes, as Python has them. */
  Optional<String> quoted() {
    if (isAt('"')) return string();
    int start = at + 1;
    if (!isAt('\'') || !skipString()) return Optional.empty();
    var inner = text.subSequence(start, at - 1).toString();
    return JsonValues.string('"' + inner.replace("\\'", "'").replace("\"", "\\\"") + '"');
  }

  private boolean skipString() {
    char quote = text.charAt(at);
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == quote) {
        at = i + 1;
        return true;
      }
    }
    hasRunOut = true;
    return false;
  }

  /** Skips a JSON value as its brackets and quotes show it. */
  boolean value() {
    if (!has()) return false;
    if (isAt('"')) return skipString();
    var span = new JsonSpan();
    int i = at;
    while (i < text.length() && span.takes(text.charAt(i))) i++;
    if (i == at) return false;
    if (i == text.length() && !span.isComplete()) {
      hasRunOut = true;
      return false;
    }
    at = i;
    return true;
  }

  /** A name as programs have them. */
  Optional<String> name() {
    int start = at;
    while (has() && isPartOfName(text.charAt(at))) at++;
    return at > start ? Optional.of(from(start)) : Optional.empty();
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
  }
}
