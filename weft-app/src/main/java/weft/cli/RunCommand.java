package weft.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Listener;
import weft.generate.Piece;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Usage;

/** Goes on from a prompt. */
@Command(name = "run", description = "Goes on from a prompt, printing as it goes.")
final class RunCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions options;
  @Mixin private PromptOptions prompt;
  @Mixin private ImageOptions images;

  @Option(names = "--json", description = "Print one JSON document at the end, and nothing else.")
  private boolean isJson;

  @Option(
      names = "--logprobs",
      paramLabel = "N",
      description =
          "With --json: each token's log-probability and the N likeliest in its place; 0 for its"
              + " own alone.")
  private @Nullable Integer logprobs;

  @ArgGroup(validate = false, heading = "%nGuessing ahead:%n")
  private SpeculateOptions speculation = new SpeculateOptions();

  @ArgGroup(validate = false, heading = "%nHow tokens are chosen, and when to stop:%n")
  private SamplingOptions sampling = new SamplingOptions();

  @ArgGroup(validate = false, heading = "%nWhat the reply may be:%n")
  private GrammarOptions grammar = new GrammarOptions();

  RunCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    prompt.requireGiven();
    if (logprobs != null) Ranges.require("--logprobs", logprobs, 0, Integer.MAX_VALUE);
    speculation.requireRight();
    var choice = sampling.choice();
    var form = grammar.form();
    var shown = images.read();
    try (var opened = options.open(console, speculation::of)) {
      var tokenizer = prompt.tokenizer(opened.language(), console);
      var request = choice.of(prompt.request(opened.language(), tokenizer, shown));
      if (form.isPresent()) request = form.get().on(opened.language()).apply(request);
      if (logprobs != null) request = request.withLogprobs(logprobs);
      options.reportLayers(opened, request.prompt(), console);
      if (isJson) {
        var reply = opened.submit(request).await();
        opened.progress().done();
        Json.print(console, document(reply, tokenizer.isPresent(), opened.loading()));
      } else {
        if (prompt.isPlain(opened.language(), request.prompt())) {
          console.say(
              "this model has a chat template, and run goes on from the bare prompt; to ask it: "
                  + options.commandLine(console, "chat")
                  + " -p TEXT");
        }
        showPrompt();
        stream(opened, request, tokenizer.isPresent());
      }
      options.reportTime(opened, console);
    }
    return 0;
  }

  /** In a terminal a reply reads better behind its prompt; elsewhere the reply is all there is. */
  private void showPrompt() throws IOException {
    if (!console.settings().isOutputTerminal()) return;
    var text = prompt.text().orElse("");
    console.out().print(console.settings().isColored() ? "\033[1m" + text + "\033[0m" : text);
  }

  /** Without a tokenizer the ids are all there is to print. */
  private void stream(ModelOptions.Opened opened, Request request, boolean hasText) {
    var out = console.out();
    Listener listener =
        piece -> {
          opened.progress().done();
          // A reader that has gone, like head, wants no more.
          return out.tryPrint(hasText ? piece.text() : piece.token() + " ")
              ? Listener.Answer.CONTINUE
              : Listener.Answer.STOP;
        };
    var reply = opened.submit(request.withListener(listener)).await();
    out.println();
    console.say(timings(reply.usage()));
  }

  private static String timings(Usage usage) {
    var times =
        "%s; %s"
            .formatted(
                rate("prompt", usage.prefillTokens(), usage.prefill()),
                rate("reply", usage.decodeTokens(), usage.decode()));
    var stopped = usage.draftingStopped().map("; no guesses any more: "::concat).orElse("");
    if (usage.draftedTokens() == 0) return times + stopped;
    return guessed(times, usage) + stopped;
  }

  private static String guessed(String times, Usage usage) {
    return "%s; %d of %d guesses held, %.1f tokens a pass"
        .formatted(times, usage.acceptedTokens(), usage.draftedTokens(), usage.tokensPerPass());
  }

  private static String rate(String what, int tokens, Duration time) {
    double seconds = time.toNanos() / 1e9;
    return "%s %d tokens in %.2f s (%.1f tokens/s)"
        .formatted(what, tokens, seconds, seconds > 0 ? tokens / seconds : 0);
  }

  private ObjectNode document(Reply reply, boolean hasText, Duration loading) {
    var usage = reply.usage();
    var document = Json.object();
    document.set("tokens", Json.array(reply.tokens()));
    document.put("text", hasText ? reply.text() : null);
    document.put("finish_reason", Json.reason(reply.finish()));
    ObjectNode timings = document.putObject("timings");
    timings.put("load_ms", Json.milliseconds(loading));
    timings.put("prefill_tokens", usage.prefillTokens());
    timings.put("prefill_ms", Json.milliseconds(usage.prefill()));
    timings.put("decode_tokens", usage.decodeTokens());
    timings.put("decode_ms", Json.milliseconds(usage.decode()));
    document.set("usage", Json.usage(usage));
    if (usage.draftedTokens() > 0) {
      timings.put("drafted_tokens", usage.draftedTokens());
      timings.put("accepted_tokens", usage.acceptedTokens());
    }
    if (logprobs != null) {
      var probabilities = document.putArray("logprobs");
      for (var piece : reply.pieces()) probabilities.add(logprob(piece));
    }
    return document;
  }

  private static ObjectNode logprob(Piece piece) {
    var node = Json.object();
    node.put("token", piece.token());
    node.put("logprob", piece.logprob());
    var top = node.putArray("top");
    for (var other : piece.alternatives()) {
      top.addObject().put("token", other.token()).put("logprob", other.logprob());
    }
    return node;
  }
}
