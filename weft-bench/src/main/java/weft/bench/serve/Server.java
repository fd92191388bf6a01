package weft.bench.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A server in a process of its own, spoken to as OpenAI's clients do; owns the process. */
final class Server implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern MADE = Pattern.compile("\"completion_tokens\"\\s*:\\s*(\\d+)");
  private static final Pattern TEXT = Pattern.compile("\"text\"\\s*:");

  private final String name;
  private final URI address;
  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();

  private Server(String name, URI address, Process process) {
    this.name = name;
    this.address = address;
    this.process = process;
  }

  /** Starts a command, whose word PORT stands for a free port, and waits until it is healthy. */
  static Server start(String name, List<String> command, Path log)
      throws IOException, InterruptedException {
    int port = freePort();
    var words = command.stream().map(word -> word.replace("PORT", "" + port)).toList();
    var process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    var server = new Server(name, URI.create("http://127.0.0.1:" + port), process);
    try {
      server.awaitHealth(log);
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
    return server;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  String name() {
    return name;
  }

  URI address() {
    return address;
  }

  int port() {
    return address.getPort();
  }

  /** The id of the process. */
  long process() {
    return process.pid();
  }

  private void awaitHealth(Path log) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(address.resolve("/health")).build();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      if (!process.isAlive()) throw new IOException(name + " ended; see " + log);
      try {
        var answer = client.send(request, HttpResponse.BodyHandlers.discarding());
        if (answer.statusCode() == 200) return;
      } catch (IOException notYet) {
        // It does not listen yet.
      }
      Thread.sleep(100);
    }
    throw new IOException(name + " was not healthy in " + PATIENCE.toSeconds() + " s; see " + log);
  }

  /** Asks for a reply of so many tokens and hears it to its end. */
  Told ask(int[] prompt, int tokens) {
    var body =
        """
        {"prompt":[%s],"max_tokens":%d,"temperature":0,"ignore_eos":true,"stream":true,
         "stream_options":{"include_usage":true}}"""
            .formatted(
                Arrays.stream(prompt).mapToObj(String::valueOf).collect(Collectors.joining(",")),
                tokens);
    long begun = System.nanoTime();
    try (var answer = new Streamed(port(), "/v1/completions", body)) {
      if (answer.status() != 200) {
        throw new IOException(
            "status " + answer.status() + ": " + answer.line().orElse("without a word"));
      }
      return heard(begun, answer);
    } catch (IOException e) {
      throw new UncheckedIOException(name + ": " + e.getMessage(), e);
    }
  }

  private Told heard(long begun, Streamed answer) throws IOException {
    var gaps = new ArrayList<Double>();
    double first = 0;
    long last = 0;
    int made = 0;
    for (var next = answer.line(); next.isPresent(); next = answer.line()) {
      var line = next.get();
      if (line.isEmpty()) continue;
      long now = System.nanoTime();
      var usage = MADE.matcher(line);
      if (usage.find()) made = Integer.parseInt(usage.group(1));
      if (!TEXT.matcher(line).find()) continue;
      if (last == 0) first = (now - begun) / 1e9;
      else gaps.add((now - last) / 1e9);
      last = now;
    }
    if (last == 0) throw new IOException(name + " said nothing");
    if (made == 0) System.err.println(name + " broke off a reply after " + (gaps.size() + 1));
    return new Told(Math.max(made, gaps.size() + 1), first, gaps);
  }

  /** Ends the process, and waits for that. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
