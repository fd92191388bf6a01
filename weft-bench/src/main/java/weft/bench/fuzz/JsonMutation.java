package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes of a JSON text that mostly leave it JSON: its values and members, moved and exchanged.
 */
record JsonMutation(TextMutation words) {
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "1",
          "-1",
          "0.5",
          "1e308",
          "1e999",
          "-0.0",
          "\"\"",
          "\"a\"",
          "[]",
          "{}",
          "[[]]",
          "[{}]",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "9223372036854775808");

  /** A value's place, with its name before it where it is a member. */
  private record Part(int member, int start, int end) {}

  byte[] mutate(byte[] input, byte[] other, Draw draw) {
    if (draw.oneIn(25)) return ByteMutation.mutate(input, other, draw);
    var text = new String(input, StandardCharsets.UTF_8);
    var more = new String(other, StandardCharsets.UTF_8);
    for (int i = draw.small(4); i >= 0; i--) text = changed(text, more, draw);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  String changed(String text, String other, Draw draw) {
    var parts = parts(text);
    if (parts.isEmpty()) return words.changed(text, other, draw);
    var part = draw.of(parts);
    var value = text.substring(part.start, part.end);
    return switch (draw.below(12)) {
      case 0, 1 -> with(text, part.start, part.end, draw.of(VALUES));
      case 2 -> with(text, part.start, part.end, Long.toString(draw.edge()));
      case 3 -> with(text, part.start, part.end, value(other, draw));
      case 4 -> with(text, part.start, part.end, value(text, draw));
      case 5 -> without(text, part);
      case 6 -> with(text, part.end, part.end, "," + text.substring(part.member, part.end));
      case 7 -> with(text, part.start, part.end, "[" + value + "," + value(other, draw) + "]");
      case 8 -> with(text, part.start, part.end, "\"" + draw.of(words.dictionary()) + "\"");
      case 9, 10 -> inner(text, part, other, draw);
      default -> draw.oneIn(3) ? words.changed(text, other, draw) : renamed(text, part, draw);
    };
  }

  /** A member under another name. */
  private String renamed(String text, Part part, Draw draw) {
    if (part.member == part.start) return with(text, part.start, part.end, draw.of(VALUES));
    int end = stringEnd(text, part.member);
    return with(text, part.member, end, "\"" + draw.of(words.dictionary()) + "\"");
  }

  /** Another text or number of the same kind. */
  private String inner(String text, Part part, String other, Draw draw) {
    char first = text.charAt(part.start);
    if (first == '"' && part.end - part.start > 2) {
      var inside = words.changed(text.substring(part.start + 1, part.end - 1), other, draw);
      return with(text, part.start + 1, part.end - 1, draw.oneIn(8) ? inside : escaped(inside));
    }
    if (first == '-' || Character.isDigit(first)) {
      try {
        long old = Long.parseLong(text, part.start, part.end, 10);
        return with(text, part.start, part.end, Long.toString(draw.instead(old)));
      } catch (NumberFormatException _) {
        return with(text, part.start, part.end, Long.toString(draw.edge()));
      }
    }
    return words.changed(text, other, draw);
  }

  /** The inside of a string such that it stays one; what was escaped before stays as it is. */
  private static String escaped(String inside) {
    var out = new StringBuilder();
    for (int i = 0; i < inside.length(); i++) {
      char c = inside.charAt(i);
      if (c == '\\'
          && i + 1 < inside.length()
          && "\"\\/bfnrtu".indexOf(inside.charAt(i + 1)) >= 0) {
        out.append(c).append(inside.charAt(++i));
      } else if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static String value(String text, Draw draw) {
    var parts = parts(text);
    if (parts.isEmpty()) return draw.of(VALUES);
    var part = draw.of(parts);
    return text.substring(part.start, part.end);
  }

  private static String without(String text, Part part) {
    int from = part.member;
    int to = part.end;
    if (to < text.length() && text.charAt(to) == ',') to++;
    else if (from > 0 && text.charAt(from - 1) == ',') from--;
    return with(text, from, to, "");
  }

  private static String with(String text, int from, int to, String part) {
    return text.substring(0, from) + part + text.substring(to);
  }

  /** All values, as far as the text is JSON. */
  private static List<Part> parts(String text) {
    var parts = new ArrayList<Part>();
    var open = new ArrayList<Integer>();
    int member = -1;
    for (int at = 0; at < text.length(); ) {
      char c = text.charAt(at);
      int start = member >= 0 ? member : at;
      switch (c) {
        case '{', '[' -> {
          open.add(start);
          open.add(at++);
          member = -1;
        }
        case '}', ']' -> {
          at++;
          if (open.size() > 1) {
            int from = open.removeLast();
            parts.add(new Part(open.removeLast(), from, at));
          }
          member = -1;
        }
        case '"' -> {
          int end = stringEnd(text, at);
          if (isName(text, end)) {
            member = at;
          } else {
            parts.add(new Part(start, at, end));
            member = -1;
          }
          at = end;
        }
        case ',', ':', ' ', '\n', '\t', '\r' -> at++;
        default -> {
          int end = at;
          while (end < text.length() && ",:{}[]\" \n\t\r".indexOf(text.charAt(end)) < 0) end++;
          parts.add(new Part(start, at, end));
          member = -1;
          at = end;
        }
      }
    }
    return parts;
  }

  private static int stringEnd(String text, int at) {
    int end = at + 1;
    while (end < text.length() && text.charAt(end) != '"') end += text.charAt(end) == '\\' ? 2 : 1;
    return Math.min(end + 1, text.length());
  }

  private static boolean isName(String text, int end) {
    int at = end;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    return at < text.length() && text.charAt(at) == ':';
  }
}
