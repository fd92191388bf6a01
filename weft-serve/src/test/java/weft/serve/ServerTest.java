package weft.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.load.LanguageModel;
import weft.load.LoadException;
import weft.load.LoadOptions;
import weft.serve.models.Room;
import weft.serve.models.ServeException;
import weft.serve.models.Shelf;
import weft.serve.models.Source;

/** How a server begins and ends. */
class ServerTest {
  private static final String STREAM =
      """
      {"prompt":"Once upon a time","max_tokens":100000,"ignore_eos":true,"stream":true}""";

  @Test
  void aServerThatLeavesLetsAnswersEndAndTurnsOthersAway() throws Exception {
    var shelf = Running.shelf(LoadOptions.standard().withContextLength(100_000));
    var running = Running.start(options -> options.withGrace(Duration.ofSeconds(2)), shelf);
    var request =
        running.request("/v1/completions").POST(HttpRequest.BodyPublishers.ofString(STREAM));
    var stream =
        running.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream()).body();
    try (var lines = new BufferedReader(new InputStreamReader(stream))) {
      var line = lines.readLine();
      while (!line.startsWith("data: ")) line = lines.readLine();
      var closing = CompletableFuture.runAsync(running.server()::close);
      var turnedAway = running.post("/v1/completions", "{\"prompt\":\"a\"}");
      while (turnedAway.status() == 200) {
        turnedAway = running.post("/v1/completions", "{\"prompt\":\"a\",\"max_tokens\":1}");
      }
      assertThat(turnedAway.status()).isEqualTo(503);
      assertThat(turnedAway.response().headers().firstValue("Retry-After")).isPresent();
      assertThat(running.get("/health").status()).isEqualTo(503);
      assertThat(running.get("/health/live").status()).isEqualTo(200);
      assertThat(lines.lines().filter(each -> !each.isEmpty()).reduce((_, last) -> last))
          .as("the stream ends as streams do")
          .hasValue("data: [DONE]");
      closing.join();
    }
    running.close();
  }

  @Test
  void aPortThatIsTakenIsSaid() {
    try (var running = Running.start()) {
      assertThatThrownBy(() -> Running.start(options -> options.withPort(running.port())))
          .isInstanceOf(ServeException.class)
          .hasMessageContaining("cannot listen at 127.0.0.1:" + running.port());
    }
  }

  @Test
  void aModelThatCannotBeLoadedIsThatRequestsProblem() {
    var broken =
        new Source(
            "broken",
            1,
            () -> {
              throw new LoadException("/secret/path is damaged");
            });
    var shelf =
        new Shelf(
            List.of(new Source("good", 1, LanguageModel::builtIn), broken),
            Room.UNBOUNDED,
            Duration.ofSeconds(1));
    try (var running = Running.start(options -> options, shelf)) {
      var body = "{\"model\":\"%s\",\"prompt\":\"a\",\"max_tokens\":1}";
      var failed = running.post("/v1/completions", body.formatted("broken"));
      assertThat(failed.status()).isEqualTo(500);
      assertThat(failed.body()).doesNotContain("secret");
      assertThat(running.post("/v1/completions", body.formatted("good")).status()).isEqualTo(200);
    }
  }

  @Test
  void itSpeaksTls(@TempDir Path folder) throws Exception {
    var certificate = folder.resolve("cert.pem");
    var key = folder.resolve("key.pem");
    Assumptions.assumeTrue(isMade(certificate, key), "no openssl here to make a certificate");
    try (var running =
            Running.start(options -> options.withCertificate(text(certificate), text(key)));
        var client = HttpClient.newBuilder().sslContext(trusting()).build()) {
      var request =
          HttpRequest.newBuilder(URI.create("https://localhost:" + running.port() + "/health"));
      var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
    }
    assertThatThrownBy(
            () -> Running.start(options -> options.withCertificate(text(certificate), "no key")))
        .isInstanceOf(ServeException.class)
        .hasMessageContaining("TLS key");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isMade(Path certificate, Path key) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "openssl",
                  "req",
                  "-x509",
                  "-newkey",
                  "ec",
                  "-pkeyopt",
                  "ec_paramgen_curve:prime256v1",
                  "-nodes",
                  "-subj",
                  "/CN=localhost",
                  "-addext",
                  "subjectAltName=DNS:localhost",
                  "-keyout",
                  key.toString(),
                  "-out",
                  certificate.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Trusts whoever answers: who that is, is not what is tested. */
  private static SSLContext trusting() throws Exception {
    var anyone =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type)
              throws CertificateException {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type)
              throws CertificateException {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {anyone}, new SecureRandom());
    return context;
  }
}
