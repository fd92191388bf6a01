package weft.cli;

import java.util.Locale;
import java.util.regex.Pattern;
import weft.experts.ExpertBudget;

/** Sizes of memory as users write them: a number of bytes, or of KiB, MiB, GiB or TiB. */
final class Sizes {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,19})([kmgt]?)(i?b)?");
  private static final Pattern A_LAYER = Pattern.compile("([0-9]{1,9})/layer");
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

  /** Memory for experts: a size, or a number of them for each layer. */
  static ExpertBudget experts(String option, String value) {
    var parts = A_LAYER.matcher(value.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      if (SIZE.matcher(value.toLowerCase(Locale.ROOT)).matches()) {
        return new ExpertBudget.Bytes(bytes(option, value));
      }
      throw new UsageException(
          option
              + " takes a size, such as 4G, or experts a layer, such as 64/layer, got '"
              + value
              + "'");
    }
    int count = Integer.parseInt(parts.group(1));
    Ranges.require(option, count, 1, ExpertBudget.ALayer.MOST);
    return new ExpertBudget.ALayer(count);
  }

  private static UsageException refused(String option, String value) {
    return new UsageException(
        option + " takes a size of at least 1 byte, such as 512M or 2G, got '" + value + "'");
  }
}
