package weft.constrain;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A pattern as it was written, with what depends on the text around: anchors, borders of words and
 * looks ahead. Each of them says something of all that follows, so a pattern becomes a {@link
 * Regex} from its end to its beginning: what follows is an expression already, and is intersected.
 */
final class EcmaPattern {
  /** How many parts may look around themselves, or have one within that does. */
  private static final int MOST_ASSERTIONS = 500;

  /** How often a part that looks around itself is written out. */
  private static final int MOST_COPIES = 8;

  /** What stands before a place, as far as an assertion there can tell. */
  private enum Before {
    START,
    WORD,
    OTHER
  }

  sealed interface Node {
    record Plain(Regex regex) implements Node {}

    record Sequence(List<Node> parts) implements Node {}

    record Choice(List<Node> parts) implements Node {}

    record Repeat(Node part, int least, int greatest) implements Node {}

    /** {@code ^}. */
    record Start() implements Node {}

    /** {@code $}. */
    record End() implements Node {}

    /** {@code \b}, or {@code \B}. */
    record Border(boolean isThere) implements Node {}

    /** {@code (?=…)}, or {@code (?!…)}. */
    record Ahead(Node part, boolean isThere) implements Node {}
  }

  private static final Regex WORD = Regex.characters(EcmaClasses.WORD);
  private static final Function<Before, Regex> ANYTHING = _ -> Regex.ANY_TEXT;
  private static final Regex NO_WORD = Regex.characters(EcmaClasses.WORD.complement());

  private final String pattern;
  private final Node root;
  private final boolean hasBorders;
  private final Map<Regex, Boolean> nullable = new IdentityHashMap<>();

  /**
   * What was made of nodes before what follows them: else each would be made for each way there.
   */
  private final Map<Node, Map<Function<Before, Regex>, Function<Before, Regex>>> followed =
      new IdentityHashMap<>();

  private final Map<Node, Map<Function<Before, Regex>, Function<Before, Regex>>> copies =
      new IdentityHashMap<>();

  private EcmaPattern(String pattern, Node root) {
    this.pattern = pattern;
    this.root = root;
    this.hasBorders = hasBorders(root);
    if (assertions(root) > MOST_ASSERTIONS) {
      throw refused("more than " + MOST_ASSERTIONS + " parts with anchors, \\b or looks ahead");
    }
  }

  static EcmaPattern parse(String pattern) {
    return new EcmaPattern(pattern, new EcmaParser(pattern).parse());
  }

  /** The texts that it matches from the first character to the last. */
  Regex whole() {
    return language(root, Before.START, _ -> Regex.EMPTY);
  }

  /** The texts that it matches anywhere in. */
  Regex anywhere() {
    var search = new Node.Sequence(List.of(new Node.Plain(Regex.ANY_TEXT), root));
    return language(search, Before.START, ANYTHING);
  }

  /** What a node and all behind it match, at a place. */
  private Regex language(Node node, Before before, Function<Before, Regex> rest) {
    return switch (node) {
      case Node.Plain(var regex) -> plain(regex, before, rest);
      case Node.Sequence(var parts) -> sequence(parts, before, rest);
      case Node.Choice(var parts) -> {
        var languages = new ArrayList<Regex>();
        for (var part : parts) languages.add(language(part, before, rest));
        yield Regexes.anyOf(languages);
      }
      case Node.Repeat repeat -> {
        if (repeat.greatest > MOST_COPIES) {
          throw refused(
              "an anchor, \\b or a look ahead within a part that repeats more than "
                  + MOST_COPIES
                  + " times");
        }
        yield copies(repeat, rest).apply(before);
      }
      case Node.Start() -> before == Before.START ? rest.apply(before) : Regex.NOTHING;
      case Node.End() -> isNullable(rest.apply(before)) ? Regex.EMPTY : Regex.NOTHING;
      case Node.Border(boolean isThere) -> {
        var wanted = (before == Before.WORD) == isThere ? NO_WORD : WORD;
        var next = Regex.sequence(wanted, Regex.ANY_TEXT);
        yield Regexes.allOf(rest.apply(before), wanted == WORD ? next : next.optional());
      }
      case Node.Ahead(var part, boolean isThere) -> {
        var ahead = language(part, before, ANYTHING);
        yield Regexes.allOf(rest.apply(before), isThere ? ahead : ahead.not());
      }
    };
  }

