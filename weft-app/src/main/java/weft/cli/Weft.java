package weft.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import weft.load.Version;

/** The command above all commands: it only has help and a version. */
@Command(
    name = "weft",
    description = "Compiles language models and runs them.",
    versionProvider = Weft.Versions.class,
    footer = {
      "",
      "MODEL is a .gguf file (the first file of a split one) or a folder with config.json and"
          + " safetensors; without one, the model that comes with weft is used."
    })
final class Weft implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean isHelp;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean isVersion;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Say more, and show where a failure happened.")
  private boolean isVerbose;

  @Spec private CommandSpec spec;

  Weft() {}

  boolean isVerbose() {
    return isVerbose;
  }

  @Override
  public void run() {
    throw new UsageException(
        "say which command to run: " + String.join(", ", spec.subcommands().keySet()));
  }

  /** Weft's version and the Java that runs it. */
  static final class Versions implements IVersionProvider {
    Versions() {}

    @Override
    public String[] getVersion() {
      return new String[] {"weft " + Version.TEXT + " on Java " + Runtime.version()};
    }
  }
}
