package weft.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * How a process ended: what it printed, how long it ran and how large it got.
 *
 * @param error what it printed to the standard error, where forks have tables that others print
 */
record PeerProcess(String out, String error, double seconds, double mebibytes) {
  /** Runs it in a folder that is gone then, for some leave a log where they run. */
  static PeerProcess run(List<String> command) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("peers");
    try {
      return run(command, folder);
    } finally {
      try (var left = Files.walk(folder)) {
        for (var path : left.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
      }
    }
  }

  private static PeerProcess run(List<String> command, Path folder)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    var out = folder.resolve("peer.out");
    var error = folder.resolve("peer.err");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(error.toFile())
            .start();
    process.getOutputStream().close();
    double mebibytes = 0;
    while (!process.waitFor(10, TimeUnit.MILLISECONDS)) {
      mebibytes = Math.max(mebibytes, highWater(process.pid()));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + Files.readString(error));
    }
    return new PeerProcess(Files.readString(out), Files.readString(error), seconds, mebibytes);
  }

  /** The most memory that a process has had, in MiB; 0 where it is gone already. */
  private static double highWater(long pid) {
    try {
      var match =
          Pattern.compile("VmHWM:\\s+(\\d+)")
              .matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
      return match.find() ? Double.parseDouble(match.group(1)) / 1024 : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** The first number that a JSON text has by a name. */
  static Optional<Double> number(String json, String key) {
    var match = Pattern.compile("\"" + key + "\"\\s*:\\s*([0-9.eE+-]+)").matcher(json);
    return match.find() ? Optional.of(Double.parseDouble(match.group(1))) : Optional.empty();
  }
}