  private Regex sequence(List<Node> parts, Before before, Function<Before, Regex> rest) {
    if (parts.isEmpty()) return rest.apply(before);
    var behind = rest;
    for (var part : parts.subList(1, parts.size()).reversed()) behind = followed(part, behind);
    return language(parts.getFirst(), before, behind);
  }

  /** What a node and all behind it match; the same for the same, however often it is met. */
  private Function<Before, Regex> followed(Node node, Function<Before, Regex> rest) {
    return of(followed, node, rest, () -> once(before -> language(node, before, rest)));
  }

  /** The copies of a part that repeats, from the last to the first. */
  private Function<Before, Regex> copies(Node.Repeat node, Function<Before, Regex> rest) {
    return of(
        copies,
        node,
        rest,
        () -> {
          var behind = rest;
          for (int left = 1; left <= node.greatest; left++) {
            var next = behind;
            boolean isNeeded = node.greatest - left < node.least;
            behind =
                once(
                    before -> {
                      var more = language(node.part, before, next);
                      return isNeeded ? more : Regexes.anyOf(List.of(rest.apply(before), more));
                    });
          }
          return behind;
        });
  }

  private static Function<Before, Regex> of(
      Map<Node, Map<Function<Before, Regex>, Function<Before, Regex>>> known,
      Node node,
      Function<Before, Regex> rest,
      Supplier<Function<Before, Regex>> make) {
    var ofNode = known.computeIfAbsent(node, _ -> new IdentityHashMap<>());
    var before = ofNode.get(rest);
    if (before != null) return before;
    var made = make.get();
    ofNode.put(rest, made);
    return made;
  }

  /** What follows may look back at how the text before it ended; the empty text changes nothing. */
  private Regex plain(Regex regex, Before before, Function<Before, Regex> rest) {
    if (regex.equals(Regex.EMPTY)) return rest.apply(before);
    boolean isNullable = isNullable(regex);
    var ways = new ArrayList<Regex>();
    if (hasBorders) {
      for (var end : List.of(Before.WORD, Before.OTHER)) {
        var last = Regex.sequence(Regex.ANY_TEXT, end == Before.WORD ? WORD : NO_WORD);
        ways.add(Regexes.sequence(Regexes.allOf(regex, last), rest.apply(end)));
      }
    } else {
      var after = rest.apply(Before.OTHER);
      boolean isSame = !isNullable || before == Before.OTHER || after == rest.apply(before);
      if (isSame) return Regexes.sequence(regex, after);
      ways.add(Regexes.sequence(Regexes.nonEmpty(regex), after));
    }
    if (isNullable) ways.add(rest.apply(before));
    return Regexes.anyOf(ways);
  }

  /** What follows is made once for each way to come there, or every part would double it. */
  private static Function<Before, Regex> once(Function<Before, Regex> rest) {
    var made = new EnumMap<Before, Regex>(Before.class);
    return before -> {
      if (!made.containsKey(before)) made.put(before, rest.apply(before));
      return made.get(before);
    };
  }

  private boolean isNullable(Regex regex) {
    return Regexes.isNullable(regex, nullable);
  }

  private static int assertions(Node node) {
    return switch (node) {
      case Node.Plain _ -> 0;
      case Node.Start _, Node.End _, Node.Border _ -> 1;
      case Node.Sequence(var parts) -> parts.stream().mapToInt(EcmaPattern::assertions).sum() + 1;
      case Node.Choice(var parts) -> parts.stream().mapToInt(EcmaPattern::assertions).sum() + 1;
      case Node.Repeat(var part, _, int greatest) ->
          assertions(part) * Math.clamp(greatest, 1, MOST_COPIES) + 1;
      case Node.Ahead(var part, _) -> assertions(part) + 1;
    };
  }

  private static boolean hasBorders(Node node) {
    return switch (node) {
      case Node.Plain _, Node.Start _, Node.End _ -> false;
      case Node.Border _ -> true;
      case Node.Sequence(var parts) -> parts.stream().anyMatch(EcmaPattern::hasBorders);
      case Node.Choice(var parts) -> parts.stream().anyMatch(EcmaPattern::hasBorders);
      case Node.Repeat(var part, _, _) -> hasBorders(part);
      case Node.Ahead(var part, _) -> hasBorders(part);
    };
  }

  private ConstrainException refused(String what) {
    return new ConstrainException(
        "the pattern " + Regexes.shown(pattern) + " has " + what + ", which is not supported");
  }
}
