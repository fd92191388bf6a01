package weft.text.jinja;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The capitals of the characters that have several, such as the sharp s. */
final class Capitals {
  /** All of them are letters or ligatures of the basic plane. */
  private static final Map<Integer, String> LONGER = longer();

  private static final BitSet MEMBERS = members();

  private Capitals() {}

  static boolean isLonger(int c) {
    return c >= 0x80 && MEMBERS.get(c);
  }

  static String of(int c) {
    return LONGER.getOrDefault(c, "");
  }

  private static Map<Integer, String> longer() {
    var longer = new HashMap<Integer, String>();
    for (int c = 0x80; c <= Character.MAX_VALUE; c++) {
      if (Character.isLowerCase(c) || Character.isTitleCase(c)) {
        String upper = Character.toString(c).toUpperCase(Locale.ROOT);
        if (upper.length() > 1) {
          longer.put(c, upper);
        }
      }
    }
    return Map.copyOf(longer);
  }

  private static BitSet members() {
    var members = new BitSet();
    LONGER.keySet().forEach(members::set);
    return members;
  }
}
