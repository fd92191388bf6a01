package weft.text.regex;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.text.TextException;
import weft.text.regex.Node.Direction;
import weft.text.regex.Node.Greed;
import weft.text.regex.Node.Place;
import weft.text.regex.Node.Sense;
import weft.unicode.CodePointSet;
import weft.unicode.UnicodeProperty;

/**
 * Reads the Oniguruma syntax that tokenizer files use; what it does not know is an error, never a
 * guess.
 */
final class Parser {
  private static final int MAX_PATTERN = 20_000;

  private static final int MAX_DEPTH = 100;

  /** Of groups and repetitions inside each other: what compiles and matches them recurses. */
  private static final int MAX_HEIGHT = 250;

  private static final int MAX_REPETITION = 10_000;

  private final String pattern;
  private final Map<String, CodePointSet> properties = new HashMap<>();
  private final Map<CodePointSet, CodePointSet> closed = new HashMap<>();
  private int next;
  private int depth;

  /** Options that a group can switch; copied at each group, so they end with it. */
  private record Options(boolean ignoreCase, boolean dotMatchesNewline, boolean extended) {}

  private Parser(String pattern) {
    this.pattern = pattern;
  }

  static Node parse(String pattern) {
    if (pattern.length() > MAX_PATTERN) {
      throw new TextException(
          "a tokenizer's pattern has "
              + pattern.length()
              + " characters; weft reads at most "
              + MAX_PATTERN);
    }
    var parser = new Parser(pattern);
    Node node = parser.alternatives(new Options(false, false, false));
    if (parser.next < pattern.length()) {
      throw parser.error("unmatched ')'");
    }
    return node;
  }

  private Node alternatives(Options options) {
    if (++depth > MAX_DEPTH) {
      throw error("groups nested deeper than " + MAX_DEPTH);
    }
    var choices = new ArrayList<Node>();
    choices.add(sequence(options));
    while (peek() == '|') {
      next++;
      choices.add(sequence(options));
    }
    depth--;
    return choices.size() == 1 ? choices.getFirst() : new Node.Choice(List.copyOf(choices));
  }

  private Node sequence(Options initial) {
    var options = initial;
    var parts = new ArrayList<Node>();
    while (next < pattern.length() && peek() != '|' && peek() != ')') {
      if (options.extended && skipExtended()) {
        continue;
      }
      if (pattern.startsWith("(?#", next)) {
        int end = pattern.indexOf(')', next);
        if (end < 0) {
          throw error("a comment without its end");
        }
        next = end + 1;
        continue;
      }
      if (isolatedOptions()) {
        // (?i) without a body holds to the end of the group, alternatives included.
        options = options(options);
        expect(')');
        parts.add(alternatives(options));
        continue;
      }
      parts.add(repeated(atom(options)));
    }
    return parts.size() == 1 ? parts.getFirst() : new Node.Sequence(List.copyOf(parts));
  }

  private boolean skipExtended() {
    if (Character.isWhitespace(peek())) {
      next++;
      return true;
    }
    if (peek() == '#') {
      int end = pattern.indexOf('\n', next);
      next = end < 0 ? pattern.length() : end + 1;
      return true;
    }
    return false;
  }

  private Node repeated(Node first) {
    Node node = first;
    while (true) {
      int min;
      int max;
      boolean counted = false;
      switch (peek()) {
        case '*' -> {
          min = 0;
          max = Node.UNLIMITED;
          next++;
        }
        case '+' -> {
          min = 1;
          max = Node.UNLIMITED;
          next++;
        }
        case '?' -> {
          min = 0;
          max = 1;
          next++;
        }
        case '{' -> {
          int[] bounds = counts();
          if (bounds.length == 0) {
            return node;
          }
          min = bounds[0];
          max = bounds[1];
          counted = true;
        }
        default -> {
          return node;
        }
      }
      node = repeat(node, min, max, greed(counted, min, max));
    }
  }

  private Greed greed(boolean counted, int min, int max) {
    // Oniguruma reads x{n}? as an optional x{n}, and x{n,m}+ as one or more x{n,m}.
    if (peek() == '?' && !(counted && min == max)) {
      next++;
      return Greed.LAZY;
    }
    if (peek() == '+' && !counted) {
      next++;
      return Greed.POSSESSIVE;
    }
    return Greed.GREEDY;
  }

  private Node repeat(Node body, int min, int max, Greed greed) {
    if (max == Node.UNLIMITED && body.minLength() == 0) {
      throw error("an unlimited repetition of something that may be empty");
    }
    if (body instanceof Node.Look) {
      throw error("a repeated look-around");
    }
    if (body.height() >= MAX_HEIGHT) {
      throw error("repetitions nested deeper than " + MAX_HEIGHT);
    }
    return new Node.Repeat(body, min, max, greed);
  }

  /**
   * The bounds of {@code {n}}, {@code {n,}}, {@code {,m}} or {@code {n,m}}; none where the brace is
   * a plain character.
   */
  private int[] counts() {
    int end = pattern.indexOf('}', next);
    if (end < 0) {
      return new int[0];
    }
    String inside = pattern.substring(next + 1, end);
    if (!inside.matches("\\d+(,\\d*)?|,\\d+")) {
      return new int[0];
    }
    int comma = inside.indexOf(',');
    String low = comma < 0 ? inside : inside.substring(0, comma);
    String high = comma < 0 ? inside : inside.substring(comma + 1);
    int min = low.isEmpty() ? 0 : count(low);
    int max = high.isEmpty() ? Node.UNLIMITED : count(high);
    if (min > max) {
      throw error("a repetition whose lower bound is the greater one");
    }
    next = end + 1;
    return new int[] {min, max};
  }

