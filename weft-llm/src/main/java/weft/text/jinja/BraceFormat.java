package weft.text.jinja;

import java.util.List;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.Text;

/** Python's {@code str.format} with fields that are a number, a name or nothing. */
final class BraceFormat {
  private final Run run;
  private final boolean escaping;
  private final Arguments arguments;
  private int automatic;
  private boolean manual;

  private BraceFormat(Run run, boolean escaping, Arguments arguments) {
    this.run = run;
    this.escaping = escaping;
    this.arguments = arguments;
  }

  static Value format(Run run, Value self, Arguments arguments) {
    Text format = (Text) self;
    return format.like(
        new BraceFormat(run, format instanceof Markup, arguments).expand(format.text()));
  }

  private String expand(String format) {
    TextBuilder out = new TextBuilder(run);
    int at = 0;
    while (at < format.length()) {
      char c = format.charAt(at);
      if (c != '{' && c != '}') {
        out.append(c);
        at++;
      } else if (at + 1 < format.length() && format.charAt(at + 1) == c) {
        out.append(c);
        at += 2;
      } else {
        int end = c == '}' ? -1 : format.indexOf('}', at);
        if (end < 0) {
          throw Failure.runtime("Single '" + c + "' encountered in format string");
        }
        out.append(field(format.substring(at + 1, end)));
        at = end + 1;
      }
    }
    return out.toString();
  }

  private String field(String field) {
    int colon = field.indexOf(':');
    Value value = value(colon < 0 ? field : field.substring(0, colon));
    String spec = colon < 0 ? "" : field.substring(colon + 1);
    if (!escaping) {
      return FormatSpec.format(run, value, spec);
    }
    return value instanceof Markup markup && spec.isEmpty()
        ? markup.text()
        : Html.escape(run, FormatSpec.format(run, value, spec));
  }

  private Value value(String name) {
    boolean number = name.length() < 10 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!number) {
      Value named = arguments.keywords().get(name);
      if (named == null) {
        throw Failure.runtime(
            "the format has no value for the field "
                + Printer.brief(name)
                + ": a field is a number, the name of an argument or nothing");
      }
      return named;
    }
    if (name.isEmpty() ? manual : automatic > 0) {
      throw Failure.runtime("a format has fields with numbers or fields without, not both");
    }
    manual = !name.isEmpty();
    int index = manual ? Integer.parseInt(name) : automatic++;
    List<Value> positional = arguments.positional();
    if (index >= positional.size()) {
      throw Failure.runtime(
          "Replacement index " + index + " out of range for positional args tuple");
    }
    return positional.get(index);
  }
}
