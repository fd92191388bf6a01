package weft.text.jinja;

import static java.util.Map.entry;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;

/**
 * The methods of Python's strings; on text marked safe they give text marked safe and escape what
 * is added.
 */
final class StringMethods {
  static final Map<String, Builtin> ALL =
      Map.ofEntries(
          converting("capitalize", Characters::capitalize),
          converting("lower", Characters::lower),
          converting("swapcase", Characters::swapCase),
          converting("title", Characters::title),
          converting("upper", Characters::upper),
          each("isalnum", c -> c != '_' && Characters.isWord(c)),
          each("isalpha", Characters::isAlpha),
          each("isdigit", Characters::isDecimal),
          each("isspace", Characters::isSpace),
          testing("islower", text -> Characters.isCaseOnly(text, Character::isUpperCase)),
          testing("isupper", text -> Characters.isCaseOnly(text, Character::isLowerCase)),
          entry("strip", (run, self, arguments) -> strip(run, self, arguments, true, true)),
          entry("lstrip", (run, self, arguments) -> strip(run, self, arguments, true, false)),
          entry("rstrip", (run, self, arguments) -> strip(run, self, arguments, false, true)),
          entry(
              "startswith", (run, self, arguments) -> hasAffix(run, self, arguments, "startswith")),
          entry("endswith", (run, self, arguments) -> hasAffix(run, self, arguments, "endswith")),
          entry("removeprefix", (run, self, arguments) -> without(run, self, arguments, "prefix")),
          entry("removesuffix", (run, self, arguments) -> without(run, self, arguments, "suffix")),
          entry(
              "find",
              (run, self, arguments) -> Value.number(position(run, self, arguments, "find"))),
          entry(
              "rfind",
              (run, self, arguments) -> Value.number(position(run, self, arguments, "rfind"))),
          entry("index", StringMethods::index),
          entry("count", StringMethods::count),
          entry("partition", (run, self, arguments) -> partition(run, self, arguments, true)),
          entry("rpartition", (run, self, arguments) -> partition(run, self, arguments, false)),
          entry("split", StringSplit::split),
          entry("rsplit", StringSplit::rsplit),
          entry("splitlines", StringSplit::splitLines),
          entry("join", StringMethods::join),
          entry("replace", StringMethods::replace),
          entry("format", BraceFormat::format));

  private StringMethods() {}

  private static Map.Entry<String, Builtin> converting(
      String name, BiFunction<Run, String, String> conversion) {
    return entry(
        name,
        (run, self, arguments) -> {
          arguments.positionalOnly(name);
          return ((Text) self).like(conversion.apply(run, text(self)));
        });
  }

  private static Map.Entry<String, Builtin> testing(String name, Predicate<String> test) {
    return entry(
        name,
        (run, self, arguments) -> {
          arguments.positionalOnly(name);
          run.budget().scan(text(self).length());
          return Value.bool(test.test(text(self)));
        });
  }

  /** A test that holds when the string is not empty and every character passes. */
  private static Map.Entry<String, Builtin> each(String name, IntPredicate test) {
    return testing(name, text -> !text.isEmpty() && text.codePoints().allMatch(test));
  }

  private static String text(Value self) {
    return ((Text) self).text();
  }

  static Text strip(Run run, Value self, Arguments arguments, boolean left, boolean right) {
    Bound bound = arguments.positionalOnly(left ? right ? "strip" : "lstrip" : "rstrip", "chars");
    run.budget().text(text(self).length());
    IntPredicate unwanted =
        bound.given(0).isPresent() ? Characters.anyOf(run, bound.text(0)) : Characters::isSpace;
    return ((Text) self).like(Characters.strip(text(self), unwanted, left, right));
  }

  private static Value hasAffix(Run run, Value self, Arguments arguments, String method) {
    Bound bound = arguments.positionalOnly(method, "affix", "start", "end");
    Window window = Window.of(run, self, bound);
    List<Value> candidates =
        bound.required(0) instanceof Tuple tuple ? tuple.items() : List.of(bound.required(0));
    for (Value candidate : candidates) {
      if (!(candidate instanceof Text affix)) {
        throw candidate instanceof Undefined undefined
            ? undefined.failure()
            : Failure.runtime(
                method + " first arg must be str or a tuple of str, not " + candidate.typeName());
      }
      run.budget().scan(affix.text().length());
      int at = method.equals("startswith") ? window.from() : window.to() - affix.text().length();
      if (window.holds(at, affix.text().length()) && text(self).startsWith(affix.text(), at)) {
        return Value.Bool.TRUE;
      }
    }
    return Value.Bool.FALSE;
  }

  private static Value without(Run run, Value self, Arguments arguments, String affix) {
    String unwanted = arguments.positionalOnly("remove" + affix, affix).text(0);
    String text = text(self);
    run.budget().text(text.length());
    boolean first = affix.equals("prefix");
    if (!(first ? text.startsWith(unwanted) : text.endsWith(unwanted))) {
      return self;
    }
    int from = first ? unwanted.length() : 0;
    return ((Text) self).like(text.substring(from, from + text.length() - unwanted.length()));
  }

