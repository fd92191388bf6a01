package weft.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Another program that runs the same checkpoints. */
sealed interface Peer {
  /** What its column is called. */
  String name();

  /** Its tokens per second; empty where it has no such test. */
  Optional<Double> rate(Path file, PeerTask test, int threads)
      throws IOException, InterruptedException;

  /** From the start of the process to its end after one token behind ten. */
  Optional<PeerProcess> first(Path file, int threads) throws IOException, InterruptedException;

  /** llama.cpp's prebuilt library, by a script for Node.js. */
  record Prebuilt(Path script) implements Peer {
    @Override
    public String name() {
      return "llama.cpp";
    }

    @Override
    public Optional<Double> rate(Path file, PeerTask test, int threads)
        throws IOException, InterruptedException {
      var run =
          run(
              file,
              "" + test.prompt(),
              "" + test.gen(),
              "" + test.depth(),
              "" + test.batch(),
              "" + threads);
      return PeerProcess.number(run.out(), test.gen() > 0 ? "decode" : "prefill");
    }

    @Override
    public Optional<PeerProcess> first(Path file, int threads)
        throws IOException, InterruptedException {
      return Optional.of(run(file, "first", "" + threads));
    }

    private PeerProcess run(Path file, String... arguments)
        throws IOException, InterruptedException {
      var command = new ArrayList<>(List.of("node", script.toString(), file.toString()));
      command.addAll(List.of(arguments));
      return PeerProcess.run(command);
    }
  }

  /**
   * A native build: its {@code llama-bench}, and {@code llama-batched-bench} beside it for several
   * sequences at once. What options a build knows is read in its help: forks differ.
   *
   * @param help what it prints of itself
   */
  record Native(String name, Path bench, String help) implements Peer {
    /** {@code NAME=path/to/llama-bench}. */
    static Native of(String given) throws IOException, InterruptedException {
      int equals = given.indexOf('=');
      var bench = Path.of(given.substring(equals + 1)).toAbsolutePath();
      if (equals < 1 || !Files.isExecutable(bench)) {
        throw new IOException(
            "--native takes NAME=path/to/llama-bench, a program that is there, got '"
                + given
                + "'");
      }
      var help = PeerProcess.run(List.of(bench.toString(), "--help")).out();
      return new Native(given.substring(0, equals), bench, help);
    }

    private boolean knows(String option) {
      return Pattern.compile("(^|[\\s,])" + Pattern.quote(option) + "[\\s,=]", Pattern.MULTILINE)
          .matcher(help)
          .find();
    }

    @Override
    public Optional<Double> rate(Path file, PeerTask test, int threads)
        throws IOException, InterruptedException {
      if (test.batch() > 1) return together(file, test, threads);
      var command = command(file, threads, test.depth() > 0 ? 1 : 2);
      if (test.depth() == 0) {
        command.addAll(List.of("-p", "" + test.prompt(), "-n", "" + test.gen()));
      } else if (knows("-d")) {
        command.addAll(List.of("-p", "0", "-n", "" + test.gen(), "-d", "" + test.depth()));
      } else if (knows("-gp")) {
        command.addAll(List.of("-p", "0", "-n", "0", "-gp", test.depth() + "," + test.gen()));
      } else {
        return Optional.empty();
      }
      return PeerProcess.number(PeerProcess.run(command).out(), "avg_ts");
    }

    private List<String> command(Path file, int threads, int repetitions) {
      return new ArrayList<>(
          List.of(
              bench.toString(),
              "-m",
              file.toString(),
              "-t",
              "" + threads,
              "-r",
              "" + repetitions,
              "-o",
              "json"));
    }

    /** The last row of its table has the speed of all sequences together in the eighth column. */
    private Optional<Double> together(Path file, PeerTask test, int threads)
        throws IOException, InterruptedException {
      var batched = bench.resolveSibling("llama-batched-bench");
      if (!Files.isExecutable(batched)) return Optional.empty();
      int positions = test.batch() * (1 + test.gen());
      var run =
          PeerProcess.run(
              List.of(
                  batched.toString(),
                  "-m",
                  file.toString(),
                  "-c",
                  "" + Math.max(512, positions),
                  "-npp",
                  "1",
                  "-ntg",
                  "" + test.gen(),
                  "-npl",
                  "" + test.batch(),
                  "-t",
                  "" + threads));
      return Stream.of(run.out(), run.error())
          .flatMap(String::lines)
          .filter(line -> line.matches("\\|\\s*\\d.*\\|"))
          .reduce((_, last) -> last)
          .map(line -> Double.parseDouble(line.split("\\|")[8].strip()));
    }

    @Override
    public Optional<PeerProcess> first(Path file, int threads)
        throws IOException, InterruptedException {
      var command = command(file, threads, 1);
      command.addAll(List.of("-p", "10", "-n", "0"));
      if (knows("--no-warmup")) command.add("--no-warmup");
      else if (knows("-w")) command.addAll(List.of("-w", "0"));
      return Optional.of(PeerProcess.run(command));
    }
  }
}
