package weft.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "synth")
final class SynthCommand implements Callable<Integer> {
  SynthCommand(Console console) {}

  @Override
  public Integer call() {
    return 0;
  }
}
