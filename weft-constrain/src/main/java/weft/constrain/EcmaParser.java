package weft.constrain;

import java.util.ArrayList;
import java.util.List;
import weft.constrain.EcmaPattern.Node;
import weft.unicode.CodePointSet;
import weft.unicode.UnicodeProperty;

/**
 * Reads patterns in the dialect of ECMA-262 with Unicode's characters, where engines agree: lazy
 * quantifiers match what greedy ones do, names of groups mean nothing. What asks for more than a
 * regular language, or means different things to different engines, is refused by name.
 */
final class EcmaParser {
  private static final int LONGEST_PATTERN = 100_000;
  private static final int DEEPEST_GROUP = 100;
  private static final int MOST_REPETITIONS = 1_000_000;
  private static final int END = -1;

  private final String pattern;
  private final int[] characters;
  private int at;
  private int depth;

  EcmaParser(String pattern) {
    if (pattern.length() > LONGEST_PATTERN) {
      throw new ConstrainException(
          "a pattern of " + pattern.length() + " characters; at most " + LONGEST_PATTERN + " do");
    }
    this.pattern = pattern;
    this.characters = pattern.codePoints().toArray();
  }

  Node parse() {
    var node = choice();
    if (at < characters.length) throw refused("a ) that closes nothing");
    return node;
  }

  private Node choice() {
    if (++depth > DEEPEST_GROUP) throw refused("groups nested deeper than " + DEEPEST_GROUP);
    var parts = new ArrayList<Node>();
    do {
      parts.add(sequence());
    } while (skip('|'));
    depth--;
    if (parts.size() == 1) return parts.getFirst();
    if (parts.stream().allMatch(Node.Plain.class::isInstance)) {
      return new Node.Plain(new Regex.AnyOf(plain(parts)));
    }
    return new Node.Choice(parts);
  }

  private Node sequence() {
    var parts = new ArrayList<Node>();
    while (at < characters.length && peek() != '|' && peek() != ')') {
      var part = repetition(atom());
      // Neighbours that look at nothing around them are one part.
      if (part instanceof Node.Plain(var second)
          && !parts.isEmpty()
          && parts.getLast() instanceof Node.Plain(var first)) {
        parts.set(parts.size() - 1, new Node.Plain(joined(first, second)));
      } else {
        parts.add(part);
      }
    }
    if (parts.isEmpty()) return new Node.Plain(Regex.EMPTY);
    return parts.size() == 1 ? parts.getFirst() : new Node.Sequence(parts);
  }

  /** One behind the other; literals become one. */
  static Regex joined(Regex first, Regex second) {
    if (first instanceof Regex.Text(var start) && second instanceof Regex.Text(var end)) {
      return Regex.text(start + end);
    }
    var parts = new ArrayList<Regex>();
    if (first instanceof Regex.Sequence(var several)) parts.addAll(several);
    else parts.add(first);
    if (parts.getLast() instanceof Regex.Text(var start) && second instanceof Regex.Text(var end)) {
      parts.set(parts.size() - 1, Regex.text(start + end));
    } else {
      parts.add(second);
    }
    return new Regex.Sequence(parts);
  }

  private static List<Regex> plain(List<Node> nodes) {
    return nodes.stream().map(node -> ((Node.Plain) node).regex()).toList();
  }

  private Node atom() {
    int c = read();
    return switch (c) {
      case '^' -> new Node.Start();
      case '$' -> new Node.End();
      case '.' -> one(EcmaClasses.DOT);
      case '[' -> one(set());
      case '(' -> group();
      case '\\' -> escape();
      case '*', '+', '?' -> throw refused("a " + Character.toString(c) + " with nothing to repeat");
      case '{' -> {
        at--;
        if (counts().length > 0) throw refused("a repetition with nothing to repeat");
        at++;
        yield text('{');
      }
      default -> text(c);
    };
  }

  private static Node text(int c) {
    return new Node.Plain(Regex.text(Character.toString(c)));
  }

  private static Node one(CodePointSet set) {
    return new Node.Plain(
        set.single() >= 0 ? Regex.text(Character.toString(set.single())) : Regex.characters(set));
  }

  private Node group() {
    Node node;
    if (!skip('?')) {
      node = choice();
    } else if (skip(':')) {
      node = choice();
    } else if (skip('=')) {
      node = new Node.Ahead(choice(), true);
    } else if (skip('!')) {
      node = new Node.Ahead(choice(), false);
    } else {
      skip('P');
      if (!skip('<')) throw refused("the group (?" + Character.toString(Math.max(peek(), ' ')));
      if (peek() == '=' || peek() == '!') throw refused("a look behind");
      while (read() != '>') {
        // The name of a group, which nothing can refer to.
      }
      node = choice();
    }
    if (!skip(')')) throw refused("a ( that is not closed");
    return node;
  }

  private Node repetition(Node atom) {
    int[] counts = counts();
    if (counts.length == 0) return atom;
    skip('?');
    if (peek() == '+') throw refused("a possessive quantifier");
    if (counts().length > 0) throw refused("a quantifier behind a quantifier");
    int least = counts[0];
    int greatest = counts[1];
    if (greatest < least) throw refused("a repetition from " + least + " to " + greatest);
    return switch (atom) {
      case Node.Plain(var regex) -> new Node.Plain(new Regex.Repeat(regex, least, greatest));
      // An assertion holds or not, however often it is asked.
      case Node.Start _, Node.End _, Node.Border _, Node.Ahead _ ->
          least == 0 ? new Node.Plain(Regex.EMPTY) : atom;
      case Node.Sequence _, Node.Choice _, Node.Repeat _ -> new Node.Repeat(atom, least, greatest);
    };
  }

