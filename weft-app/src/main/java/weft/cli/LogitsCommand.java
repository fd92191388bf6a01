package weft.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weft.generate.Sequence;

/** Prints what the model thinks may follow a prompt. */
@Command(name = "logits", description = "Prints the logits after a prompt.")
final class LogitsCommand implements Callable<Integer> {
  private static final int LIKELIEST = 10;

  private final Console console;

  @Mixin private ModelOptions options;

  @Mixin private PromptOptions prompt;

  @Mixin private ImageOptions images;

  @Option(names = "--json", description = "Print all logits as one JSON document.")
  private boolean isJson;

  LogitsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    prompt.requireGiven();
    var shown = images.read();
    try (var opened = options.open(console);
        var sequence = Sequence.open(opened.model())) {
      var text = prompt.pictured(opened.language(), shown);
      options.reportLayers(opened, text.tokens(), console);
      var logits = sequence.with(text.album()).prefill(text.tokens());
      opened.progress().done();
      if (isJson) {
        var document = Json.object();
        document.set("logits", Json.array(logits));
        Json.print(console, document);
      } else {
        printLikeliest(logits);
      }
      options.reportTime(opened, console);
    }
    return 0;
  }

  private void printLikeliest(float[] logits) {
    var table = new Table("token", "logit").right(0, 1);
    java.util.stream.IntStream.range(0, logits.length)
        .boxed()
        .sorted((a, b) -> Float.compare(logits[b], logits[a]))
        .limit(LIKELIEST)
        .forEach(id -> table.row(id, "%.4f".formatted(logits[id])));
    table.print(console.out());
  }
}
