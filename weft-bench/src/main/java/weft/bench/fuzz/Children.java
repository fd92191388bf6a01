package weft.bench.fuzz;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a process of ours is started: little heap, and instrumented classes before the originals. */
final class Children {
  private Children() {}

  static List<String> command(Options options, List<Target> targets) {
    var classPath =
        Stream.concat(Stream.of(options.work().resolve("classes")), Campaign.classPath().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // What a parser cannot do in this much, it may not do.
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            // A finding without its stack says nothing.
            "-XX:-OmitStackTraceInFastThrow",
            "-XX:ErrorFile=" + options.work().resolve("crash-%p.log"),
            "--enable-native-access=ALL-UNNAMED",
            "-D" + Models.FOLDER + "=" + System.getProperty(Models.FOLDER, ""),
            "-cp",
            classPath,
            Main.class.getName(),
            "--work",
            options.work().toString(),
            "--corpus",
            options.corpus().toString(),
            "--targets",
            targets.stream().map(Children::name).collect(Collectors.joining(","))));
  }

  /** By which a child finds the target again. */
  private static String name(Target target) {
    return Targets.all().stream().anyMatch(known -> known.name().equals(target.name()))
        ? target.name()
        : target.getClass().getName();
  }
}
