package weft.text.jinja;

import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import weft.text.jinja.Value.BigInt;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.Function;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Range;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Str;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.View;

/** Python's {@code str} and {@code repr} of every value. */
final class Printer {
  private static final int BRIEF = 40;

  private final Run run;
  private final TextBuilder out;

  private Printer(Run run) {
    this.run = run;
    this.out = new TextBuilder(run);
  }

  /** What {@code {{ value }}} prints. */
  static String str(Run run, Value value) {
    return switch (value) {
      case Text text -> text.text();
      case Undefined undefined -> "";
      case Int(long whole) -> Long.toString(whole);
      default -> repr(run, value);
    };
  }

  static String repr(Run run, Value value) {
    Printer printer = new Printer(run);
    printer.print(value);
    return printer.out.toString();
  }

  /** A short rendering for error messages. */
  static String brief(Value value) {
    return switch (value) {
      case Text text -> brief(text.text());
      case Int(long whole) -> Long.toString(whole);
      case Real(double real) -> RealText.repr(real);
      default -> "of type " + value.typeName();
    };
  }

  /** The start of a text as a literal. */
  static String brief(String text) {
    StringBuilder shown = new StringBuilder("'");
    text.codePoints()
        .limit(BRIEF)
        .forEach(c -> shown.append(c == '\'' ? "\\'" : escapedIfNeeded(c)));
    return shown.append(text.length() > BRIEF ? "...'" : "'").toString();
  }

  private static String escapedIfNeeded(int c) {
    return c != '\\' && Characters.isPrintable(c) ? Character.toString(c) : escape(c, '\'');
  }

  private void print(Value value) {
    run.budget().enter(2);
    try {
      printNested(value);
    } finally {
      run.budget().leave(2);
    }
  }

  private void printNested(Value value) {
    switch (value) {
      case None none -> out.append("None");
      case Bool bool -> out.append(bool.truth() ? "True" : "False");
      case Int(long whole) -> out.append(Long.toString(whole));
      case BigInt(BigInteger big) -> out.append(digits(big));
      case Real(double real) -> out.append(RealText.repr(real));
      case Str(String text) -> quote(out, text);
      case Markup(String text) -> {
        out.append("Markup(");
        quote(out, text);
        out.append(')');
      }
      case Listing(List<Value> items) -> enclosed('[', items, ']');
      case Tuple tuple when tuple.size() == 1 -> {
        out.append('(');
        print(tuple.get(0));
        out.append(",)");
      }
      case Tuple tuple -> enclosed('(', tuple.items(), ')');
      case Dict dict -> entries(dict);
      case Range range -> {
        out.append("range(" + range.start() + ", " + range.stop());
        out.append(range.step() == 1 ? ")" : ", " + range.step() + ")");
      }
      case View view -> {
        out.append(view.typeName()).append('(');
        print(new Listing(Iteration.list(run, view)));
        out.append(')');
      }
      case Undefined undefined -> out.append("Undefined");
      case Namespace(Dict attributes) -> {
        out.append("<Namespace ");
        print(attributes);
        out.append('>');
      }
      case Macro macro -> out.append("<Macro ").append(macro.label()).append('>');
      case Loop loop -> out.append("<LoopContext ").append(loop.progress()).append('>');
      case Function function -> out.append("<built-in method ").append(function.name()).append('>');
      case Generator generator -> out.append('<').append(generator.typeName()).append(" object>");
    }
  }

  private void enclosed(char open, List<Value> items, char close) {
    run.budget().items(items.size());
    out.append(open);
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      print(items.get(i));
    }
    out.append(close);
  }

  private void entries(Dict dict) {
    run.budget().items(dict.size());
    out.append('{');
    for (Iterator<Dict.Entry> entries = dict.entries().iterator(); entries.hasNext(); ) {
      Dict.Entry entry = entries.next();
      print(entry.key());
      out.append(": ");
      print(entry.value());
      out.append(entries.hasNext() ? ", " : "");
    }
    out.append('}');
  }

  static String digits(BigInteger value) {
    // A decimal digit takes a little more than three bits.
    if (value.bitLength() > Numbers.MAX_DIGITS * 3.33) {
      throw Failure.runtime(
          "Exceeds the limit (" + Numbers.MAX_DIGITS + " digits) for integer string conversion");
    }
    return value.toString();
  }

  /** A string literal: in single quotes unless it has single quotes and no double ones. */
  private static void quote(TextBuilder out, String text) {
    char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
    out.append(quote);
    int copied = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      int next = i + Character.charCount(c);
      if (c == quote || c == '\\' || !Characters.isPrintable(c)) {
        out.append(text, copied, i).append(escape(c, quote));
        copied = next;
      }
      i = next;
    }
    out.append(text, copied, text.length()).append(quote);
  }

  private static String escape(int c, char quote) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      case '\\' -> "\\\\";
      default -> c == quote ? "\\" + quote : escape(c);
    };
  }

  /** The character as an ASCII escape. */
  static String escape(int c) {
    return c < 0x100
        ? "\\x" + hexadecimal(c, 2)
        : c < 0x10000 ? "\\u" + hexadecimal(c, 4) : "\\U" + hexadecimal(c, 8);
  }

  static String hexadecimal(int value, int digits) {
    String hexadecimal = Integer.toHexString(value);
    return "00000000".substring(0, digits - hexadecimal.length()) + hexadecimal;
  }
}
