package weft.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/families.md says of names is what the register has. */
class FamiliesDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "families.md");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private record Row(Set<String> gguf, Set<String> transformers) {}

  private static Set<String> names(String cell) {
    var names = new TreeSet<String>();
    NAME.matcher(cell).results().forEach(found -> names.add(found.group(1)));
    return names;
  }

  /** The rows below a heading of the first column. */
  private static List<Row> rows(String heading) throws IOException {
    return Files.readString(DOCUMENT)
        .lines()
        .dropWhile(line -> !line.startsWith("| " + heading))
        .skip(2)
        .takeWhile(line -> line.startsWith("| "))
        .map(line -> line.split("\\|"))
        .map(cells -> new Row(names(cells[2]), names(cells[3])))
        .toList();
  }

  @Test
  void everyFamilyHasItsRowWithAllItsNames() throws IOException {
    var registered =
        Families.all().stream()
            .map(
                family ->
                    new Row(
                        new TreeSet<>(family.ggufArchitectures()),
                        new TreeSet<>(family.transformersTypes())))
            .toList();
    assertThat(rows("family")).containsExactlyElementsOf(registered);
  }

  @Test
  void everyTowerHasItsRowWithAllItsNames() throws IOException {
    var registered =
        Towers.all().stream()
            .map(
                tower ->
                    new Row(
                        new TreeSet<>(tower.projectors()),
                        new TreeSet<>(tower.transformersTypes())))
            .toList();
    assertThat(rows("tower")).containsExactlyElementsOf(registered);
  }
}
