package examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import weft.chat.ChatOptions;
import weft.load.LanguageModel;

/**
 * A model behind a web handler: {@code examples/run WebHandler 8080}, then {@code curl -d "Who are
 * you?" localhost:8080/ask}. The answer is sent as it is made; a client that goes away ends it. The
 * server ends with its standard input.
 */
public final class WebHandler {
  private static final int LONGEST_QUESTION = 10_000;

  private final LanguageModel model;

  private WebHandler(LanguageModel model) {
    this.model = model;
  }

  public static void main(String[] args) throws IOException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    try (var model = LanguageModel.builtIn();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      var server = HttpServer.create(address, 0);
      server.createContext("/ask", new WebHandler(model)::answer);
      server.setExecutor(threads);
      server.start();
      System.out.println("http://localhost:" + server.getAddress().getPort() + "/ask");
      while (System.in.read() >= 0) {}
      server.stop(0);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var question =
          new String(
              exchange.getRequestBody().readNBytes(LONGEST_QUESTION), StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      var out = exchange.getResponseBody();
      var conversation = model.conversation().with(ChatOptions.standard().withMaxTokens(200));
      // Closing the stream, for whatever reason, ends the answer.
      try (var fragments = conversation.stream(question)) {
        fragments.forEach(
            fragment -> {
              try {
                out.write(fragment.text().getBytes(StandardCharsets.UTF_8));
                out.flush();
              } catch (IOException gone) {
                throw new UncheckedIOException(gone);
              }
            });
      }
    }
  }
}
