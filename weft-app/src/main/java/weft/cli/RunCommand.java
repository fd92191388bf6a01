package weft.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Finish;
import weft.generate.Generator;
import weft.generate.Listener;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Usage;

/** Goes on from a prompt. */
@Command(name = "run", description = "Goes on from a prompt, printing as it goes.")
final class RunCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions options;

  @Mixin private PromptOptions prompt;

  @ArgGroup(validate = false, heading = "%nHow tokens are chosen, and when to stop:%n")
  private SamplingOptions sampling = new SamplingOptions();

  @Option(names = "--json", description = "Print one JSON document at the end, and nothing else.")
  private boolean isJson;

  RunCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var chosen = sampling.sampling();
    var stops = sampling.stops();
    prompt.requireGiven();
    try (var opened = options.open(console);
        var generator = new Generator(opened.model())) {
      var language = opened.language();
      var request =
          Request.of(prompt.tokens(language))
              .withSampling(chosen)
              .withStops(stops.withTokens(sampling.end(language.stopTokens())));
      if (isJson) {
        print(generator.generate(request), opened.loading());
      } else {
        stream(generator, request);
      }
    }
    return 0;
  }

  private void stream(Generator generator, Request request) {
    var reply =
        generator.generate(
            request.withListener(
                Listener.of(
                    piece -> {
                      console.out().print(piece.token() + " ");
                      console.out().flush();
                    })));
    console.out().println();
    console.out().flush();
    console.say(timings(reply.usage()));
  }

  private static String timings(Usage usage) {
    return "%s; %s"
        .formatted(
            rate("prompt", usage.prefillTokens(), usage.prefill()),
            rate("reply", usage.decodeTokens(), usage.decode()));
  }

  private static String rate(String what, int tokens, Duration time) {
    double seconds = time.toNanos() / 1e9;
    return "%s %d tokens in %.2f s (%.1f tokens/s)"
        .formatted(what, tokens, seconds, seconds > 0 ? tokens / seconds : 0);
  }

  private void print(Reply reply, Duration loading) {
    var usage = reply.usage();
    var document = Json.object();
    document.set("tokens", Json.array(reply.tokens()));
    document.putNull("text");
    document.put("finish_reason", reason(reply.finish()));
    ObjectNode timings = document.putObject("timings");
    timings.put("load_ms", Json.milliseconds(loading));
    timings.put("prefill_tokens", usage.prefillTokens());
    timings.put("prefill_ms", Json.milliseconds(usage.prefill()));
    timings.put("decode_tokens", usage.decodeTokens());
    timings.put("decode_ms", Json.milliseconds(usage.decode()));
    Json.print(console, document);
  }

  private static String reason(Finish finish) {
    return switch (finish) {
      case STOP, STOPPED_BY_CALLBACK -> "stop";
      case LENGTH -> "length";
      case CANCELLED -> "cancelled";
    };
  }
}
