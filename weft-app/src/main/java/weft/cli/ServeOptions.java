package weft.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import weft.serve.Happening;
import weft.serve.ServerOptions;

/** How a server listens, and whom it lets in. */
final class ServeOptions {
  private static final int LAST_PORT = 65_535;
  private static final int MOST_GRACE = 3600;
  private static final List<String> LOGS = List.of("text", "json", "none");

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "Where to listen (default: ${DEFAULT-VALUE}, this machine alone).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port; 0 takes any that is free (default: ${DEFAULT-VALUE}).")
  private int port = 8080;

  @Option(
      names = "--api-key",
      paramLabel = "KEY",
      description =
          "A key that clients must bring, which other users of this machine may see; may be given"
              + " several times. WEFT_API_KEY is one, too.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description = "A file of such keys, a line each.")
  private @Nullable Path keyFile;

  @Option(
      names = "--cors",
      paramLabel = "ORIGIN",
      description =
          "An origin whose pages may call, such as https://example.org, or * for all; may be given"
              + " several times (default: none).")
  private List<String> origins = new ArrayList<>();

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Speak TLS with this chain of certificates (PEM); needs --tls-key.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its private key (PEM, PKCS #8, without a password).")
  private @Nullable Path key;

  @Option(
      names = "--isolate",
      description =
          "Never use what was computed for one key, or address, for another: how soon an answer"
              + " begins would tell what others have asked.")
  private boolean isIsolating;

  @Option(
      names = "--allow-remote-images",
      description =
          "Fetch images that clients name by http(s) URLs, from public addresses alone (default:"
              + " they send images themselves).")
  private boolean isFetching;

  @Option(
      names = "--max-body",
      paramLabel = "SIZE",
      description = "Most bytes of a request (default: ${DEFAULT-VALUE}).")
  private String largestBody = "32M";

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      description = "How long answers may go on when the server ends (default: ${DEFAULT-VALUE}).")
  private int grace = 20;

  @Option(
      names = "--log",
      paramLabel = "FORM",
      description =
          "text says what fails, json says every request on a line of its own, too, none is silent"
              + " (default: ${DEFAULT-VALUE}).")
  private String log = "text";

  ServeOptions() {}

  /** Wrong usage is said before anything is looked for. */
  void requireRight() {
    Ranges.require("--port", port, 0, LAST_PORT);
    Ranges.require("--grace", grace, 0, MOST_GRACE);
    Ranges.requireOneOf("--log", "form of a log", log, LOGS);
    Sizes.bytes("--max-body", largestBody);
    if (host.isBlank()) throw new UsageException("--host takes a name or an address, got ''");
    if ((certificate == null) != (key == null)) {
      throw new UsageException("--tls-cert and --tls-key go together; give both or none");
    }
    if (keys.stream().anyMatch(String::isBlank)) {
      throw new UsageException("--api-key takes a key, got ''");
    }
  }

  ServerOptions options(Console console) {
    var options =
        ServerOptions.standard()
            .withHost(host)
            .withPort(port)
            .withKeys(keys(console))
            .withOrigins(origins)
            .withLargestBody(Sizes.bytes("--max-body", largestBody))
            .withGrace(Duration.ofSeconds(grace))
            .withLog(happening -> log(console, happening));
    if (isIsolating) options = options.isolating();
    if (isFetching) options = options.fetchingImages();
    if (certificate != null && key != null) {
      options = options.withCertificate(TextInput.file(certificate), TextInput.file(key));
    }
    return options;
  }

  /** Those of the options, of the file and of the environment. */
  private List<String> keys(Console console) {
    var all = new ArrayList<>(keys);
    if (keyFile != null) {
      var lines = TextInput.file(keyFile).lines().map(String::strip).toList();
      lines.stream().filter(line -> !line.isEmpty()).forEach(all::add);
      if (all.size() == keys.size()) {
        throw new CliException(keyFile + " has no key; write one on a line");
      }
    }
    all.addAll(console.settings().apiKeys());
    return all;
  }

  private void log(Console console, Happening happening) {
    switch (log) {
      case "json" -> console.err().println(ServeLog.line(happening));
      case "text" -> happening.sentence().ifPresent(console::say);
      default -> {} // nobody wants to know
    }
  }

  /** Says something of the server itself, in the form of its log. */
  void say(Console console, String sentence) {
    switch (log) {
      case "json" -> console.err().println(ServeLog.line(sentence));
      default -> console.say(sentence);
    }
  }

  /** Where clients find a server at this port. */
  String address(int listening) {
    var name = List.of("0.0.0.0", "::").contains(host) ? "127.0.0.1" : host;
    return "%s://%s:%d"
        .formatted(
            certificate == null ? "http" : "https",
            name.contains(":") ? "[" + name + "]" : name,
            listening);
  }

  boolean wantsKeys(Console console) {
    return !keys.isEmpty() || keyFile != null || !console.settings().apiKeys().isEmpty();
  }
}
