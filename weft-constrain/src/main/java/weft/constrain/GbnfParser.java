package weft.constrain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.unicode.CodePointSet;

/**
 * Reads grammars in llama.cpp's notation: {@code root ::= "a" rest | [0-9]{2,4}}. Neighbours that
 * name no rule become one lexeme.
 */
final class GbnfParser {
  private static final int LONGEST_GRAMMAR = 1 << 20;
  private static final int DEEPEST_GROUP = 100;
  private static final int MOST_REPETITIONS = 1_000_000;
  private static final int END = -1;

  private final int[] characters;
  private final Grammar.Builder builder = new Grammar.Builder();
  private final Map<String, Grammar.Rule> rules = new LinkedHashMap<>();
  private final Set<String> defined = new HashSet<>();
  private int at;
  private int depth;

  GbnfParser(String text) {
    if (text.length() > LONGEST_GRAMMAR) {
      throw new ConstrainException(
          "a grammar of " + text.length() + " characters; at most " + LONGEST_GRAMMAR + " do");
    }
    this.characters = text.codePoints().toArray();
  }

  Grammar parse() {
    skipSpace(true);
    while (at < characters.length) {
      var name = name();
      skipSpace(false);
      if (!skip("::=")) throw wrong("the rule " + name + " without ::=");
      skipSpace(true);
      if (!defined.add(name)) throw wrong("a second rule " + name);
      builder.define(rule(name), choice(false));
      if (at < characters.length && !isLineEnd(peek())) throw wrong("more behind a rule");
      skipSpace(true);
    }
    if (!defined.contains("root")) {
      throw new ConstrainException("the grammar has no rule named root, which texts are of");
    }
    for (var name : rules.keySet()) {
      if (!defined.contains(name)) {
        throw new ConstrainException(
            "the grammar uses the rule " + name + ", which it does not define");
      }
    }
    return builder.build(rule("root"));
  }

  private Grammar.Rule rule(String name) {
    return rules.computeIfAbsent(name, builder::rule);
  }

  private String name() {
    var name = new StringBuilder();
    while (isNamed(peek())) name.appendCodePoint(characters[at++]);
    if (name.isEmpty()) throw wrong("no name of a rule");
    return name.toString();
  }

  private static boolean isNamed(int c) {
    return c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_');
  }

  private Part choice(boolean isNested) {
    if (++depth > DEEPEST_GROUP) throw wrong("groups nested deeper than " + DEEPEST_GROUP);
    var ways = new ArrayList<Part>();
    ways.add(sequence(isNested));
    while (skipToBar(isNested)) {
      skipSpace(true);
      ways.add(sequence(isNested));
    }
    depth--;
    if (ways.size() == 1) return ways.getFirst();
    if (ways.stream().allMatch(Part.Lexeme.class::isInstance)) {
      return Part.lexeme(new Regex.AnyOf(regexes(ways)));
    }
    return new Part.Choice(ways);
  }

  /** A bar may also begin a line. */
  private boolean skipToBar(boolean isNested) {
    int before = at;
    skipSpace(true);
    if (skip("|")) return true;
    if (!isNested) at = before;
    return false;
  }

  private Part sequence(boolean isNested) {
    var parts = new ArrayList<Part>();
    while (true) {
      int c = peek();
      Part part;
      if (c == '"') {
        at++;
        part = Part.text(literal());
      } else if (c == '[') {
        at++;
        part = Part.lexeme(Regex.characters(set()));
      } else if (c == '.') {
        at++;
        part = Part.lexeme(Regex.ANY_CHARACTER);
      } else if (c == '(') {
        at++;
        skipSpace(true);
        part = choice(true);
        if (!skip(")")) throw wrong("a ( that is not closed");
      } else if (isNamed(c)) {
        part = rule(name()).reference();
      } else if (c == '<' || c == '!') {
        throw wrong("a token by its name or number, which is not supported,");
      } else {
        break;
      }
      part = repetitions(part);
      if (part instanceof Part.Lexeme(var second)
          && !parts.isEmpty()
          && parts.getLast() instanceof Part.Lexeme(var first)) {
        parts.set(parts.size() - 1, Part.lexeme(EcmaParser.joined(first, second)));
      } else {
        parts.add(part);
      }
      skipSpace(isNested);
    }
    return switch (parts.size()) {
      case 0 -> Part.lexeme(Regex.EMPTY);
      case 1 -> parts.getFirst();
      default -> new Part.Sequence(parts);
    };
  }

