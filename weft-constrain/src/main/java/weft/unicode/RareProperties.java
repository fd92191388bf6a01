package weft.unicode;

import java.lang.Character.UnicodeScript;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Scripts and the properties that are no general category. To find the members of one takes a walk
 * over all code points, so all are found in one walk, on first use: a pattern can spell hundreds.
 */
final class RareProperties {
  private static final Map<String, IntPredicate> PREDICATES =
      Map.of(
          "lower", Character::isLowerCase,
          "upper", Character::isUpperCase,
          "ideographic", Character::isIdeographic,
          "emoji", Character::isEmoji,
          "emojipresentation", Character::isEmojiPresentation,
          "emojimodifier", Character::isEmojiModifier,
          "emojimodifierbase", Character::isEmojiModifierBase,
          "emojicomponent", Character::isEmojiComponent,
          "extendedpictographic", Character::isExtendedPictographic);

  private RareProperties() {}

  /** The code points with a property, by its name in small letters without separators. */
  static Optional<CodePointSet> named(String key) {
    String name =
        switch (key) {
          case "lowercase" -> "lower";
          case "uppercase" -> "upper";
          default -> key;
        };
    return PREDICATES.containsKey(name)
        ? Optional.ofNullable(Binary.SETS.get(name))
        : Optional.empty();
  }

  /** The code points of a script, by any of Unicode's names for it. */
  static Optional<CodePointSet> script(String name) {
    try {
      var script = UnicodeScript.forName(name.replaceAll("[ -]", "_"));
      return Optional.of(Scripts.SETS.getOrDefault(script, CodePointSet.EMPTY));
    } catch (IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }

  private static final class Binary {
    static final Map<String, CodePointSet> SETS = sets();

    private static Map<String, CodePointSet> sets() {
      var sets = new LinkedHashMap<String, CodePointSet>();
      PREDICATES.forEach((name, predicate) -> sets.put(name, CodePointSet.where(predicate)));
      return Map.copyOf(sets);
    }
  }

  private static final class Scripts {
    static final Map<UnicodeScript, CodePointSet> SETS = sets();

    private static Map<UnicodeScript, CodePointSet> sets() {
      var builders = new EnumMap<UnicodeScript, CodePointSet.Builder>(UnicodeScript.class);
      for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
        builders
            .computeIfAbsent(UnicodeScript.of(c), script -> new CodePointSet.Builder())
            .add(c, c);
      }
      var sets = new EnumMap<UnicodeScript, CodePointSet>(UnicodeScript.class);
      builders.forEach((script, builder) -> sets.put(script, builder.build()));
      return sets;
    }
  }
}
