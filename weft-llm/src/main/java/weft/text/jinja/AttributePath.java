package weft.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Str;
import weft.text.jinja.Value.Text;

/** The {@code attribute} argument of filters: names and indices with dots between them. */
record AttributePath(List<Value> parts) {
  private static final int MAX_LENGTH = 1_000;

  static AttributePath of(Value attribute) {
    return switch (attribute) {
      case None none -> new AttributePath(List.of());
      case Text text -> new AttributePath(split(text.text()));
      default -> new AttributePath(List.of(attribute));
    };
  }

  /** Several paths with commas between them. */
  static List<AttributePath> several(Value attributes) {
    if (!(attributes instanceof Text text) || text.text().length() > MAX_LENGTH) {
      return List.of(of(attributes));
    }
    List<AttributePath> paths = new ArrayList<>();
    for (String path : text.text().split(",", -1)) {
      paths.add(new AttributePath(split(path)));
    }
    return paths;
  }

  private static List<Value> split(String path) {
    if (path.length() > MAX_LENGTH) {
      throw Failure.limit("an attribute path has more than " + MAX_LENGTH + " characters");
    }
    List<Value> parts = new ArrayList<>();
    for (String part : path.split("\\.", -1)) {
      boolean index =
          !part.isEmpty() && part.length() < 10 && part.chars().allMatch(c -> c >= '0' && c <= '9');
      parts.add(index ? new Int(Long.parseLong(part)) : new Str(part));
    }
    return parts;
  }

  /** What {@code item} has at this path. */
  Value get(Run run, Value item) {
    return get(run, item, Optional.empty());
  }

  /** As {@link #get(Run, Value)}, with {@code otherwise} in place of anything undefined. */
  Value get(Run run, Value item, Optional<Value> otherwise) {
    Value value = item;
    for (Value part : parts) {
      value = Access.item(run, value, part);
      if (value instanceof Undefined && otherwise.isPresent()) {
        value = otherwise.get();
      }
    }
    return value;
  }
}
