package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.serve.Running;

/** The files of the page as the server gives them. */
class PageFilesTest {
  private static final Path SOURCES = Path.of("src/main/resources/weft/serve/page");
  private static final int LONGEST_FILE = 500;

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static List<Path> sources() throws IOException {
    try (var files = Files.list(SOURCES)) {
      return files.toList();
    }
  }

  @Test
  void everyFileIsServedAndEveryServedFileIsThere() throws IOException {
    var ours =
        Assets.names().stream()
            .filter(name -> !name.startsWith("lib/"))
            .collect(Collectors.toSet());
    assertThat(sources().stream().map(path -> path.getFileName().toString()))
        .as("files of the page, and those that Assets names")
        .containsExactlyInAnyOrderElementsOf(ours);
    for (var name : Assets.names()) {
      assertThat(running.get("/page/" + name).status()).as(name).isEqualTo(200);
    }
  }

  @Test
  void filesAreShortAndNameNoOtherPlace() throws IOException {
    for (var path : sources()) {
      var text = Files.readString(path);
      assertThat(text.lines().count()).as(path.toString()).isLessThan(LONGEST_FILE);
      assertThat(text.replace("http://www.w3.org/2000/svg", ""))
          .as(path + " fetches from this server alone")
          .doesNotContain("http:", "https://", "//cdn", "@import url")
          .doesNotContain("innerHTML", "eval(", "document.write");
    }
  }

  @Test
  void theBrowserIsToldToTrustNothingElse() {
    var answer = running.get("/");
    assertThat(answer.body()).startsWith("<!doctype html>");
    assertThat(answer.body()).doesNotContain("<style", " style=", " onclick=", "<script>");
    var headers = answer.response().headers();
    assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "*");
    assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
    assertThat(headers.firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(running.get("/page/main.js").response().headers().firstValue("Content-Type"))
        .contains("text/javascript; charset=utf-8");
  }

  @Test
  void aFileThatDidNotChangeIsNotSentAgain() {
    var first = running.get("/page/main.js").response();
    var tag = first.headers().firstValue("ETag").orElseThrow();
    var again = running.send(running.request("/page/main.js").header("If-None-Match", tag));
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.response().headers().firstValue("ETag")).contains(tag);
    var other = running.send(running.request("/page/main.js").header("If-None-Match", "\"x\""));
    assertThat(other.body()).isEqualTo(first.body());
  }

  @Test
  void whoTakesGzipGetsLess() throws Exception {
    var request = running.request("/page/main.js").header("Accept-Encoding", "br, gzip").build();
    var packed = running.client().send(request, BodyHandlers.ofInputStream());
    assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
    try (var in = new java.util.zip.GZIPInputStream(packed.body())) {
      assertThat(new String(in.readAllBytes())).isEqualTo(running.get("/page/main.js").body());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/page/",
        "/page/Page.class",
        "/page/package-info.class",
        "/page/../Server.class",
        "/page/..%2FServer.class",
        "/page/%2e%2e/Server.class",
        "/page/lib/marked/LICENSE.md",
        "/page/main.js/",
        "/page/main.js%00",
        "/index.html"
      })
  void whatIsNoFileOfThePageIsNotFound(String path) {
    assertThat(running.get(path).status()).isIn(400, 404);
  }
}
