package weft.bench.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A client that does everything right, and knows what it must be answered: the likeliest tokens are
 * the same whoever else is there. Safe for all threads.
 */
final class Guest {
  private static final List<String> QUESTIONS =
      List.of("Tell me a story.", "Once upon a time", "Who is Tim?", "What did the cat see?");
  private static final Pattern CONTENT =
      Pattern.compile("\"content\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern FINISH =
      Pattern.compile("\"finish_reason\"\\s*:\\s*\"(stop|length)\"");

  /** What was wrong with an answer. */
  static final class Disappointment extends Exception {
    private Disappointment(String what) {
      super(what);
    }

    private Disappointment(String what, Throwable cause) {
      super(what, cause);
    }
  }

  private final URI address;
  private final List<String> expected;

  private Guest(URI address, List<String> expected) {
    this.address = address;
    this.expected = expected;
  }

  /** Learns the right answers while nobody else is there. */
  static Guest at(URI address) throws Disappointment, InterruptedException {
    var alone = new Guest(address, List.of());
    try (var client = HttpClient.newHttpClient()) {
      var answers = new java.util.ArrayList<String>();
      for (int i = 0; i < QUESTIONS.size(); i++) {
        var answer = alone.send(client, i, false);
        if (answer.statusCode() != 200)
          throw new Disappointment("status " + answer.statusCode() + " from a quiet server");
        answers.add(text(answer.body()));
      }
      return new Guest(address, List.copyOf(answers));
    }
  }

  /** Asks one of the questions; true where it was answered, false where it was told to wait. */
  boolean ask(HttpClient client, Random random) throws Disappointment, InterruptedException {
    int question = random.nextInt(QUESTIONS.size());
    boolean isStreamed = random.nextBoolean();
    var answer = send(client, question, isStreamed);
    if (answer.statusCode() == 429) return false;
    var body = answer.body();
    if (answer.statusCode() != 200) {
      throw new Disappointment("status " + answer.statusCode() + ": " + start(body));
    }
    if (!FINISH.matcher(body).find()) throw new Disappointment("no end: " + start(body));
    if (isStreamed && !body.stripTrailing().endsWith("data: [DONE]")) {
      throw new Disappointment("a stream broke off");
    }
    if (!text(body).equals(expected.get(question))) {
      throw new Disappointment(
          "another answer: '%s' instead of '%s'".formatted(text(body), expected.get(question)));
    }
    return true;
  }

  private HttpResponse<String> send(HttpClient client, int question, boolean isStreamed)
      throws Disappointment, InterruptedException {
    var body =
        """
        {"messages":[{"role":"user","content":"%s"}],"max_tokens":24,"temperature":0,"stream":%s}"""
            .formatted(QUESTIONS.get(question), isStreamed);
    var request =
        HttpRequest.newBuilder(address.resolve("/v1/chat/completions"))
            .header("Content-Type", "application/json")
            .timeout(Duration.ofMinutes(2))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new Disappointment(e.toString(), e);
    }
  }

  /** All pieces of an answer's text, still escaped. */
  private static String text(String body) {
    return CONTENT
        .matcher(body)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.joining());
  }

  private static String start(String body) {
    return body.substring(0, Math.min(200, body.length()));
  }
}
