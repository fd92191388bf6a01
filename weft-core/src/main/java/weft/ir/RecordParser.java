package weft.ir;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** Reads what {@link RecordText} writes, one line; every fault is an {@link IrException}. */
public final class RecordParser {
  private final String line;
  private final IntFunction<Value> values;
  private int at;

  /** {@code values} gives the value behind {@code %id}. */
  public RecordParser(String line, IntFunction<Value> values) {
    this.line = line;
    this.values = values;
  }

  /** An op: its mnemonic and its components. */
  public Op op() {
    var name = word("an op");
    var type = OpShape.named(name).orElseThrow(() -> error("no op is called " + name));
    return (Op) record(type);
  }

  /** The components of a record of this type. */
  public Object record(Class<?> type) {
    var shape = OpShape.of(type);
    var parts = new Object[shape.components().length];
    for (int i = 0; i < parts.length; i++) parts[i] = component(shape.components()[i]);
    return shape.build(parts);
  }

  private Object component(RecordComponent component) {
    var type = component.getType();
    if (type == int.class || type == long.class || type == float.class) {
      expect(component.getName() + "=");
      return number(type);
    }
    if (type == List.class) {
      var element = OpShape.elementType(component);
      var list = new ArrayList<>();
      expect("[");
      while (!accept("]")) list.add(any(element));
      return List.copyOf(list);
    }
    return any(type);
  }

  /** Anything of this declared type. */
  public Object any(Class<?> type) {
    if (type == Value.class) return value();
    if (type == Type.class) return type();
    if (type == String.class) return string();
    if (type == Float.class) return number(float.class);
    if (type == Integer.class) return number(int.class);
    if (type.isEnum()) return constant(type);
    if (type.isRecord() || type.isSealed()) return nested(type);
    throw new AssertionError("no text form for " + type);
  }

  private Object constant(Class<?> type) {
    var name = word("one of " + List.of(type.getEnumConstants()));
    for (var constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) return constant;
    }
    throw error(name + " is none of " + List.of(type.getEnumConstants()));
  }

  private Object nested(Class<?> type) {
    var name = word("a " + type.getSimpleName());
    for (var choice : type.isRecord() ? new Class<?>[] {type} : type.getPermittedSubclasses()) {
      if (choice.getSimpleName().equals(name)) {
        expect("(");
        var made = record(choice);
        expect(")");
        return made;
      }
    }
    throw error(name + " is no " + type.getSimpleName());
  }

  public Value value() {
    expect("%");
    return values.apply((int) number(int.class));
  }

  public Type type() {
    var dtype = word("a type");
    for (var known : DType.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(dtype)) {
        expect("[");
        var dims = new ArrayList<Dim>();
        while (!accept("]")) {
          var size = word("a size");
          dims.add(Character.isDigit(size.charAt(0)) ? Dim.of(integer(size)) : new Dim.Sym(size));
          accept(",");
        }
        return new Type(known, dims);
      }
    }
    throw error("no element type is called " + dtype);
  }

  public String string() {
    skip();
    if (at >= line.length() || line.charAt(at) != '"') return word("a name");
    var out = new StringBuilder();
    for (at++; at < line.length() && line.charAt(at) != '"'; at++) {
      char c = line.charAt(at);
      if (c == '\\' && at + 1 < line.length()) {
        c = line.charAt(++at);
        if (c == 'n') c = '\n';
        if (c == 'r') c = '\r';
      }
      out.append(c);
    }
    expect("\"");
    return out.toString();
  }

  private Object number(Class<?> type) {
    var text = word("a number");
    if (type == int.class) return integer(text);
    try {
      return type == long.class ? (Object) Long.parseLong(text) : (Object) Float.parseFloat(text);
    } catch (NumberFormatException e) {
      throw error(text + " is not a number");
    }
  }

  public int integer() {
    return integer(word("an integer"));
  }

  private int integer(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw error(text + " is not an integer");
    }
  }

  public String word(String expected) {
    skip();
    int start = at;
    while (at < line.length() && RecordText.isWordPart(line.charAt(at))) at++;
    if (start == at) throw error("expected " + expected);
    return line.substring(start, at);
  }

  public boolean accept(String mark) {
    skip();
    if (!line.startsWith(mark, at)) return false;
    at += mark.length();
    return true;
  }

  public void expect(String mark) {
    if (!accept(mark)) throw error("expected '" + mark + "'");
  }

  public void end() {
    skip();
    if (at < line.length()) throw error("expected the end of the line");
  }

  private void skip() {
    while (at < line.length() && line.charAt(at) == ' ') at++;
  }

  public IrException error(String complaint) {
    return new IrException(complaint + ", at column " + (at + 1) + " of: " + line);
  }
}