  private int count(String digits) {
    if (digits.length() > 5 || Integer.parseInt(digits) > MAX_REPETITION) {
      throw error("a repetition of more than " + MAX_REPETITION);
    }
    return Integer.parseInt(digits);
  }

  private Node atom(Options options) {
    int c = read();
    return switch (c) {
      case '(' -> group(options);
      case '[' -> one(new ClassParser(this).parse(), options);
      case '.' ->
          new Node.One(
              options.dotMatchesNewline ? CodePointSet.ALL : CodePointSet.of('\n').complement());
      case '^' -> new Node.Anchor(Place.LINE_START);
      case '$' -> new Node.Anchor(Place.LINE_END);
      case '\\' -> escaped(options);
      case '*', '+', '?' -> throw error("a repetition of nothing");
      default -> one(CodePointSet.of(c), options);
    };
  }

  private Node one(CodePointSet set, Options options) {
    // Once for each set: closing one looks at every letter there is.
    return new Node.One(options.ignoreCase ? closed.computeIfAbsent(set, CaseFolding::close) : set);
  }

  private Node escaped(Options options) {
    int start = next;
    int c = read();
    switch (c) {
      case 'A':
        return new Node.Anchor(Place.TEXT_START);
      case 'z':
        return new Node.Anchor(Place.TEXT_END);
      case 'Z':
        return new Node.Anchor(Place.TEXT_END_OR_FINAL_NEWLINE);
      case 'b':
        return new Node.Anchor(Place.WORD_BOUNDARY);
      case 'B':
        return new Node.Anchor(Place.NO_WORD_BOUNDARY);
      case 'R':
        return new Node.Atomic(
            new Node.Choice(
                List.of(
                    new Node.Sequence(
                        List.of(
                            new Node.One(CodePointSet.of('\r')),
                            new Node.One(CodePointSet.of('\n')))),
                    new Node.One(ClassParser.LINE_BREAKS))));
      case 'N':
        return new Node.One(CodePointSet.of('\n').complement());
      case 'O':
        return new Node.One(CodePointSet.ALL);
      default:
        next = start;
        return one(new ClassParser(this).escape(), options);
    }
  }

  private Node group(Options options) {
    if (peek() != '?') {
      return close(alternatives(options));
    }
    next++;
    int c = read();
    switch (c) {
      case ':':
        return close(alternatives(options));
      case '=':
        return new Node.Look(close(alternatives(options)), Direction.AHEAD, Sense.POSITIVE);
      case '!':
        return new Node.Look(close(alternatives(options)), Direction.AHEAD, Sense.NEGATIVE);
      case '>':
        return new Node.Atomic(close(alternatives(options)));
      case '<':
        return behindOrNamed(options);
      default:
        next--;
        Options inner = options(options);
        expect(':');
        return close(alternatives(inner));
    }
  }

  private Node behindOrNamed(Options options) {
    if (peek() == '=' || peek() == '!') {
      Sense sense = read() == '=' ? Sense.POSITIVE : Sense.NEGATIVE;
      return new Node.Look(close(alternatives(options)), Direction.BEHIND, sense);
    }
    int end = pattern.indexOf('>', next);
    if (end < 0) {
      throw error("a group name without its end");
    }
    next = end + 1;
    return close(alternatives(options));
  }

  private Node close(Node body) {
    expect(')');
    return body;
  }

  private boolean isolatedOptions() {
    if (!pattern.startsWith("(?", next)) {
      return false;
    }
    int end = next + 2;
    while (end < pattern.length() && "imx-".indexOf(pattern.charAt(end)) >= 0) {
      end++;
    }
    boolean isolated = end > next + 2 && end < pattern.length() && pattern.charAt(end) == ')';
    if (isolated) {
      next += 2;
    }
    return isolated;
  }

  private Options options(Options outer) {
    var options = outer;
    boolean on = true;
    while (next < pattern.length() && peek() != ':' && peek() != ')') {
      switch (read()) {
        case '-' -> on = false;
        case 'i' -> options = new Options(on, options.dotMatchesNewline, options.extended);
        case 'm' -> options = new Options(options.ignoreCase, on, options.extended);
        case 'x' -> options = new Options(options.ignoreCase, options.dotMatchesNewline, on);
        default -> throw error("a group option other than i, m and x");
      }
    }
    return options;
  }

  CodePointSet property(String name) {
    return properties.computeIfAbsent(
        name,
        key ->
            UnicodeProperty.named(key)
                .orElseThrow(() -> error("the unknown character property " + key)));
  }

  int peek() {
    return next < pattern.length() ? pattern.codePointAt(next) : -1;
  }

  boolean startsWith(String prefix) {
    return pattern.startsWith(prefix, next);
  }

  int read() {
    int c = peek();
    if (c < 0) {
      throw error("an end in the middle of something");
    }
    next += Character.charCount(c);
    return c;
  }

  void skip(int chars) {
    next += chars;
  }

  void expect(int wanted) {
    if (peek() != wanted) {
      throw error("no '" + Character.toString(wanted) + "' where one was expected");
    }
    next++;
  }

  /** The text up to a closing character, which is consumed. */
  String readUntil(char end) {
    int at = pattern.indexOf(end, next);
    if (at < 0) {
      throw error("no '" + end + "' where one was expected");
    }
    String inside = pattern.substring(next, at);
    next = at + 1;
    return inside;
  }

  TextException error(String problem) {
    return new TextException(
        "the tokenizer's pattern has "
            + problem
            + " at character "
            + next
            + ", which weft cannot match: "
            + (pattern.length() > 200 ? pattern.substring(0, 200) + "…" : pattern));
  }
}
