package weft.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import weft.generate.Capacity;
import weft.generate.EngineReport;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.serve.models.Shelf;

/** Clients that misbehave free what they hold, and others notice nothing. */
class AbuseTest {
  private static final String LONG =
      "{\"prompt\":\"Once upon a time\",\"max_tokens\":100000,\"ignore_eos\":true,\"stream\":%s}";

  private Shelf shelf;
  private Running running;

  @BeforeEach
  void start() {
    shelf =
        Running.shelf(
            LoadOptions.standard()
                .withContextLength(100_000)
                .withCapacity(Capacity.standard().withParallel(2).withQueue(2)));
    running =
        Running.start(
            options ->
                options
                    .withSilence(Duration.ofSeconds(1))
                    .withStall(Duration.ofSeconds(1))
                    .withGrace(Duration.ofMillis(100)),
            shelf);
    assertThat(running.post("/v1/completions", "{\"prompt\":\"a\",\"max_tokens\":1}").status())
        .isEqualTo(200);
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private Socket connect(String request) throws IOException {
    var socket = new Socket("127.0.0.1", running.port());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return socket;
  }

  private static String head(String body) {
    return "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n";
  }

  private EngineReport report() {
    return shelf.loaded().values().stream().map(LanguageModel::report).findFirst().orElseThrow();
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long until " + what).isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  private static int readToEnd(InputStream in) throws IOException {
    int count = 0;
    try {
      while (in.read() >= 0) count++;
    } catch (IOException e) {
      // Hung up on is as good as ended.
    }
    return count;
  }

  @Test
  void aClientThatLeavesAStreamFreesItsSeat() throws Exception {
    var body = LONG.formatted(true);
    try (var socket = connect(head(body) + body)) {
      assertThat(socket.getInputStream().read()).isPositive();
      await("it runs", () -> report().running() == 1);
    }
    await("it is cancelled", () -> report().cancelled() == 1);
  }

  @Test
  void aClientThatLeavesWhileItWaitsForAWholeAnswerFreesItsSeat() throws Exception {
    var body = LONG.formatted(false);
    try (var _ = connect(head(body) + body)) {
      await("it runs", () -> report().running() == 1);
    }
    await("it is cancelled", () -> report().cancelled() == 1);
  }

  @Test
  void aClientThatStopsReadingFreesItsSeat() throws Exception {
    // Probabilities of alternatives make a stream that no buffer of a socket holds.
    var body = LONG.formatted(true).replace("}", ",\"logprobs\":5}");
    try (var socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(new java.net.InetSocketAddress("127.0.0.1", running.port()));
      socket.getOutputStream().write((head(body) + body).getBytes(StandardCharsets.UTF_8));
      await("it runs", () -> report().running() == 1);
      await("it is cancelled", () -> report().cancelled() == 1);
    }
  }

  @Test
  void aSlowOrSilentClientIsHungUpOn() throws Exception {
    try (var silent = connect("");
        var slow = connect("POST /v1/completions HTTP/1.1\r\nHost: loc");
        var late = connect(head("x".repeat(50)) + "{")) {
      assertThat(readToEnd(silent.getInputStream())).isZero();
      readToEnd(slow.getInputStream());
      readToEnd(late.getInputStream());
    }
    assertThat(running.get("/health").status()).isEqualTo(200);
  }

  @Test
  void garbageIsAnsweredOrHungUpOn() throws Exception {
    for (var garbage :
        new String[] {
          "\u0000\u0001\u0002\r\n\r\n",
          "GET\r\n\r\n",
          "GET / HTTP/9.9\r\n\r\n",
          "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\nX: " + "b".repeat(100_000) + "\r\n\r\n",
          "POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
          "POST /v1/completions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n",
        }) {
      try (var socket = connect(garbage)) {
        socket.setSoTimeout(20_000);
        readToEnd(socket.getInputStream());
      } catch (IOException e) {
        // It was hung up on before all was written.
      }
    }
    assertThat(running.get("/health").status()).isEqualTo(200);
  }

  @Test
  void whatIsNoHttpIsToldSoInJsonAndWithoutItsWords() throws Exception {
    for (var noise :
        new String[] {
          "POST /sec\u0001ret HTTP/1.1\r\nHost: a b c\r\n\r\n",
          "GET /secret%zz HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /secret%ff%fe?%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        }) {
      try (var socket = connect(noise)) {
        socket.setSoTimeout(20_000);
        var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(answer).matches("(?s)HTTP/1.1 40[04].*").contains("\"error\"");
        assertThat(answer).doesNotContain("ret");
      }
    }
  }

  @Test
  void moreThanTheQueueHoldsIsRefusedForAWhile() throws Exception {
    var sockets = new ArrayList<Socket>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var body = LONG.formatted(true);
      for (int i = 0; i < 4; i++) sockets.add(connect(head(body) + body));
      await("the queue is full", () -> report().running() + report().waiting() >= 4);
      var refused =
          threads
              .submit(() -> running.post("/v1/completions", "{\"prompt\":\"a\",\"max_tokens\":1}"))
              .get();
      assertThat(refused.status()).as(refused.body()).isEqualTo(429);
      assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();
      assertThat(running.post("/v1/completions", body).status()).as("a stream").isEqualTo(429);
    } finally {
      for (var socket : sockets) socket.close();
    }
    await("all are cancelled", () -> report().running() + report().waiting() == 0);
    assertThat(running.post("/v1/completions", "{\"prompt\":\"a\",\"max_tokens\":1}").status())
        .isEqualTo(200);
  }

  @Test
  void whoIsInsideEndsAndOthersAreTurnedAwayWhenTheServerLeaves() throws Exception {
    var body = LONG.formatted(true);
    try (var socket = connect(head(body) + body)) {
      await("it runs", () -> report().running() == 1);
      running.server().close();
      assertThat(readToEnd(socket.getInputStream())).isPositive();
    }
  }
}
