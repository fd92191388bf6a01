package weft.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import weft.text.jinja.Limits;

/** What docs/limits.md says of bounds is what the code has, and it says it of every one. */
class LimitsTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "limits.md");

  /** A row: what is limited, how far, and the constant that says so. */
  private static final Pattern ROW =
      Pattern.compile("^\\| [^|]+ \\| ([\\d,]+)( \\w+)? \\| `([\\w.]+)` \\|", Pattern.MULTILINE);

  /** How bounds are called. A size that is no bound has another name. */
  private static final Predicate<String> BOUND =
      Pattern.compile("(MAX|MOST|LONGEST|LARGEST|DEEPEST)(_\\w+)?").asMatchPredicate();

  /** Kernels are laid out by numbers that no file and no caller can pass. */
  private static final Predicate<String> KERNELS =
      Pattern.compile(
              "weft\\.(cpu(?!\\.asm)(\\..*)?|cuda\\.(kernel|product)|conformance|bench(\\..*)?)")
          .asMatchPredicate();

  private static House house;
  private static String document;

  @BeforeAll
  static void read() throws IOException {
    house = House.beside(Path.of(""));
    document = Files.readString(DOCUMENT);
  }

  /** The table as the document has it: a number for the name of each constant. */
  private static Map<String, Long> said() {
    return ROW.matcher(document)
        .results()
        .collect(
            Collectors.toMap(
                row -> "weft." + row.group(3),
                row ->
                    Long.parseLong(row.group(1).replace(",", ""))
                        * unit(row.group(2) == null ? "" : row.group(2).strip()),
                (_, _) -> -1L,
                TreeMap::new));
  }

  private static long unit(String name) {
    return switch (name) {
      case "" -> 1;
      case "KiB" -> 1 << 10;
      case "MiB" -> 1 << 20;
      case "GiB" -> 1 << 30;
      case "s" -> Duration.ofSeconds(1).toMillis();
      default -> throw new AssertionError("no unit is called " + name);
    };
  }

  /** The same as the code has it. */
  private static Map<String, Long> bounds() {
    var bounds = new TreeMap<String, Long>();
    for (var room : house.classes()) {
      room.constants()
          .forEach(
              (name, value) -> {
                if (BOUND.test(name) && !KERNELS.test(room.room())) {
                  bounds.put(room.name().replace('$', '.') + "." + name, value);
                }
              });
    }
    var rendering = Limits.class.getName() + ".DEFAULT.";
    bounds.put(rendering + "steps", Limits.DEFAULT.steps());
    bounds.put(rendering + "depth", (long) Limits.DEFAULT.depth());
    bounds.put(rendering + "memory", Limits.DEFAULT.memory());
    bounds.put(rendering + "text", Limits.DEFAULT.text());
    bounds.put(rendering + "time", Limits.DEFAULT.time().toMillis());
    return bounds;
  }

  @Test
  void everyBoundHasARowWithItsValue() {
    var missing = new TreeMap<>(bounds());
    missing.entrySet().removeAll(said().entrySet());
    assertThat(missing)
        .as("bounds without a row in docs/limits.md: | limit | default | `room.Type.NAME` | ...")
        .isEmpty();
  }

  @Test
  void everyRowIsAboutABoundThatThereIs() {
    assertThat(bounds().keySet()).containsAll(said().keySet());
  }

  @Test
  void everyExceptionOfTheLibraryIsNamed() {
    assertThat(
            house.classes().stream()
                .map(House.Room::name)
                .filter(name -> name.matches("weft\\.(?!cli\\b)[\\w.]+Exception")))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(document).contains("`" + name + "`"));
  }
}
