package weft.constrain.schema;

import java.util.Map;
import java.util.stream.Collectors;
import weft.constrain.Regex;

/**
 * The formats of texts that can be kept, by the RFCs that JSON Schema names for them. One that is
 * not known here says nothing, as JSON Schema has it.
 */
final class Formats {
  private static final String LEAP_YEAR =
      "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
  private static final String DATE =
      "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
          + "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|"
          + LEAP_YEAR
          + "-02-29)";
  private static final String OFFSET = "(?:[zZ]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";
  // A leap second is the last of a day in UTC; with other offsets it is not worth the states.
  private static final String TIME =
      "(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"
          + OFFSET
          + "|23:59:60(?:\\.[0-9]+)?(?:[zZ]|[+-]00:00))";
  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final String HOSTNAME = "(?=.{1,253}$)" + LABEL + "(?:\\." + LABEL + ")*";
  private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String IPV4 = BYTE + "(?:\\." + BYTE + "){3}";
  private static final String H16 = "[0-9A-Fa-f]{1,4}";
  private static final String LS32 = "(?:" + H16 + ":" + H16 + "|" + IPV4 + ")";
  private static final String IPV6 =
      "(?:(?:%1$s:){6}%2$s|::(?:%1$s:){5}%2$s|(?:%1$s)?::(?:%1$s:){4}%2$s".formatted(H16, LS32)
          + "|(?:(?:%1$s:){0,1}%1$s)?::(?:%1$s:){3}%2$s|(?:(?:%1$s:){0,2}%1$s)?::(?:%1$s:){2}%2$s"
              .formatted(H16, LS32)
          + "|(?:(?:%1$s:){0,3}%1$s)?::%1$s:%2$s|(?:(?:%1$s:){0,4}%1$s)?::%2$s".formatted(H16, LS32)
          + "|(?:(?:%1$s:){0,5}%1$s)?::%1$s|(?:(?:%1$s:){0,6}%1$s)?::)".formatted(H16);
  private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  private static final String EMAIL =
      "(?:"
          + ATOM
          + "(?:\\."
          + ATOM
          + ")*|\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\")"
          + "@(?:"
          + LABEL
          + "(?:\\."
          + LABEL
          + ")*|\\["
          + IPV4
          + "\\]|\\[IPv6:"
          + IPV6
          + "\\])";
  private static final String PERCENT = "%[0-9A-Fa-f]{2}";
  private static final String PCHAR = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|" + PERCENT + ")";
  private static final String TAIL = "(?:\\?(?:" + PCHAR + "|[/?])*)?(?:#(?:" + PCHAR + "|[/?])*)?";
  private static final String AUTHORITY =
      "(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|"
          + PERCENT
          + ")*@)?"
          + "(?:\\[(?:"
          + IPV6
          + "|v[0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\\]"
          + "|(?:[A-Za-z0-9._~!$&'()*+,;=-]|"
          + PERCENT
          + ")*)(?::[0-9]*)?";
  private static final String SCHEME = "[A-Za-z][A-Za-z0-9+.-]*:";
  private static final String ROOTED =
      "(?://" + AUTHORITY + "(?:/" + PCHAR + "*)*|/(?:" + PCHAR + "+(?:/" + PCHAR + "*)*)?";
  private static final String URI =
      SCHEME + ROOTED + "|" + PCHAR + "+(?:/" + PCHAR + "*)*|)" + TAIL;
  private static final String SEGMENT_WITHOUT_COLON =
      "(?:[A-Za-z0-9._~!$&'()*+,;=@-]|" + PERCENT + ")+";
  private static final String URI_REFERENCE =
      "(?:"
          + URI
          + "|"
          + ROOTED
          + "|"
          + SEGMENT_WITHOUT_COLON
          + "(?:/"
          + PCHAR
          + "*)*|)"
          + TAIL
          + ")";
  private static final String DURATION =
      "P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)(?:T%1$s)?|T%1$s)"
          .formatted("(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)");
  private static final String POINTER = "(?:/(?:[^/~]|~[01])*)*";

  private static final Map<String, String> PATTERNS =
      Map.ofEntries(
          Map.entry("date", DATE),
          Map.entry("time", TIME),
          Map.entry("date-time", DATE + "[tT]" + TIME),
          Map.entry("duration", DURATION),
          Map.entry("email", EMAIL),
          Map.entry("hostname", HOSTNAME),
          Map.entry("ipv4", IPV4),
          Map.entry("ipv6", IPV6),
          Map.entry("uri", URI),
          Map.entry("uri-reference", URI_REFERENCE),
          Map.entry(
              "uuid",
              "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"),
          Map.entry("json-pointer", POINTER),
          Map.entry("relative-json-pointer", "(?:0|[1-9][0-9]*)(?:#|" + POINTER + ")"));

  private static final Map<String, Texts> TEXTS =
      PATTERNS.entrySet().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  Map.Entry::getKey, entry -> Texts.matching(Regex.parse(entry.getValue()))));

  private Formats() {}

  /** The texts of a format; all where it is not known. */
  static Texts of(String name) {
    return TEXTS.getOrDefault(name, Texts.ALL);
  }
}
