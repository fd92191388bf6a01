package weft.rooms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The rules of the house: what each room sees is what its row in docs/architecture.md says, and
 * what nobody does.
 */
class RoomsTest {
  private static final int LONGEST_FILE = 500;

  /** Annotations that are not there at run time. */
  private static final String ANNOTATIONS = "org.jspecify.annotations";

  private static House house;
  private static RoomTable table;

  /** Which rooms each room sees. */
  private static Map<String, Set<String>> sights;

  @BeforeAll
  static void look() {
    house = House.beside(Path.of(""));
    sights = house.sights();
    table = RoomTable.read(house.root().resolve("docs/architecture.md"));
  }

  @Test
  void everyRoomHasItsRow() {
    assertThat(sights.keySet())
        .as("packages, and the rows of the table in docs/architecture.md: add or remove rows")
        .containsExactlyElementsOf(table.cells().keySet());
  }

  /** The table says neither less nor more than what is there. */
  @TestFactory
  Stream<DynamicTest> seesWhatItsRowSays() {
    return table.cells().keySet().stream().map(room -> dynamicTest(room, () -> look(room)));
  }

  private static void look(String room) {
    assertThat(sights.getOrDefault(room, Set.of()))
        .as("rooms that %s sees, and its row in docs/architecture.md", room)
        .containsExactlyElementsOf(table.rooms(room));
    assertThat(
            house.classes().stream()
                .filter(c -> c.room().equals(room))
                .flatMap(c -> c.rooms().stream())
                .filter(r -> !r.matches("(java|javax|jdk|weft|com\\.sun)\\..*"))
                .filter(r -> !r.equals(ANNOTATIONS))
                .filter(r -> !table.allows(room, r)))
        .as("libraries that %s sees beyond those of its row", room)
        .isEmpty();
  }

  /** The rules below speak of what nobody names: here is that the reader would see it. */
  @Test
  void whatIsNamedIsSeen() {
    assertThat(
            house.naming(
                c -> c.room().equals("weft.cpu.portable"),
                n -> n.startsWith("jdk.incubator.vector")))
        .isNotEmpty();
    assertThat(
            house.naming(
                c -> c.room().equals("weft.cpu.asm"),
                n -> n.startsWith("java.lang.foreign.Linker")))
        .isNotEmpty();
    assertThat(house.naming(c -> c.module().equals("weft-app"), "java.lang.System.exit"::equals))
        .isNotEmpty();
    assertThat(house.naming(c -> c.room().equals("weft.load"), n -> n.startsWith("weft.compile.")))
        .isNotEmpty();
  }

  @Test
  void modelsAreMathematics() {
    assertThat(house.within("weft.models").flatMap(c -> c.types().stream()))
        .as("no memory, no threads, no files")
        .noneMatch(
            type ->
                type.matches("java\\.(io|nio|net|lang\\.foreign|util\\.concurrent)\\..*")
                    || type.equals("java.lang.Thread"));
  }

  @Test
  void onlyLoadSeesBothTheGeneratorAndTheCompiler() {
    assertThat(sights.entrySet())
        .filteredOn(e -> e.getValue().containsAll(List.of("weft.generate", "weft.compile")))
        .extracting(Map.Entry::getKey)
        .containsOnly("weft.load");
  }

  /** All at once is how a pipe hangs a program and a device exhausts it. */
  @Test
  void onlyTheInputRoomReadsWholeFilesAndStreams() {
    Predicate<String> unbounded =
        name ->
            name.matches(
                "java\\.nio\\.file\\.Files\\.(read(String|AllBytes|AllLines)|lines|new(BufferedReader|InputStream))"
                    + "|java\\.io\\.\\w*(InputStream|Reader)\\.(readAllBytes|readAllLines|readAllAsString|readLine|lines)"
                    + "|java\\.(io\\.(FileInputStream|FileReader|RandomAccessFile)|util\\.Scanner)\\..*");
    assertThat(house.naming(c -> c.room().equals("weft.input"), unbounded)).isNotEmpty();
    assertThat(
            house.naming(
                c ->
                    !c.room().equals("weft.input")
                        && !c.module().matches("weft-(bench|conformance)"),
                unbounded))
        .isEmpty();
  }

  @Test
  void noRoomSeesItselfThroughAnother() {
    var sights = house.sights();
    for (var room : sights.keySet()) {
      assertThat(reach(sights, room)).as("what %s sees, near or far", room).doesNotContain(room);
    }
  }

