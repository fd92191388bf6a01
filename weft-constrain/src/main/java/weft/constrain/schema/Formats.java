package weft.constrain.schema;

import java.util.Map;
import java.util.Set;
import weft.constrain.Regex;

/**
 * The formats of texts that can be kept, by the RFCs that JSON Schema names for them. One that JSON
 * Schema does not know says nothing, as it has it.
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
  private static final String DURATION =
      "P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)(?:T%1$s)?|T%1$s)"
          .formatted("(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)");
  private static final String POINTER = "(?:/(?:[^/~]|~[01])*)*";
  private static final String UUID =
      "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}";

  private static final Map<String, Texts> TEXTS =
      Map.ofEntries(
          format("date", DATE),
          format("time", TIME),
          format("date-time", DATE + "[tT]" + TIME),
          format("duration", DURATION),
          format("email", Addresses.email()),
          format("idn-email", Addresses.foreignEmail()),
          format("hostname", Addresses.hostname()),
          format("ipv4", Addresses.IPV4),
          format("ipv6", Addresses.IPV6),
          format("uri", Addresses.absolute("")),
          format("uri-reference", Addresses.reference("")),
          format("iri", Addresses.absolute(Addresses.BEYOND_URI)),
          format("iri-reference", Addresses.reference(Addresses.BEYOND_URI)),
          format("uri-template", Addresses.template()),
          format("uuid", UUID),
          format("json-pointer", POINTER),
          format("relative-json-pointer", "(?:0|[1-9][0-9]*)(?:#|" + POINTER + ")"));

  /** Formats whose rules no expression can tell. */
  private static final Set<String> UNKEPT = Set.of("regex", "idn-hostname");

  private Formats() {}

  private static Map.Entry<String, Texts> format(String name, String pattern) {
    return format(name, Regex.parse(pattern));
  }

  private static Map.Entry<String, Texts> format(String name, Regex regex) {
    return Map.entry(name, Texts.matching(regex));
  }

  /** The texts of a format; all where it is not known. */
  static Texts of(String name) {
    if (UNKEPT.contains(name)) {
      throw new Unplaced(
          "the format "
              + name
              + " cannot be kept; leave it out, or say with a pattern what is meant");
    }
    return TEXTS.getOrDefault(name, Texts.ALL);
  }
}
