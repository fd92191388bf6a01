package weft.text.tokenizer;

import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import weft.text.regex.Effort;
import weft.unicode.UnicodeProperty;

/** Rewrites text before it is cut into pieces. */
sealed interface Normalizer {
  Normalizer NONE = new Chain(List.of());

  String normalize(String text, Effort effort);

  /** Several normalizers, one after the other. */
  record Chain(List<Normalizer> steps) implements Normalizer {
    @Override
    public String normalize(String text, Effort effort) {
      String result = text;
      for (Normalizer step : steps) {
        effort.pay(result.length());
        result = step.normalize(result, effort);
        Growth.check(text.length(), result.length());
      }
      return result;
    }
  }

  /** One of Unicode's four normalization forms. */
  record Unicode(java.text.Normalizer.Form form) implements Normalizer {
    /**
     * Below the first combining mark nothing composes, and only the compatibility forms change
     * anything.
     */
    private static final char FIRST_MARK = 0x300;

    @Override
    public String normalize(String text, Effort effort) {
      int limit = form == java.text.Normalizer.Form.NFC ? FIRST_MARK : 0x80;
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) >= limit) {
          return java.text.Normalizer.normalize(MarkRuns.sort(text, form), form);
        }
      }
      return text;
    }
  }

  /** Replaces what a finder finds. */
  record Replace(Finder finder, String replacement) implements Normalizer {
    @Override
    public String normalize(String text, Effort effort) {
      return finder.replaceAll(text, replacement, effort);
    }
  }

  /** Puts something in front of any text that is not empty. */
  record Prepend(String prefix) implements Normalizer {
    @Override
    public String normalize(String text, Effort effort) {
      if (text.isEmpty()) {
        return text;
      }
      Growth.check(text.length(), text.length() + prefix.length());
      return prefix + text;
    }
  }

  /** Lower case, each character by itself. */
  record Lowercase() implements Normalizer {
    private static final int CAPITAL_I_WITH_DOT = 0x130;

    @Override
    public String normalize(String text, Effort effort) {
      var lower = new StringBuilder(text.length());
      text.codePoints()
          .forEach(
              c -> {
                if (c == CAPITAL_I_WITH_DOT) {
                  lower.append(Character.toString(c).toLowerCase(Locale.ROOT));
                } else {
                  lower.appendCodePoint(Character.toLowerCase(c));
                }
              });
      return lower.toString();
    }
  }

  /** Takes white space off one or both ends. */
  record Strip(Ends ends) implements Normalizer {
    /** The ends to strip. */
    enum Ends {
      LEFT,
      RIGHT,
      BOTH
    }

    @Override
    public String normalize(String text, Effort effort) {
      int start = 0;
      int end = text.length();
      if (ends != Ends.RIGHT) {
        while (start < end && UnicodeProperty.SPACE.contains(text.charAt(start))) {
          start++;
        }
      }
      if (ends != Ends.LEFT) {
        while (end > start && UnicodeProperty.SPACE.contains(text.charAt(end - 1))) {
          end--;
        }
      }
      return text.substring(start, end);
    }
  }

  /** Removes combining marks. */
  record StripAccents() implements Normalizer {
    @Override
    public String normalize(String text, Effort effort) {
      return mapped(text, c -> UnicodeProperty.MARK.contains(c) ? REMOVED : c);
    }
  }

  /**
   * The cleaning that neural machine translation models do: no control characters, one kind of
   * space.
   */
  record Nmt() implements Normalizer {
    @Override
    public String normalize(String text, Effort effort) {
      return mapped(text, Nmt::clean);
    }

    private static int clean(int c) {
      return switch (c) {
        case '\t', '\n', '\f', '\r', 0x1680, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD -> ' ';
        case 0x200B, 0x200C, 0x200D, 0x200E, 0x200F -> ' ';
        case 0x0B, 0x7F, 0x8F, 0x9F -> REMOVED;
        default -> (c >= 0x01 && c <= 0x08) || (c >= 0x0E && c <= 0x1F) ? REMOVED : c;
      };
    }
  }

  /** Writes the text's bytes in the {@link ByteAlphabet}. */
  record ByteLevel() implements Normalizer {
    @Override
    public String normalize(String text, Effort effort) {
      return ByteAlphabet.write(text);
    }
  }

  /** SentencePiece's compiled rules. */
  record Compiled(CharsMap map) implements Normalizer {
    @Override
    public String normalize(String text, Effort effort) {
      return map.apply(text);
    }
  }

  int REMOVED = -1;

  private static String mapped(String text, IntUnaryOperator mapping) {
    return text.codePoints()
        .map(mapping)
        .filter(c -> c != REMOVED)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
