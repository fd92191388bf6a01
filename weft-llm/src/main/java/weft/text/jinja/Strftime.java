package weft.text.jinja;

import java.time.LocalDateTime;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * The directives that Python documents for {@code strftime} and C's D, e, F and T, in the C locale
 * and for a time without a zone, as {@code strftime_now} uses them.
 */
final class Strftime {
  private final LocalDateTime time;

  private Strftime(LocalDateTime time) {
    this.time = time;
  }

  static String format(LocalDateTime time, String format) {
    return new Strftime(time).expand(format);
  }

  private String expand(String format) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        out.append(c);
        continue;
      }
      boolean bare = format.startsWith("-", ++i) && i + 1 < format.length();
      String shown = directive(format.charAt(bare ? ++i : i));
      out.append(bare ? bare(shown) : shown);
    }
    return out.toString();
  }

  /** The flag of the GNU and BSD libraries that models use: no padding. */
  private static String bare(String shown) {
    int start = 0;
    while (start + 1 < shown.length()
        && shown.charAt(start) == '0'
        && Character.isDigit(shown.charAt(start + 1))) {
      start++;
    }
    return shown.substring(start);
  }

  private String directive(char code) {
    return switch (code) {
      case 'a' -> name(time.getDayOfWeek()).substring(0, 3);
      case 'A' -> name(time.getDayOfWeek());
      case 'b' -> name(time.getMonth()).substring(0, 3);
      case 'B' -> name(time.getMonth());
      case 'c' -> expand("%a %b %e %H:%M:%S %Y");
      case 'd' -> padded(time.getDayOfMonth(), 2);
      case 'D', 'x' -> expand("%m/%d/%y");
      case 'e' -> padded(time.getDayOfMonth(), 2, " ");
      case 'f' -> padded(time.getNano() / 1000, 6);
      case 'F' -> expand("%Y-%m-%d");
      case 'G' -> Integer.toString(time.get(IsoFields.WEEK_BASED_YEAR));
      case 'H' -> padded(time.getHour(), 2);
      case 'I' -> padded(hourOfHalfDay(), 2);
      case 'j' -> padded(time.getDayOfYear(), 3);
      case 'm' -> padded(time.getMonthValue(), 2);
      case 'M' -> padded(time.getMinute(), 2);
      case 'p' -> time.getHour() < 12 ? "AM" : "PM";
      case 'S' -> padded(time.getSecond(), 2);
      case 'T', 'X' -> expand("%H:%M:%S");
      case 'u' -> Integer.toString(time.getDayOfWeek().getValue());
      case 'U' -> padded((time.getDayOfYear() + 6 - time.getDayOfWeek().getValue() % 7) / 7, 2);
      case 'V' -> padded(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
      case 'w' -> Integer.toString(time.getDayOfWeek().getValue() % 7);
      case 'W' -> padded((time.getDayOfYear() + 7 - time.getDayOfWeek().getValue()) / 7, 2);
      case 'y' -> padded(time.getYear() % 100, 2);
      case 'Y' -> Integer.toString(time.getYear());
      // The time has no zone, so its name and offset are empty, as for a naive datetime.
      case 'z', 'Z' -> "";
      case '%' -> "%";
      default ->
          throw Failure.runtime(
              "strftime_now has no directive '%" + code + "'; it has those that Python documents");
    };
  }

  private static String name(Enum<?> constant) {
    return constant.name().charAt(0) + constant.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private int hourOfHalfDay() {
    return time.getHour() % 12 == 0 ? 12 : time.getHour() % 12;
  }

  private static String padded(int number, int width) {
    return padded(number, width, "0");
  }

  private static String padded(int number, int width, String with) {
    String digits = Integer.toString(number);
    return with.repeat(Math.max(0, width - digits.length())) + digits;
  }
}