  /** The least and greatest count of a quantifier; empty where there is none. */
  private int[] counts() {
    if (skip('*')) return new int[] {0, Regex.UNBOUNDED};
    if (skip('+')) return new int[] {1, Regex.UNBOUNDED};
    if (skip('?')) return new int[] {0, 1};
    int from = at;
    if (!skip('{')) return new int[0];
    int least = number();
    int greatest = least;
    if (least >= 0 && skip(',')) greatest = peek() == '}' ? Regex.UNBOUNDED : number();
    if (least >= 0 && greatest >= 0 && skip('}')) return new int[] {least, greatest};
    // A brace that counts nothing is a character.
    at = from;
    return new int[0];
  }

  private int number() {
    int from = at;
    long value = 0;
    while (peek() >= '0' && peek() <= '9') {
      value = value * 10 + read() - '0';
      if (value > MOST_REPETITIONS) {
        throw refused("a part that repeats more than " + MOST_REPETITIONS + " times");
      }
    }
    return at == from ? -1 : (int) value;
  }

  private CodePointSet set() {
    boolean isNegative = skip('^');
    var set = CodePointSet.EMPTY;
    while (!skip(']')) {
      var first = member();
      if (peek() != '-' || at + 1 >= characters.length || characters[at + 1] == ']') {
        set = set.union(first);
        continue;
      }
      at++;
      var last = member();
      if (first.single() < 0 || last.single() < 0) {
        set = set.union(first).union(last).union(CodePointSet.of('-'));
      } else if (last.single() < first.single()) {
        throw refused("a range of characters whose end lies before its start");
      } else {
        set = set.union(CodePointSet.range(first.single(), last.single()));
      }
    }
    return isNegative ? set.complement() : set;
  }

  private CodePointSet member() {
    int c = read();
    if (c != '\\') return CodePointSet.of(c);
    if (skip('b')) return CodePointSet.of('\b');
    return escaped();
  }

  private Node escape() {
    if (skip('b')) return new Node.Border(true);
    if (skip('B')) return new Node.Border(false);
    if (peek() >= '1' && peek() <= '9' || peek() == 'k') throw refused("a back reference");
    return one(escaped());
  }

  /** The set of an escape whose backslash has been read. */
  private CodePointSet escaped() {
    int c = read();
    return switch (c) {
      case 'd' -> EcmaClasses.DIGIT;
      case 'D' -> EcmaClasses.DIGIT.complement();
      case 'w' -> EcmaClasses.WORD;
      case 'W' -> EcmaClasses.WORD.complement();
      case 's' -> EcmaClasses.SPACE;
      case 'S' -> EcmaClasses.SPACE.complement();
      case 'p' -> property();
      case 'P' -> property().complement();
      case 't' -> CodePointSet.of('\t');
      case 'n' -> CodePointSet.of('\n');
      case 'v' -> CodePointSet.of(0x0B);
      case 'f' -> CodePointSet.of('\f');
      case 'r' -> CodePointSet.of('\r');
      case '0' -> CodePointSet.of(0);
      case 'c' -> {
        int letter = read();
        if (letter > 127 || !Character.isLetter(letter)) throw refused("a \\c without its letter");
        yield CodePointSet.of(letter % 32);
      }
      case 'x' -> CodePointSet.of(hexadecimal(2));
      case 'u' -> CodePointSet.of(unicode());
      default -> {
        if (c < 128 && Character.isLetterOrDigit(c)) {
          throw refused("the escape \\" + Character.toString(c));
        }
        yield CodePointSet.of(c);
      }
    };
  }

  private CodePointSet property() {
    if (!skip('{')) throw refused("a \\p without a name in braces");
    var name = new StringBuilder();
    while (peek() != '}') name.appendCodePoint(read());
    at++;
    String value = name.substring(name.indexOf("=") + 1);
    return UnicodeProperty.named(value)
        .orElseThrow(() -> refused("the property " + name + ", which is unknown,"));
  }

  private int unicode() {
    if (skip('{')) {
      int value = 0;
      while (!skip('}')) {
        value = value * 16 + digit();
        if (value > Character.MAX_CODE_POINT) throw refused("a character that Unicode has not");
      }
      return value;
    }
    int first = hexadecimal(4);
    boolean isPair =
        Character.isHighSurrogate((char) first)
            && at + 1 < characters.length
            && characters[at] == '\\'
            && characters[at + 1] == 'u';
    if (!isPair) return first;
    at += 2;
    return Character.toCodePoint((char) first, (char) hexadecimal(4));
  }

  private int hexadecimal(int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) value = value * 16 + digit();
    return value;
  }

  private int digit() {
    int digit = Character.digit(read(), 16);
    if (digit < 0) throw refused("the number of a character that is not hexadecimal");
    return digit;
  }

  private int peek() {
    return at < characters.length ? characters[at] : END;
  }

  private int read() {
    if (at == characters.length) throw refused("an end where more must come");
    return characters[at++];
  }

  private boolean skip(int c) {
    if (peek() != c) return false;
    at++;
    return true;
  }

  private ConstrainException refused(String what) {
    return new ConstrainException(
        "the pattern %s has %s near character %d, which is not supported"
            .formatted(Regexes.shown(pattern), what, at));
  }
}
