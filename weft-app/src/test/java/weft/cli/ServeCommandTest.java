package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeCommandTest {
  private static final Pattern LISTENING = Pattern.compile("listening at (http://[0-9.:]+)");

  private static String awaitAddress(ByteArrayOutputStream err) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < deadline) {
      var found = LISTENING.matcher(err.toString(StandardCharsets.UTF_8));
      if (found.find()) return found.group(1);
      Thread.sleep(50);
    }
    throw new AssertionError("never listened: " + err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void theBuiltInModelAnswersAtOnceAndKeysAreWanted(@TempDir Path folder) throws Exception {
    var keys = Files.writeString(folder.resolve("keys"), "one\n\ntwo\n");
    var err = new ByteArrayOutputStream();
    var console =
        new Console(
            new ByteArrayInputStream(new byte[0]),
            Output.ofResults(new ByteArrayOutputStream()),
            Output.ofRemarks(err),
            Settings.plain(Path.of("target", "cache")));
    var status = new AtomicInteger(-1);
    var thread =
        Thread.ofPlatform()
            .start(
                () ->
                    status.set(
                        Commands.run(
                            console, "serve", "--port=0", "--api-key-file=" + keys, "--log=json")));
    try (var client = HttpClient.newHttpClient()) {
      var address = awaitAddress(err);
      assertThat(ask(client, address, "Bearer two").statusCode()).isEqualTo(200);
      assertThat(ask(client, address, "Bearer three").statusCode()).isEqualTo(401);
    } finally {
      thread.interrupt();
      thread.join();
    }
    assertThat(status).hasValue(0);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("\"serving weft-tiny (context 2048)")
        .contains("try: curl http://")
        .contains("\"status\":401")
        .doesNotContain("three");
  }

  private static HttpResponse<String> ask(HttpClient client, String address, String key)
      throws IOException, InterruptedException {
    var body = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}],\"max_tokens\":4}";
    var request =
        HttpRequest.newBuilder(URI.create(address + "/v1/chat/completions"))
            .headers("Authorization", key, "Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void modelsAreNamedAfterTheirFiles(@TempDir Path folder) throws IOException {
    for (var name :
        new String[] {"b.gguf", "a-00001-of-00002.gguf", "a-00002-of-00002.gguf", ".c.gguf", "d"}) {
      Files.writeString(folder.resolve(name), "12345");
    }
    var models = Files.createDirectory(folder.resolve("e"));
    Files.writeString(models.resolve("config.json"), "{}");
    Files.writeString(models.resolve("model.safetensors"), "123");
    var found = ServedModels.in(folder);
    assertThat(found.stream().map(ServedModels::name)).containsExactly("a", "b", "e");
    assertThat(found.stream().map(ServedModels::bytes)).containsExactly(10L, 5L, 3L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--tls-cert=x            | --tls-cert and --tls-key go together",
        "--log=loud              | --log: no form of a log is called loud",
        "--api-key=              | --api-key takes a key",
        "--models=absent-folder  | --models takes a folder",
      })
  void wrongUsageIsSaidAtOnce(String option, String expected) {
    var result = Cli.run("serve", option);
    assertThat(result.status()).as(result.err()).isEqualTo(2);
    assertThat(result.err()).contains(expected);
  }
}
