package weft.constrain;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Expressions made of others, without what is plainly superfluous; and the empty text in them. None
 * compares whole expressions: they share parts, so that to walk one as a tree may never end.
 */
final class Regexes {
  private static final int LONGEST_SHOWN = 80;
  private static final Regex SOME_TEXT = Regex.ANY_CHARACTER.repeat(1, Regex.UNBOUNDED);

  private Regexes() {}

  /** A pattern as messages quote it. */
  static String shown(String pattern) {
    return pattern.length() <= LONGEST_SHOWN ? pattern : pattern.substring(0, LONGEST_SHOWN) + "…";
  }

  static Regex sequence(Regex first, Regex second) {
    if (isNothing(first) || isNothing(second)) return Regex.NOTHING;
    if (isEmpty(first)) return second;
    return isEmpty(second) ? first : Regex.sequence(first, second);
  }

  static Regex anyOf(List<Regex> parts) {
    var some = parts.stream().filter(part -> !isNothing(part)).toList();
    return some.size() == 1 ? some.getFirst() : new Regex.AnyOf(some);
  }

  static Regex allOf(Regex first, Regex second) {
    if (isNothing(first) || isNothing(second)) return Regex.NOTHING;
    if (first == Regex.ANY_TEXT) return second;
    return second == Regex.ANY_TEXT ? first : Regex.allOf(first, second);
  }

  private static boolean isNothing(Regex regex) {
    return regex instanceof Regex.AnyOf(var parts) && parts.isEmpty();
  }

  private static boolean isEmpty(Regex regex) {
    return regex instanceof Regex.Text(var text) && text.isEmpty();
  }

  /** What an expression matches but for the empty text. */
  static Regex nonEmpty(Regex regex) {
    return switch (regex) {
      case Regex.Repeat(Regex.Characters one, int least, int greatest) when greatest > 0 ->
          new Regex.Repeat(one, Math.max(1, least), greatest);
      default -> allOf(regex, SOME_TEXT);
    };
  }

  /** Whether the empty text is matched. */
  static boolean isNullable(Regex regex) {
    return isNullable(regex, new IdentityHashMap<>());
  }

  /** The same, with what is known already of its parts. */
  static boolean isNullable(Regex regex, Map<Regex, Boolean> known) {
    var before = known.get(regex);
    if (before != null) return before;
    boolean isNullable =
        switch (regex) {
          case Regex.Characters _ -> false;
          case Regex.Text(var text) -> text.isEmpty();
          case Regex.Sequence(var parts) -> parts.stream().allMatch(p -> isNullable(p, known));
          case Regex.AnyOf(var parts) -> parts.stream().anyMatch(p -> isNullable(p, known));
          case Regex.AllOf(var parts) -> parts.stream().allMatch(p -> isNullable(p, known));
          case Regex.Not(var part) -> !isNullable(part, known);
          case Regex.Repeat(var part, int least, int _) -> least == 0 || isNullable(part, known);
        };
    known.put(regex, isNullable);
    return isNullable;
  }
}
