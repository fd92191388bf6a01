package weft.serve.openai;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Event;
import weft.serve.web.Visit;

/** Texts that go on, as OpenAI streams them. */
final class CompletionStream {
  private final Chunks chunks;
  private final Completions.Wish wish;
  private final boolean withUsage;
  private final int[] offsets;
  private final String id = OpenAi.id("cmpl");
  private final Instant created = Instant.now(); // of all chunks
  private String model = Ask.FIRST_MODEL;

  CompletionStream(Visit visit, Completions.Wish wish, boolean withUsage) {
    this.chunks = new Chunks(visit);
    this.wish = wish;
    this.withUsage = withUsage;
    this.offsets = new int[wish.answers()];
  }

  void run(Answering answering) {
    chunks.run(() -> Completions.tell(answering, wish, this::hear));
  }

  private void hear(Event event) {
    switch (event) {
      case Event.Begun begun -> {
        model = begun.model();
        chunks.begin();
        for (int i = 0; i < wish.echoed().size(); i++) {
          var choice = CompletionAnswer.choice(i, wish.echo(i));
          var chances = wish.echoChances(i);
          if (!chances.isEmpty()) choice.set("logprobs", CompletionAnswer.logprobs(chances, 0));
          offsets[i] = wish.echo(i).length();
          send(choice);
        }
      }
      case Event.Said said -> {
        var choice = CompletionAnswer.choice(said.answer(), said.text());
        if (wish.hasLogprobs()) {
          choice.set("logprobs", CompletionAnswer.logprobs(said.chances(), offsets[said.answer()]));
        }
        offsets[said.answer()] += said.text().length();
        send(choice);
      }
      case Event.Ended ended -> {
        var choice = CompletionAnswer.choice(ended.answer(), "");
        choice.put("finish_reason", ChatAnswer.reason(ended.end()));
        send(choice);
      }
      case Event.Spent spent -> {
        if (!withUsage) return;
        var last = ChatAnswer.head(id, created, "text_completion", model);
        last.putArray("choices");
        last.set("usage", ChatAnswer.usage(spent.cost()));
        last.set("timings", Timings.of(spent.cost()));
        chunks.send(last);
      }
      case Event.Waiting() -> chunks.waiting();
      case Event.Thought _, Event.CallBegun _, Event.CallArguments _ -> {}
    }
  }

  private void send(ObjectNode choice) {
    var chunk = ChatAnswer.head(id, created, "text_completion", model);
    chunk.putArray("choices").add(choice);
    if (withUsage) chunk.putNull("usage");
    chunks.send(chunk);
  }
}
