package weft.text.jinja;

import java.util.HashMap;
import java.util.Map;

/** All filters by name. */
final class Filters {
  static final Map<String, Builtin> ALL = all();

  private Filters() {}

  private static Map<String, Builtin> all() {
    Map<String, Builtin> filters = new HashMap<>();
    filters.putAll(TextFilters.ALL);
    filters.putAll(NumberFilters.ALL);
    filters.putAll(SequenceFilters.ALL);
    filters.putAll(OrderFilters.ALL);
    filters.putAll(SelectFilters.ALL);
    filters.put("tojson", Json::filter);
    return Map.copyOf(filters);
  }

  static boolean exists(String name) {
    return ALL.containsKey(name);
  }

  /** The filter of this name; one that does not exist fails when it is applied. */
  static Builtin named(String name) {
    return ALL.getOrDefault(
        name,
        (run, self, arguments) -> {
          throw Failure.runtime("No filter named '" + name + "' found.");
        });
  }
}
