package weft.cli;

import java.util.Locale;

/** Numbers as people read them. */
final class Units {
  private static final String[] COUNTS = {"", " K", " M", " B", " T"};
  private static final String[] BYTES = {" B", " KiB", " MiB", " GiB", " TiB"};

  private Units() {}

  /** 1234567 as 1.23 M. */
  static String count(long value) {
    return scaled(value, 1000, COUNTS);
  }

  /** 1234567 as 1.18 MiB. */
  static String bytes(long value) {
    return scaled(value, 1024, BYTES);
  }

  private static String scaled(double value, int base, String[] units) {
    int unit = 0;
    while (value >= base && unit < units.length - 1) {
      value /= base;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f%s" : "%.2f%s", value, units[unit]);
  }
}
