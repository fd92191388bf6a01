package weft.text.jinja;

import java.util.Iterator;
import java.util.List;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.BigInt;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Str;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;

/**
 * The tojson filter as chat templates know it: Python's {@code json.dumps} without escaping for
 * HTML.
 */
final class Json {
  private final Run run;
  private final boolean ascii;
  private final boolean sorted;
  private final boolean indented;
  private final String indent;
  private final String itemSeparator;
  private final String keySeparator;
  private final TextBuilder out;

  private Json(Run run, Bound options) {
    this.run = run;
    this.out = new TextBuilder(run);
    this.ascii = options.truth(0, false);
    this.indented = options.given(1).isPresent();
    this.indent = options.given(1).map(value -> indentation(run, value)).orElse("");
    this.sorted = options.truth(3, false);
    List<Value> separators =
        options
            .given(2)
            .map(pair -> Iteration.list(run, pair))
            .orElseGet(() -> List.of(new Str(indented ? "," : ", "), new Str(": ")));
    if (separators.size() != 2
        || !(separators.get(0) instanceof Text item)
        || !(separators.get(1) instanceof Text key)) {
      throw Failure.runtime("tojson needs two strings as separators, for items and for keys");
    }
    this.itemSeparator = item.text();
    this.keySeparator = key.text();
  }

  private static String indentation(Run run, Value value) {
    if (value instanceof Text text) {
      return text.text();
    }
    return TextBuilder.repeated(run, " ", Numbers.index(value));
  }

  static Value filter(Run run, Value value, Arguments arguments) {
    Json json =
        new Json(
            run, arguments.bind("tojson", "ensure_ascii", "indent", "separators", "sort_keys"));
    json.write(value, 0);
    return Value.text(json.out.toString());
  }

  private void write(Value value, int level) {
    run.budget().enter(2);
    try {
      switch (value) {
        case None none -> out.append("null");
        case Bool bool -> out.append(bool.truth() ? "true" : "false");
        case Int(long whole) -> out.append(Long.toString(whole));
        case BigInt(var big) -> out.append(Printer.digits(big));
        case Real(double real) -> out.append(real(real));
        case Text text -> string(text.text());
        case Listing(List<Value> items) -> array(items, level);
        case Tuple tuple -> array(tuple.items(), level);
        case Dict dict -> object(dict, level);
        default ->
            throw Failure.runtime(
                "Object of type " + value.typeName() + " is not JSON serializable");
      }
    } finally {
      run.budget().leave(2);
    }
  }

  private static String real(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    return Double.isInfinite(value) ? value < 0 ? "-Infinity" : "Infinity" : RealText.repr(value);
  }

  private void array(List<Value> items, int level) {
    if (items.isEmpty()) {
      out.append("[]");
      return;
    }
    out.append('[');
    for (int i = 0; i < items.size(); i++) {
      separate(i, level);
      write(items.get(i), level + 1);
    }
    breakLine(level);
    out.append(']');
  }

  private void object(Dict dict, int level) {
    if (dict.size() == 0) {
      out.append("{}");
      return;
    }
    out.append('{');
    int index = 0;
    for (Iterator<Dict.Entry> entries = entries(dict); entries.hasNext(); index++) {
      Dict.Entry entry = entries.next();
      separate(index, level);
      string(key(entry.key()));
      out.append(keySeparator);
      write(entry.value(), level + 1);
    }
    breakLine(level);
    out.append('}');
  }

  private Iterator<Dict.Entry> entries(Dict dict) {
    if (!sorted) {
      return dict.entries().iterator();
    }
    List<Dict.Entry> entries = List.copyOf(dict.entries());
    Items keys = new Items(run);
    entries.forEach(entry -> keys.add(entry.key()));
    return Comparison.sortedOrder(run, keys.list(), false).stream().map(entries::get).iterator();
  }

  private void separate(int index, int level) {
    if (index > 0) {
      out.append(itemSeparator);
    }
    breakLine(level + 1);
  }

  private void breakLine(int level) {
    if (indented) {
      out.append('\n').appendRepeated(indent, level);
    }
  }

  private static String key(Value key) {
    return switch (key) {
      case Text text -> text.text();
      case None none -> "null";
      case Bool bool -> bool.truth() ? "true" : "false";
      case Int(long whole) -> Long.toString(whole);
      case BigInt(var big) -> Printer.digits(big);
      case Real(double real) -> real(real);
      default ->
          throw Failure.runtime(
              "keys must be str, int, float, bool or None, not " + key.typeName());
    };
  }

  private void string(String text) {
    out.append('"');
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && !(ascii && c > '~')) {
        continue;
      }
      out.append(text, copied, i);
      copied = i + 1;
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> out.append("\\u").append(Printer.hexadecimal(c, 4));
      }
    }
    out.append(text, copied, text.length()).append('"');
  }
}
