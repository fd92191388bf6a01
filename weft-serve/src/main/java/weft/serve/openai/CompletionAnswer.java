package weft.serve.openai;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Chance;
import weft.serve.ask.Whole;
import weft.serve.web.Json;

/** Texts that went on, as OpenAI writes them. */
final class CompletionAnswer {
  private CompletionAnswer() {}

  static ObjectNode document(Whole whole, Completions.Wish wish) {
    var document =
        ChatAnswer.head(OpenAi.id("cmpl"), Instant.now(), "text_completion", whole.model());
    var choices = document.putArray("choices");
    for (var answer : whole.answers()) {
      int index = choices.size();
      var choice = choice(index, wish.echo(index) + answer.text());
      if (wish.hasLogprobs()) {
        var chances = new ArrayList<>(wish.echoChances(index));
        int offset = chances.isEmpty() ? wish.echo(index).length() : 0;
        chances.addAll(answer.chances());
        choice.set("logprobs", logprobs(chances, offset));
      }
      choice.put("finish_reason", ChatAnswer.reason(answer.end()));
      choices.add(choice);
    }
    document.set("usage", ChatAnswer.usage(whole.cost()));
    document.set("timings", Timings.of(whole.cost()));
    return document;
  }

  static ObjectNode choice(int index, String text) {
    var choice = Json.object();
    choice.put("text", text);
    choice.put("index", index);
    choice.putNull("logprobs");
    choice.putNull("finish_reason");
    return choice;
  }

  /** {@code offset} is how many characters of the answer came before. */
  static ObjectNode logprobs(List<Chance> chances, int offset) {
    var logprobs = Json.object();
    var tokens = logprobs.putArray("tokens");
    var values = logprobs.putArray("token_logprobs");
    var tops = logprobs.putArray("top_logprobs");
    var offsets = logprobs.putArray("text_offset");
    int at = offset;
    for (var chance : chances) {
      tokens.add(chance.text());
      offsets.add(at);
      at += chance.text().length();
      if (Double.isNaN(chance.logprob())) {
        // Nothing came before the first token of a prompt.
        values.addNull();
        tops.addNull();
        continue;
      }
      values.add(Math.max(chance.logprob(), -9999));
      var top = tops.addObject();
      chance
          .alternatives()
          .forEach(other -> top.put(other.text(), Math.max(other.logprob(), -9999)));
    }
    return logprobs;
  }
}
