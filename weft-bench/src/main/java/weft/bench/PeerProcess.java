package weft.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  static PeerProcess run(List<String> command) throws IOException, InterruptedException {
    long start = System.nanoTime();
    var out = Files.createTempFile("peers", ".out");
    var error = Files.createTempFile("peers", ".err");
    var process =
        new ProcessBuilder(command)
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
    var run = new PeerProcess(Files.readString(out), Files.readString(error), seconds, mebibytes);
    Files.delete(out);
    Files.delete(error);
    return run;
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