  private static Set<String> reach(Map<String, Set<String>> sights, String from) {
    var reached = new TreeSet<String>();
    Deque<String> open = new ArrayDeque<>(sights.get(from));
    while (!open.isEmpty()) {
      var room = open.pop();
      if (reached.add(room)) open.addAll(sights.getOrDefault(room, Set.of()));
    }
    return reached;
  }

  @Test
  void nativeCodeIsCalledWhereItIsWrittenAlone() {
    assertThat(
            house.naming(
                c -> !c.room().equals("weft.cpu.asm") && !c.room().equals("weft.cuda.driver"),
                name -> name.startsWith("java.lang.foreign.Linker")))
        .isEmpty();
  }

  @Test
  void vectorsAreTheCpusAlone() {
    assertThat(
            house.naming(
                c -> !c.room().equals("weft.cpu.portable"),
                name -> name.startsWith("jdk.incubator.vector")))
        .isEmpty();
  }

  @Test
  void nobodyIsUnsafe() {
    assertThat(house.naming(c -> true, name -> name.matches(".*\\bUnsafe(\\..*)?"))).isEmpty();
  }

  @Test
  void onlyTheApplicationSpeaksToTheWorldAround() {
    var around =
        Set.of(
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.System.getProperties",
            "java.lang.System.exit",
            "java.lang.Runtime.exit",
            "java.lang.Runtime.halt",
            "java.lang.System.out",
            "java.lang.System.err",
            "java.lang.System.in",
            "java.io.FileDescriptor.in",
            "java.io.FileDescriptor.out",
            "java.io.FileDescriptor.err");
    assertThat(
            house.naming(
                c -> !c.module().equals("weft-app") && !c.module().equals("weft-bench"),
                around::contains))
        .isEmpty();
  }

  /** What is written past the console is not checked: a full disk would go unseen. */
  @Test
  void onlyTheConsoleKnowsTheStandardStreams() {
    Predicate<String> isStream =
        Pattern.compile(
                "java\\.io\\.PrintStream(\\..*)?|java\\.lang\\.System\\.(out|err|in)"
                    + "|java\\.io\\.FileDescriptor(\\..*)?")
            .asMatchPredicate();
    assertThat(house.naming(c -> c.name().equals("weft.cli.Console"), isStream)).isNotEmpty();
    assertThat(
            house.naming(
                c -> c.module().equals("weft-app") && !c.name().equals("weft.cli.Console"),
                isStream))
        .isEmpty();
  }

  @Test
  void nothingIsInheritedButWhatTheJdkAsksFor() {
    var enums =
        house.classes().stream()
            .filter(c -> c.parent().equals("java.lang.Enum"))
            .map(House.Room::name)
            .collect(Collectors.toSet());
    Predicate<House.Room> isAlone =
        c ->
            Set.of("", "java.lang.Object", "java.lang.Record", "java.lang.Enum")
                .contains(c.parent());
    Predicate<House.Room> isException = c -> c.parent().endsWith("Exception");
    // The JDK's own beginnings of a cache a class, of a list and of a stream; a constant's body
    // extends its enum.
    Predicate<House.Room> isAsked =
        c ->
            Set.of("java.lang.ClassValue", "java.util.AbstractList", "java.io.InputStream")
                    .contains(c.parent())
                || enums.contains(c.parent());
    assertThat(
            house.classes().stream()
                .filter(isAlone.or(isException).or(isAsked).negate())
                .map(c -> c.name() + " extends " + c.parent()))
        .isEmpty();
  }

  @Test
  void everyPackageIsFreeOfNull() {
    var marked =
        house.classes().stream()
            .filter(c -> c.name().endsWith(".package-info"))
            .filter(c -> c.types().contains(ANNOTATIONS + ".NullMarked"))
            .map(House.Room::room);
    assertThat(marked)
        .containsExactlyInAnyOrderElementsOf(
            house.classes().stream().map(House.Room::room).collect(Collectors.toSet()));
  }

  @Test
  void noFileIsLongerThanOneCanRead() throws IOException {
    var sources =
        Stream.of("main", "test")
            .flatMap(
                part ->
                    House.walk(
                        house.root(),
                        p ->
                            p.toString().endsWith(".java")
                                && p.toString().contains("/src/" + part + "/java/"))
                        .stream())
            .toList();
    assertThat(sources).isNotEmpty();
    for (var source : sources) {
      try (var lines = Files.lines(source)) {
        assertThat(lines.count())
            .as("lines of %s", house.root().relativize(source))
            .isLessThanOrEqualTo(LONGEST_FILE);
      }
    }
  }
}
