package weft.rooms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of rooms in docs/architecture.md: what each says that it sees. A name there is a room's
 * or the end of one that only that room has, {@code name.*} stands for the room and all within it,
 * and words without marks are libraries; what stands in brackets is for the reader.
 */
record RoomTable(Map<String, List<String>> cells) {
  private static final Pattern ROW =
      Pattern.compile("\\| `(weft[\\w.]*)` \\|[^|]*\\|([^|]*)\\|", Pattern.MULTILINE);

  /** The packages that each word of the table stands for. */
  private static final Map<String, List<String>> LIBRARIES =
      Map.of(
          "the JDK", List.of(),
          "Jackson", List.of("tools.jackson", "com.fasterxml.jackson"),
          "Helidon", List.of("io.helidon"),
          "Micrometer", List.of("io.micrometer"),
          "picocli", List.of("picocli"),
          "JLine", List.of("org.jline"),
          "JUnit", List.of("org.junit", "org.opentest4j", "org.apiguardian"),
          "AssertJ", List.of("org.assertj"));

  static RoomTable read(Path document) {
    try {
      return parse(Files.readString(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RoomTable parse(String document) {
    var cells = new TreeMap<String, List<String>>();
    for (Matcher row = ROW.matcher(document); row.find(); ) {
      var words =
          Arrays.stream(row.group(2).replaceAll("\\([^)]*\\)", "").split(","))
              .map(String::strip)
              .toList();
      if (cells.put(row.group(1), words) != null) {
        throw new IllegalArgumentException(row.group(1) + " has two rows in the table of rooms");
      }
    }
    return new RoomTable(cells);
  }

  /** The rooms that a room says it sees. */
  Set<String> rooms(String room) {
    var rooms = new TreeSet<String>();
    for (var word : cells.get(room)) {
      if (word.startsWith("`")) {
        rooms.addAll(named(room, word.substring(1, word.length() - 1)));
      }
    }
    rooms.remove(room);
    return rooms;
  }

  private Set<String> named(String room, String name) {
    var end = name.replaceFirst("\\.\\*$", "");
    var found =
        cells.keySet().stream().filter(r -> r.equals(end) || r.endsWith("." + end)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "%s sees `%s`, which is the name of %s; write as much of a room's name as only it has"
              .formatted(room, name, found.isEmpty() ? "no room" : String.join(" and ", found)));
    }
    var rooms = new TreeSet<>(found);
    if (name.endsWith(".*")) {
      var within = found.getFirst() + ".";
      cells.keySet().stream().filter(r -> r.startsWith(within)).forEach(rooms::add);
    }
    return rooms;
  }

  /** Whether a room says that it sees a package that is not Weft's. */
  boolean allows(String room, String library) {
    return cells.get(room).stream()
        .filter(word -> !word.startsWith("`"))
        .flatMap(
            word -> {
              if (!LIBRARIES.containsKey(word)) {
                throw new IllegalArgumentException(
                    "%s sees %s, which is no library of ours: %s"
                        .formatted(room, word, LIBRARIES.keySet()));
              }
              return LIBRARIES.get(word).stream();
            })
        .anyMatch(prefix -> library.equals(prefix) || library.startsWith(prefix + "."));
  }
}
