package weft.cli;

import java.util.Locale;
import java.util.regex.Pattern;

/** Sizes of memory as users write them: a number of bytes, or of KiB, MiB, GiB or TiB. */
final class Sizes {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,19})([kmgt]?)(i?b)?");
  private static final String UNITS = "kmgt";

  private Sizes() {}

  static long bytes(String option, String value) {
    var parts = SIZE.matcher(value.toLowerCase(Locale.ROOT));
    if (!parts.matches()) throw refused(option, value);
    try {
      long number = Long.parseLong(parts.group(1));
      int shift = parts.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(parts.group(2)) + 1);
      long bytes = Math.multiplyExact(number, 1L << shift);
      if (bytes < 1) throw refused(option, value);
      return bytes;
    } catch (ArithmeticException | NumberFormatException e) {
      throw refused(option, value);
    }
  }

  private static UsageException refused(String option, String value) {
    return new UsageException(
        option + " takes a size of at least 1 byte, such as 512M or 2G, got '" + value + "'");
  }
}
