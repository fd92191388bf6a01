package weft.text.jinja;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.Str;
import weft.text.jinja.Value.Text;

/**
 * Python's {@code str.format} as the sandbox runs it: fields reach attributes by the template's own
 * rules.
 */
final class BraceFormat {
  /** Formats may nest in format specifications this deep. */
  private static final int MAX_NESTING = 2;

  private final Run run;
  private final boolean escaping;
  private final List<Value> positional;
  private final Dict named;
  private int automatic;
  private boolean manual;

  private BraceFormat(Run run, boolean escaping, List<Value> positional, Dict named) {
    this.run = run;
    this.escaping = escaping;
    this.positional = positional;
    this.named = named;
  }

  static Value format(Run run, Value self, Arguments arguments) {
    Dict named = new Dict(run);
    for (Map.Entry<String, Value> keyword : arguments.keywords().entrySet()) {
      named.put(keyword.getKey(), keyword.getValue());
    }
    return format(run, (Text) self, arguments.positional(), named);
  }

  static Value formatMap(Run run, Value self, Arguments arguments) {
    Value mapping = arguments.positionalOnly("format_map", "mapping").required(0);
    if (!(mapping instanceof Dict dict)) {
      throw Failure.runtime("format_map() needs a mapping, not " + mapping.typeName());
    }
    return format(run, (Text) self, List.of(), dict);
  }

  private static Value format(Run run, Text format, List<Value> positional, Dict named) {
    BraceFormat job = new BraceFormat(run, format instanceof Markup, positional, named);
    return format.like(job.expand(format.text(), MAX_NESTING));
  }

  private String expand(String format, int nesting) {
    if (nesting == 0) {
      throw Failure.runtime("Max string recursion exceeded");
    }
    TextBuilder out = new TextBuilder(run);
    int at = 0;
    while (at < format.length()) {
      char c = format.charAt(at);
      boolean doubled = at + 1 < format.length() && format.charAt(at + 1) == c;
      if (c == '{' && !doubled) {
        int end = fieldEnd(format, at + 1);
        out.append(field(format.substring(at + 1, end), nesting));
        at = end + 1;
      } else if (c == '{' || c == '}') {
        if (!doubled) {
          throw Failure.runtime("Single '}' encountered in format string");
        }
        out.append(format, at, at + 1);
        at += 2;
      } else {
        int next = at;
        while (next < format.length() && format.charAt(next) != '{' && format.charAt(next) != '}') {
          next++;
        }
        out.append(format, at, next);
        at = next;
      }
    }
    return out.toString();
  }

  private static int fieldEnd(String format, int from) {
    int open = 1;
    boolean inBrackets = false;
    for (int i = from; i < format.length(); i++) {
      switch (format.charAt(i)) {
        case '[' -> inBrackets = true;
        case ']' -> inBrackets = false;
        case '{' -> open += inBrackets ? 0 : 1;
        case '}' -> open -= inBrackets ? 0 : 1;
        default -> {}
      }
      if (open == 0) {
        return i;
      }
    }
    throw Failure.runtime(
        from == format.length()
            ? "Single '{' encountered in format string"
            : "expected '}' before end of string");
  }

  private String field(String field, int nesting) {
    int nameEnd = nameEnd(field);
    String name = field.substring(0, nameEnd);
    String rest = field.substring(nameEnd);
    char conversion = 's';
    boolean converted = rest.startsWith("!");
    if (converted) {
      if (rest.length() < 2 || rest.length() > 2 && rest.charAt(2) != ':') {
        throw Failure.runtime("expected ':' after conversion specifier");
      }
      conversion = rest.charAt(1);
      rest = rest.substring(2);
    }
    Value value = lookup(name);
    String spec = rest.isEmpty() ? "" : expand(rest.substring(1), nesting - 1);
    if (converted) {
      value = convert(value, conversion);
    }
    if (!escaping) {
      return FormatSpec.format(run, value, spec);
    }
    if (value instanceof Markup markup) {
      if (!spec.isEmpty()) {
        throw Failure.runtime("Unsupported format specification for Markup.");
      }
      return markup.text();
    }
    return Html.escape(run, FormatSpec.format(run, value, spec));
  }

  private static int nameEnd(String field) {
    boolean inBrackets = false;
    for (int i = 0; i < field.length(); i++) {
      switch (field.charAt(i)) {
        case '[' -> inBrackets = true;
        case ']' -> inBrackets = false;
        case '!', ':' -> {
          if (!inBrackets) {
            return i;
          }
        }
        default -> {}
      }
    }
    return field.length();
  }

  private Value convert(Value value, char conversion) {
    return switch (conversion) {
      case 's' -> new Str(Printer.str(run, value));
      case 'r' -> new Str(Printer.repr(run, value));
      case 'a' -> new Str(ascii(run, Printer.repr(run, value)));
      default -> throw Failure.runtime("Unknown conversion specifier '" + conversion + "'");
    };
  }

  /** The text with everything beyond ASCII as escapes. */
  static String ascii(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c < 0x80) {
        result.append((char) c);
      } else {
        result.append(Printer.escape(c));
      }
    }
    return result.toString();
  }

  /** The value of a field such as {@code 0}, {@code name.attribute} or {@code name[key]}. */
  private Value lookup(String field) {
    int end = 0;
    while (end < field.length() && field.charAt(end) != '.' && field.charAt(end) != '[') {
      end++;
    }
    Value value = field.isEmpty() ? nextArgument() : first(field.substring(0, end));
    int at = end;
    while (at < field.length()) {
      if (field.charAt(at) == '[') {
        int close = field.indexOf(']', at);
        if (close < 0) {
          throw Failure.runtime("Missing ']' in format string");
        }
        if (close == at + 1) {
          throw Failure.runtime("Empty attribute in format string");
        }
        value = Access.item(run, value, key(field.substring(at + 1, close)));
        at = close + 1;
        if (at < field.length() && field.charAt(at) != '.' && field.charAt(at) != '[') {
          throw Failure.runtime("Only '.' or '[' may follow ']' in format field specifier");
        }
      } else {
        int next = at + 1;
        while (next < field.length() && field.charAt(next) != '.' && field.charAt(next) != '[') {
          next++;
        }
        if (next == at + 1) {
          throw Failure.runtime("Empty attribute in format string");
        }
        value = Access.attribute(run, value, field.substring(at + 1, next));
        at = next;
      }
    }
    return value;
  }

  private static Value key(String text) {
    return digits(text).<Value>map(Int::new).orElseGet(() -> new Str(text));
  }

  private static Optional<Long> digits(String text) {
    boolean number =
        !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return number ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }

  private Value first(String name) {
    Optional<Long> number = digits(name);
    if (number.isPresent()) {
      if (automatic > 0) {
        throw Failure.runtime(
            "cannot switch from automatic field numbering to manual field specification");
      }
      manual = true;
      return argument(number.get().intValue());
    }
    return named
        .get(name)
        .orElseThrow(() -> Failure.runtime("the format has no value for " + Printer.brief(name)));
  }

  private Value nextArgument() {
    if (manual) {
      throw Failure.runtime(
          "cannot switch from manual field specification to automatic field numbering");
    }
    return argument(automatic++);
  }

  private Value argument(int index) {
    if (index >= positional.size()) {
      throw Failure.runtime(
          "Replacement index " + index + " out of range for positional args tuple");
    }
    return positional.get(index);
  }
}
