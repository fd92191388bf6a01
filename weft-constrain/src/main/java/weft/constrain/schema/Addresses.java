package weft.constrain.schema;

import weft.constrain.Regex;

/** Patterns of names and addresses of the net, by their RFCs. */
final class Addresses {
  private static final String BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

  static final String IPV4 = BYTE + "(?:\\." + BYTE + "){3}";

  private static final String H16 = "[0-9A-Fa-f]{1,4}";
  private static final String LS32 = "(?:" + H16 + ":" + H16 + "|" + IPV4 + ")";

  /** RFC 3986, section 3.2.2. */
  static final String IPV6 =
      ("(?:(?:%1$s:){6}%2$s|::(?:%1$s:){5}%2$s|(?:%1$s)?::(?:%1$s:){4}%2$s"
              + "|(?:(?:%1$s:){0,1}%1$s)?::(?:%1$s:){3}%2$s"
              + "|(?:(?:%1$s:){0,2}%1$s)?::(?:%1$s:){2}%2$s"
              + "|(?:(?:%1$s:){0,3}%1$s)?::%1$s:%2$s|(?:(?:%1$s:){0,4}%1$s)?::%2$s"
              + "|(?:(?:%1$s:){0,5}%1$s)?::%1$s|(?:(?:%1$s:){0,6}%1$s)?::)")
          .formatted(H16, LS32);

  /** What is not ASCII. */
  private static final String FOREIGN = range(0x80, Character.MAX_CODE_POINT);

  /** What IRIs may hold beyond URIs: RFC 3987, section 2.2. */
  static final String BEYOND_URI =
      range(0xA0, 0xD7FF)
          + range(0xF900, 0xFDCF)
          + range(0xFDF0, 0xFFEF)
          + range(0x10000, 0x1FFFD)
          + range(0x20000, 0x2FFFD)
          + range(0x30000, 0x3FFFD);

  private static final String LABEL = "[A-Za-z0-9%1$s](?:[A-Za-z0-9%1$s-]{0,61}[A-Za-z0-9%1$s])?";
  private static final String PERCENT = "%[0-9A-Fa-f]{2}";
  private static final int LONGEST_HOSTNAME = 253;

  private Addresses() {}

  private static String range(int from, int to) {
    return Character.toString(from) + "-" + Character.toString(to);
  }

  /**
   * RFC 1123's host names; none with Punycode, whose rules are more than an expression can tell.
   */
  static Regex hostname() {
    var punycode = Regex.parse("..--[^]*");
    var label = Regex.parse(LABEL.formatted("")).except(punycode);
    var labels = Regex.sequence(label, Regex.sequence(Regex.text("."), label).many());
    return Regex.allOf(labels, Regex.ANY_CHARACTER.repeat(1, LONGEST_HOSTNAME));
  }

  /** RFC 5321's mailboxes. */
  static Regex email() {
    return Regex.parse(email(""));
  }

  /** RFC 6531's mailboxes. */
  static Regex foreignEmail() {
    return Regex.parse(email(FOREIGN));
  }

  private static String email(String more) {
    var atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~" + more + "-]+";
    var quoted = "\"(?:[ !#-\\[\\]-~" + more + "]|\\\\[ -~])*\"";
    var label = LABEL.formatted(more);
    var domain = label + "(?:\\." + label + ")*|\\[" + IPV4 + "\\]|\\[IPv6:" + IPV6 + "\\]";
    return "(?:" + atom + "(?:\\." + atom + ")*|" + quoted + ")@(?:" + domain + ")";
  }

  /** RFC 3986's URI, of its characters and some more. */
  static String absolute(String more) {
    var character = character(more);
    return "[A-Za-z][A-Za-z0-9+.-]*:(?:"
        + rooted(more)
        + "|"
        + character
        + "+(?:/"
        + character
        + "*)*|)"
        + tail(more);
  }

  /** RFC 3986's reference to a URI. */
  static String reference(String more) {
    var noColon = "(?:[A-Za-z0-9._~!$&'()*+,;=@" + more + "-]|" + PERCENT + ")+";
    var path = noColon + "(?:/" + character(more) + "*)*";
    return absolute(more) + "|(?:" + rooted(more) + "|" + path + "|)" + tail(more);
  }

  private static String rooted(String more) {
    var character = character(more);
    var name = "(?:[A-Za-z0-9._~!$&'()*+,;=" + more + "-]|" + PERCENT + ")*";
    var user = "(?:[A-Za-z0-9._~!$&'()*+,;=:" + more + "-]|" + PERCENT + ")*";
    var literal = "\\[(?:" + IPV6 + "|[vV][0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\\]";
    var authority = "(?:" + user + "@)?(?:" + literal + "|" + name + ")(?::[0-9]*)?";
    var segments = "(?:/" + character + "*)*";
    return "//" + authority + segments + "|/(?:" + character + "+" + segments + ")?";
  }

  private static String tail(String more) {
    var within = "(?:" + character(more) + "|[/?])*";
    return "(?:\\?" + within + ")?(?:#" + within + ")?";
  }

  private static String character(String more) {
    return "(?:[A-Za-z0-9._~!$&'()*+,;=:@" + more + "-]|" + PERCENT + ")";
  }

  /** RFC 6570's templates of URIs. */
  static String template() {
    var variable = "(?:[A-Za-z0-9_]|" + PERCENT + ")";
    var name = variable + "(?:\\.?" + variable + ")*(?::[1-9][0-9]{0,3}|\\*)?";
    var expression = "\\{[+#./;?&=,!@|]?" + name + "(?:," + name + ")*\\}";
    var literal = "[!#$&-;=?-\\[\\]_a-z~" + BEYOND_URI + range(0xE000, 0xF8FF) + "]";
    return "(?:" + literal + "|" + PERCENT + "|" + expression + ")*";
  }
}