  private static List<Regex> regexes(List<Part> parts) {
    return parts.stream().map(part -> ((Part.Lexeme) part).regex()).toList();
  }

  private Part repetitions(Part part) {
    var repeated = part;
    while (true) {
      if (skip("*")) repeated = repeat(repeated, 0, Regex.UNBOUNDED);
      else if (skip("+")) repeated = repeat(repeated, 1, Regex.UNBOUNDED);
      else if (skip("?")) repeated = repeat(repeated, 0, 1);
      else if (skip("{")) repeated = counted(repeated);
      else return repeated;
    }
  }

  private Part counted(Part part) {
    skipSpace(false);
    int least = peek() == ',' ? 0 : number();
    skipSpace(false);
    int greatest = least;
    if (skip(",")) {
      skipSpace(false);
      greatest = peek() == '}' ? Regex.UNBOUNDED : number();
      skipSpace(false);
    }
    if (!skip("}")) throw wrong("a { that is not closed");
    if (greatest < least) throw wrong("a repetition from " + least + " to " + greatest);
    return repeat(part, least, greatest);
  }

  private static Part repeat(Part part, int least, int greatest) {
    return part instanceof Part.Lexeme(var regex)
        ? Part.lexeme(regex.repeat(least, greatest))
        : part.repeat(least, greatest);
  }

  private int number() {
    int from = at;
    long value = 0;
    while (peek() >= '0' && peek() <= '9') {
      value = value * 10 + characters[at++] - '0';
      if (value > MOST_REPETITIONS) {
        throw wrong("a part that repeats more than " + MOST_REPETITIONS + " times");
      }
    }
    if (at == from) throw wrong("no count of a repetition");
    return (int) value;
  }

  private String literal() {
    var text = new StringBuilder();
    while (peek() != '"') text.appendCodePoint(character());
    at++;
    return text.toString();
  }

  private CodePointSet set() {
    boolean isNegative = skip("^");
    var set = CodePointSet.EMPTY;
    while (peek() != ']') {
      int from = character();
      int to = from;
      if (peek() == '-' && at + 1 < characters.length && characters[at + 1] != ']') {
        at++;
        to = character();
        if (to < from) throw wrong("a range of characters whose end lies before its start");
      }
      set = set.union(CodePointSet.range(from, to));
    }
    at++;
    return isNegative ? set.complement() : set;
  }

  private int character() {
    int c = read();
    if (c != '\\') return c;
    int escaped = read();
    return switch (escaped) {
      case 'x' -> hexadecimal(2);
      case 'u' -> hexadecimal(4);
      case 'U' -> hexadecimal(8);
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'n' -> '\n';
      case '\\', '"', '[', ']', '-', '^' -> escaped;
      default -> throw wrong("the escape \\" + Character.toString(escaped));
    };
  }

  private int hexadecimal(int digits) {
    long value = 0;
    for (int i = 0; i < digits; i++) {
      int digit = Character.digit(read(), 16);
      if (digit < 0) throw wrong("the number of a character that is not hexadecimal");
      value = value * 16 + digit;
    }
    if (value > Character.MAX_CODE_POINT) throw wrong("a character that Unicode has not");
    return (int) value;
  }

  private int peek() {
    return at < characters.length ? characters[at] : END;
  }

  private int read() {
    if (at == characters.length) throw wrong("an end where more must come");
    return characters[at++];
  }

  private boolean skip(String text) {
    if (at + text.length() > characters.length) return false;
    for (int i = 0; i < text.length(); i++) {
      if (characters[at + i] != text.charAt(i)) return false;
    }
    at += text.length();
    return true;
  }

  /** Passes over spaces and comments, and over the ends of lines where a rule goes on. */
  private void skipSpace(boolean isOverLines) {
    while (true) {
      int c = peek();
      if (c == '#') {
        while (at < characters.length && !isLineEnd(peek())) at++;
      } else if (c == ' ' || c == '\t' || (isOverLines && isLineEnd(c))) {
        at++;
      } else {
        return;
      }
    }
  }

  private static boolean isLineEnd(int c) {
    return c == '\n' || c == '\r';
  }

  private ConstrainException wrong(String what) {
    long line = 1;
    for (int i = 0; i < Math.min(at, characters.length); i++) if (characters[i] == '\n') line++;
    return new ConstrainException("line %d of the grammar has %s".formatted(line, what));
  }
}