  private static int position(Run run, Value self, Arguments arguments, String method) {
    Bound bound = arguments.positionalOnly(method, "sub", "start", "end");
    Window window = Window.of(run, self, bound);
    TextSearch search = new TextSearch(run, text(self), bound.text(0));
    int offset =
        !window.holds(window.from(), 0)
            ? -1
            : method.startsWith("r")
                ? search.last(window.from(), window.to())
                : search.next(window.from(), window.to());
    return offset < 0 ? -1 : Characters.index(text(self), offset);
  }

  private static Value index(Run run, Value self, Arguments arguments) {
    int position = position(run, self, arguments, "index");
    if (position < 0) {
      throw Failure.runtime("substring not found");
    }
    return Value.number(position);
  }

  private static Value count(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.positionalOnly("count", "sub", "start", "end");
    Window window = Window.of(run, self, bound);
    String part = bound.text(0);
    if (!window.holds(window.from(), 0)) {
      return Value.number(0);
    }
    if (part.isEmpty()) {
      return Value.number(text(self).codePointCount(window.from(), window.to()) + 1);
    }
    TextSearch search = new TextSearch(run, text(self), part);
    int count = 0;
    for (int at = search.next(window.from(), window.to());
        at >= 0;
        at = search.next(at + part.length(), window.to())) {
      count++;
    }
    return Value.number(count);
  }

  private static Value partition(Run run, Value self, Arguments arguments, boolean first) {
    Text whole = (Text) self;
    String separator = arguments.positionalOnly("partition", "sep").text(0);
    if (separator.isEmpty()) {
      throw Failure.runtime("empty separator");
    }
    run.budget().text(whole.text().length());
    TextSearch search = new TextSearch(run, whole.text(), separator);
    int at = first ? search.next(0) : search.last(0, whole.text().length());
    if (at < 0) {
      Text nothing = whole.like("");
      return first ? Tuple.of(whole, nothing, nothing) : Tuple.of(nothing, nothing, whole);
    }
    return Tuple.of(
        whole.like(whole.text().substring(0, at)),
        whole.like(separator),
        whole.like(whole.text().substring(at + separator.length())));
  }

  private static Value join(Run run, Value self, Arguments arguments) {
    Value items = arguments.positionalOnly("join", "iterable").required(0);
    TextBuilder result = new TextBuilder(run);
    int index = 0;
    for (Iterator<Value> iterator = Iteration.iterate(items); iterator.hasNext(); index++) {
      Value item = iterator.next();
      if (index > 0) {
        result.append(text(self));
      }
      if (self instanceof Markup) {
        result.append(Html.escape(run, item));
      } else if (item instanceof Text text) {
        result.append(text.text());
      } else {
        throw Failure.runtime(
            "sequence item %d: expected str instance, %s found".formatted(index, item.typeName()));
      }
    }
    return ((Text) self).like(result.toString());
  }

  private static Value replace(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.positionalOnly("replace", "old", "new", "count");
    String replacement =
        self instanceof Markup ? Html.escape(run, bound.required(1)) : bound.text(1);
    return ((Text) self)
        .like(replace(run, text(self), bound.text(0), replacement, bound.integer(2, -1)));
  }

  static String replace(Run run, String text, String old, String replacement, int limit) {
    int most = limit < 0 ? Integer.MAX_VALUE : limit;
    TextBuilder result = new TextBuilder(run);
    int copied = 0;
    int count = 0;
    if (old.isEmpty()) {
      // An empty string is found before every character and at the end.
      while (count < most) {
        result.append(replacement);
        count++;
        if (copied == text.length()) {
          break;
        }
        int next = text.offsetByCodePoints(copied, 1);
        result.append(text, copied, next);
        copied = next;
      }
    } else {
      TextSearch search = new TextSearch(run, text, old);
      for (int at = search.next(0); at >= 0 && count < most; at = search.next(copied)) {
        result.append(text, copied, at);
        result.append(replacement);
        copied = at + old.length();
        count++;
      }
    }
    return count == 0 ? text : result.append(text, copied, text.length()).toString();
  }

  /** The part of a string that {@code start} and {@code end} arguments select, as offsets. */
  private record Window(int from, int to, int limit) {
    static Window of(Run run, Value self, Bound bound) {
      String text = text(self);
      int size = Iteration.length(run, (Text) self);
      Optional<Value> start = bound.given(1);
      Optional<Value> end = bound.given(2);
      int from = start.map(Numbers::index).orElse(0);
      int to = end.map(Numbers::index).orElse(size);
      from = Math.max(0, from < 0 ? from + size : from);
      to = Math.clamp(to < 0 ? (long) to + size : to, 0, size);
      if (from > size) {
        // Even an empty string is not found behind the end.
        return new Window(0, 0, -1);
      }
      int toOffset = Characters.offset(text, to);
      return new Window(Characters.offset(text, from), toOffset, toOffset);
    }

    boolean holds(int offset, int length) {
      return offset >= from && (long) offset + length <= limit;
    }
  }

  static Listing listing(Run run, Text like, List<String> parts) {
    Items items = new Items(run);
    parts.forEach(part -> items.add(like.like(part)));
    return new Listing(items.list());
  }
}
