package weft.rooms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All of Weft as it was compiled: which class names which, read off the class files. */
record House(Path root, List<House.Room> classes) {
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([\\w/$]+);");

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(weft\\.[a-z.]+)\\.[A-Z]", Pattern.MULTILINE);

  /**
   * One class file.
   *
   * @param module the folder of the Maven module
   * @param types every class it names, by binary name
   * @param members every field and method it names, as {@code owner.name}
   * @param constants the whole numbers that it declares, by their names
   */
  record Room(
      String module,
      String name,
      String parent,
      Set<String> types,
      Set<String> members,
      Map<String, Long> constants) {
    String room() {
      return House.roomOf(name);
    }

    Set<String> rooms() {
      return types.stream()
          .map(House::roomOf)
          .filter(r -> !r.equals(room()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** The modules beside this one, whose classes the build has made before it runs this test. */
  static House beside(Path module) {
    var root = module.toAbsolutePath().getParent();
    var classes =
        walk(root, p -> p.toString().endsWith(".class") && isCompiled(root, p)).stream()
            .map(file -> read(root, file))
            .toList();
    return new House(root, classes);
  }

  private static boolean isCompiled(Path root, Path file) {
    var inside = root.relativize(file);
    return inside.getNameCount() > 3
        && inside.getName(0).toString().startsWith("weft-")
        && inside.subpath(1, 3).equals(Path.of("target", "classes"))
        && !file.endsWith("module-info.class");
  }

  static List<Path> walk(Path root, Predicate<Path> wanted) {
    try (var files = Files.walk(root)) {
      return files.filter(wanted).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Room read(Path root, Path file) {
    try {
      var model = ClassFile.of().parse(file);
      return new Room(
          root.relativize(file).getName(0).toString(),
          dotted(model.thisClass().asInternalName()),
          model.superclass().map(c -> dotted(c.asInternalName())).orElse(""),
          types(model),
          members(model),
          constants(model));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> types(ClassModel model) {
    var types = new TreeSet<String>();
    for (var entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry c -> types.add(dotted(c.asInternalName().replaceAll("^\\[+L?|;$", "")));
        case Utf8Entry text ->
            IN_DESCRIPTOR
                .matcher(text.stringValue())
                .results()
                .forEach(m -> types.add(dotted(m.group(1))));
        default -> {}
      }
    }
    // Arrays of primitives have no room.
    types.removeIf(type -> !type.contains("."));
    return types;
  }

  private static Set<String> members(ClassModel model) {
    var members = new TreeSet<String>();
    for (var entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member) {
        members.add(dotted(member.owner().asInternalName()) + "." + member.name().stringValue());
      }
    }
    return members;
  }

  private static Map<String, Long> constants(ClassModel model) {
    var constants = new TreeMap<String, Long>();
    for (var field : model.fields()) {
      field
          .findAttribute(Attributes.constantValue())
          .filter(
              value ->
                  value.constant().constantValue() instanceof Integer
                      || value.constant().constantValue() instanceof Long)
          .ifPresent(
              value ->
                  constants.put(
                      field.fieldName().stringValue(),
                      ((Number) value.constant().constantValue()).longValue()));
    }
    return constants;
  }

  private static String dotted(String internalName) {
    return internalName.replace('/', '.');
  }

  static String roomOf(String type) {
    return type.substring(0, type.lastIndexOf('.'));
  }

  /** The classes of a room, and of the rooms within it. */
  Stream<Room> within(String room) {
    return classes.stream().filter(c -> c.room().equals(room) || c.room().startsWith(room + "."));
  }

  /**
   * Which of Weft's rooms each of them sees: by its classes, or by the imports of its sources where
   * a module is not on this one's class path, so that nobody knows how old its classes are.
   */
  Map<String, Set<String>> sights() {
    var sights = new TreeMap<String, Set<String>>();
    for (var c : classes) {
      if (isBuiltBefore(c.module())) {
        sights
            .computeIfAbsent(c.room(), room -> new TreeSet<>())
            .addAll(c.rooms().stream().filter(room -> room.startsWith("weft.")).toList());
      }
    }
    for (var source : walk(root, p -> p.toString().matches(".*/src/main/java/weft/.*\\.java"))) {
      if (!isBuiltBefore(root.relativize(source).getName(0).toString())) {
        var room = roomOfSource(source);
        sights.computeIfAbsent(room, r -> new TreeSet<>()).addAll(imports(source));
        sights.get(room).remove(room);
      }
    }
    return sights;
  }

  private boolean isBuiltBefore(String module) {
    return Path.of("").toAbsolutePath().endsWith(module)
        || System.getProperty("java.class.path").contains("/" + module + "/target/");
  }

  private static String roomOfSource(Path source) {
    var name = source.getParent().toString();
    return name.substring(name.lastIndexOf("/java/") + "/java/".length()).replace('/', '.');
  }

  private static List<String> imports(Path source) {
    try {
      return IMPORT
          .matcher(Files.readString(source))
          .results()
          .map(found -> found.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The classes that name something, as sentences. */
  List<String> naming(Predicate<Room> who, Predicate<String> what) {
    return classes.stream()
        .filter(who)
        .flatMap(
            c ->
                Stream.concat(c.types.stream(), c.members.stream())
                    .filter(what)
                    .map(n -> c.name + " names " + n))
        .toList();
  }
}
