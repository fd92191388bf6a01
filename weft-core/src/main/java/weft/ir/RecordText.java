package weft.ir;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The text form of the IR's records: the name, then each component, {@code rmsnorm %1 %2 eps=1.0E-5
 * offset=0.0}. Values are {@code %id}, lists {@code [a b]}, nested records {@code Name(a b)},
 * numbers carry their component's name.
 */
public final class RecordText {
  private RecordText() {}

  /** The components of a record, in order, separated by spaces. */
  public static String parts(Object record) {
    var shape = OpShape.of(record);
    var out = new StringBuilder();
    for (int i = 0; i < shape.components().length; i++) {
      if (i > 0) out.append(' ');
      out.append(part(shape.components()[i], shape.part(record, i)));
    }
    return out.toString();
  }

  private static String part(RecordComponent component, Object value) {
    var type = component.getType();
    boolean named = type == int.class || type == long.class || type == float.class;
    return named ? component.getName() + "=" + value : text(value);
  }

  public static String text(Object value) {
    return switch (value) {
      case Value v -> v.toString();
      case Type t -> t.toString();
      case List<?> list ->
          list.stream().map(RecordText::text).collect(Collectors.joining(" ", "[", "]"));
      case String s -> quoted(s);
      case Record r -> r.getClass().getSimpleName() + "(" + parts(r) + ")";
      default -> value.toString();
    };
  }

  private static String quoted(String s) {
    boolean bare = !s.isEmpty() && s.chars().allMatch(RecordText::isWordPart);
    if (bare) return s;
    var escaped = s.replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"';
  }

  static boolean isWordPart(int c) {
    return c < 128 && (Character.isLetterOrDigit(c) || "_.-+/:".indexOf(c) >= 0);
  }
}
