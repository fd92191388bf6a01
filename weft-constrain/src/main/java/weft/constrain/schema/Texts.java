package weft.constrain.schema;

import java.util.LinkedHashSet;
import java.util.Set;
import weft.constrain.Regex;

/** A set of texts: values of type string, or keys. */
sealed interface Texts {
  Texts ALL = new Unlisted(Set.of());
  Texts NONE = new Listed(Set.of());

  /** These alone. */
  record Listed(Set<String> texts) implements Texts {}

  /** All but these. */
  record Unlisted(Set<String> texts) implements Texts {}

  /** All of a length in code points; {@link Regex#UNBOUNDED} for no end. */
  record Sized(int least, int greatest) implements Texts {}

  /**
   * Those whose spelling an expression matches, which matches nothing that is not a spelling. Equal
   * to itself alone: expressions share parts, so that to compare them might never end.
   */
  record Matching(Regex spelled) implements Texts {
    @Override
    public boolean equals(Object other) {
      return other instanceof Matching(Regex its) && its == spelled;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(spelled);
    }
  }

  static Texts sized(int least, int greatest) {
    if (greatest < least) return NONE;
    return least == 0 && greatest == Regex.UNBOUNDED ? ALL : new Sized(least, greatest);
  }

  /** The texts that an expression matches. */
  static Texts matching(Regex regex) {
    return new Matching(Spelling.of(regex));
  }

  /** The spellings, without quotes. */
  default Regex spelled() {
    return switch (this) {
      case Listed(Set<String> texts) -> Regex.anyText(texts.stream().map(Spelling::of).toList());
      case Unlisted(Set<String> texts) ->
          texts.isEmpty()
              ? Spelling.ANY_ONE.many()
              : Spelling.TEXT.except(new Listed(texts).spelled());
      case Sized(int least, int greatest) -> Spelling.ANY_ONE.repeat(least, greatest);
      case Matching(Regex spelled) -> spelled;
    };
  }

  /** The spellings where each character has but one. */
  private Regex strict() {
    return switch (this) {
      case Sized(int least, int greatest) -> Spelling.ONE.repeat(least, greatest);
      case Unlisted(Set<String> texts) when texts.isEmpty() -> Spelling.TEXT;
      case Listed _, Unlisted _, Matching _ -> spelled();
    };
  }

  default boolean contains(String text, Walks walks) {
    return switch (this) {
      case Listed(Set<String> texts) -> texts.contains(text);
      case Unlisted(Set<String> texts) -> !texts.contains(text);
      case Sized(int least, int greatest) -> {
        int length = text.codePointCount(0, text.length());
        yield length >= least && length <= greatest;
      }
      case Matching(Regex spelled) -> walks.matches(spelled, Spelling.of(text));
    };
  }

  /** Whether there is surely no text in it. */
  default boolean isEmpty(Walks walks) {
    return switch (this) {
      case Listed(Set<String> texts) -> texts.isEmpty();
      case Unlisted _, Sized _ -> false;
      case Matching(Regex spelled) -> walks.isEmpty(spelled);
    };
  }

  default boolean isAll() {
    return equals(ALL);
  }

  default Texts and(Texts other, Walks walks) {
    if (isAll() || equals(other)) return other;
    if (other.isAll()) return this;
    if (this instanceof Listed(Set<String> texts)) {
      var kept = new LinkedHashSet<String>();
      for (var text : texts) if (other.contains(text, walks)) kept.add(text);
      return new Listed(kept);
    }
    if (other instanceof Listed) return other.and(this, walks);
    if (this instanceof Unlisted(Set<String> a) && other instanceof Unlisted(Set<String> b)) {
      var both = new LinkedHashSet<>(a);
      both.addAll(b);
      return new Unlisted(both);
    }
    if (this instanceof Sized(int a, int b) && other instanceof Sized(int c, int d)) {
      return sized(Math.max(a, c), Math.min(b, d));
    }
    return new Matching(Regex.allOf(strict(), other.strict()));
  }

  default Texts or(Texts other) {
    if (equals(other) || equals(NONE) || other.isAll()) return other;
    if (isAll() || other.equals(NONE)) return this;
    if (this instanceof Listed(Set<String> a) && other instanceof Listed(Set<String> b)) {
      var both = new LinkedHashSet<>(a);
      both.addAll(b);
      return new Listed(both);
    }
    if (this instanceof Unlisted(Set<String> a) && other instanceof Unlisted(Set<String> b)) {
      var both = new LinkedHashSet<>(a);
      both.retainAll(b);
      return new Unlisted(both);
    }
    return new Matching(Regex.anyOf(strict(), other.strict()));
  }

  default Texts not() {
    return switch (this) {
      case Listed(Set<String> texts) -> new Unlisted(texts);
      case Unlisted(Set<String> texts) -> new Listed(texts);
      case Sized _, Matching _ -> new Matching(Spelling.TEXT.except(strict()));
    };
  }
}
