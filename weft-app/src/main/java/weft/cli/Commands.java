package weft.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Puts the commands together and runs one; the exit status is 0 done, 2 wrong usage, 1 else. */
public final class Commands {
  private Commands() {}

  /** Runs the command that {@code args} name and gives the exit status. */
  public static int run(Console console, String... args) {
    var out = new PrintWriter(console.out(), true, StandardCharsets.UTF_8);
    var err = new PrintWriter(console.err(), true, StandardCharsets.UTF_8);
    var weft = new Weft();
    var line = line(weft, console, args).setOut(out).setErr(err);
    try {
      return line.execute(args);
    } catch (Error e) {
      return failed(console, e, weft);
    } finally {
      out.flush();
      console.out().flush();
    }
  }

  /** Every command by its name, in the order that help lists them. */
  private static Map<String, Supplier<Object>> commands(Console console) {
    var all = new LinkedHashMap<String, Supplier<Object>>();
    all.put("run", () -> new RunCommand(console));
    all.put("chat", () -> new ChatCommand(console));
    all.put("bench", () -> new BenchCommand(console));
    all.put("inspect", () -> new InspectCommand(console));
    all.put("explain", () -> new ExplainCommand(console));
    all.put("logits", () -> new LogitsCommand(console));
    all.put("tokenize", () -> new TokenizeCommand(console));
    all.put("render", () -> new RenderCommand(console));
    all.put("synth", () -> new SynthCommand(console));
    return all;
  }

  private static CommandLine line(Weft weft, Console console, String[] args) {
    var root = new CommandLine(weft);
    var all = commands(console);
    // Reading the options of every command takes longer than most commands' work.
    var needed = args.length > 0 && all.containsKey(args[0]) ? Set.of(args[0]) : all.keySet();
    needed.forEach(name -> root.addSubcommand(all.get(name).get()));
    root.setCommandName(console.settings().command());
    root.setColorScheme(
        CommandLine.Help.defaultColorScheme(console.settings().isColored() ? Ansi.ON : Ansi.OFF));
    console.settings().columns().ifPresent(root::setUsageHelpWidth);
    root.setCaseInsensitiveEnumValuesAllowed(true);
    root.setParameterExceptionHandler((e, _) -> wrongUsage(console, e.getCommandLine(), e));
    root.setExecutionExceptionHandler(
        (failure, command, _) ->
            failure instanceof UsageException
                ? wrongUsage(console, command, failure)
                : failed(console, failure, weft));
    for (var command : root.getSubcommands().values()) {
      command.getCommandSpec().usageMessage().abbreviateSynopsis(true).sortOptions(false);
    }
    return root;
  }

  private static int wrongUsage(Console console, CommandLine command, Exception wrong) {
    var name = command.getCommandSpec().qualifiedName();
    console.say(Failures.oneLine(wrong.getMessage()) + "; see " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  private static int failed(Console console, Throwable failure, Weft weft) {
    console.out().flush();
    console.say(Failures.sentence(failure));
    if (weft.isVerbose()) failure.printStackTrace(console.err());
    return CommandLine.ExitCode.SOFTWARE;
  }
}
