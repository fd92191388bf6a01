package weft.text.jinja;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.Locale;

/**
 * C's {@code strftime} in the C locale for a time without a zone, as {@code strftime_now} uses it.
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
      char flag = format.charAt(++i);
      boolean flagged = "-_0^#".indexOf(flag) >= 0 && i + 1 < format.length();
      char code = flagged ? format.charAt(++i) : flag;
      String shown = directive(code);
      out.append(flagged ? flagged(shown, flag, code) : shown);
    }
    return out.toString();
  }

  /** The GNU flags: no padding, padding with spaces or zeros, upper case, swapped case. */
  private static String flagged(String shown, char flag, char code) {
    String bare = shown;
    while (bare.length() > 1
        && (bare.charAt(0) == '0' || bare.charAt(0) == ' ')
        && Character.isDigit(bare.charAt(1))) {
      bare = bare.substring(1);
    }
    return switch (flag) {
      case '-' -> bare;
      case '_' -> " ".repeat(shown.length() - bare.length()) + bare;
      case '0' -> "0".repeat(shown.length() - bare.length()) + bare;
      case '^' -> shown.toUpperCase(Locale.ROOT);
      default -> code == 'p' ? shown.toLowerCase(Locale.ROOT) : shown.toUpperCase(Locale.ROOT);
    };
  }

  private String directive(char code) {
    return switch (code) {
      case 'a' -> name(time.getDayOfWeek()).substring(0, 3);
      case 'A' -> name(time.getDayOfWeek());
      case 'b', 'h' -> name(time.getMonth()).substring(0, 3);
      case 'B' -> name(time.getMonth());
      case 'c' -> expand("%a %b %e %H:%M:%S %Y");
      case 'C' -> padded(time.getYear() / 100, 2);
      case 'd' -> padded(time.getDayOfMonth(), 2);
      case 'D', 'x' -> expand("%m/%d/%y");
      case 'e' -> padded(time.getDayOfMonth(), 2, " ");
      case 'f' -> padded(time.getNano() / 1000, 6);
      case 'F' -> expand("%Y-%m-%d");
      case 'g' -> padded(time.get(IsoFields.WEEK_BASED_YEAR) % 100, 2);
      case 'G' -> Integer.toString(time.get(IsoFields.WEEK_BASED_YEAR));
      case 'H' -> padded(time.getHour(), 2);
      case 'I' -> padded(hourOfHalfDay(), 2);
      case 'j' -> padded(time.getDayOfYear(), 3);
      case 'k' -> padded(time.getHour(), 2, " ");
      case 'l' -> padded(hourOfHalfDay(), 2, " ");
      case 'm' -> padded(time.getMonthValue(), 2);
      case 'M' -> padded(time.getMinute(), 2);
      case 'n' -> "\n";
      case 'p' -> time.getHour() < 12 ? "AM" : "PM";
      case 'P' -> time.getHour() < 12 ? "am" : "pm";
      case 'r' -> expand("%I:%M:%S %p");
      case 'R' -> expand("%H:%M");
      case 's' ->
          Long.toString(ChronoUnit.SECONDS.between(LocalDateTime.of(1970, 1, 1, 0, 0), time));
      case 'S' -> padded(time.getSecond(), 2);
      case 't' -> "\t";
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
      default -> "%" + code;
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
