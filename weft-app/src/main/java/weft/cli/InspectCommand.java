package weft.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weft.format.Checkpoint;

/** Shows what is in a checkpoint, also in one that weft cannot run. */
@Command(name = "inspect", description = "Shows what is in a checkpoint.")
final class InspectCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelArgument model;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  InspectCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (var checkpoint = Checkpoint.open(model.path(console))) {
      var inspection = new Inspection(checkpoint);
      if (isJson) {
        Json.print(console, inspection.json());
      } else {
        inspection.print(console.out());
      }
    }
    return 0;
  }
}
