package weft.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Puts the commands together and runs one; the exit status is 0 done, 2 wrong usage, 1 else. */
public final class Commands {
  private static final int NARROWEST = 55;

  private Commands() {}

  /** Runs the command that {@code args} name and gives the exit status. */
  public static int run(Console console, String... args) {
    var weft = new Weft();
    // A writer of picocli's would pass over what cannot be written, so help is kept for ours.
    var help = new StringWriter();
    var line = line(weft, console, args).setOut(new PrintWriter(help));
    try {
      int status = line.execute(args);
      if (!help.toString().isEmpty()) console.out().print(help.toString());
      // Whoever swallowed the exception of a loss: it is none the less a failure.
      if (status == CommandLine.ExitCode.OK) console.out().requireWritten();
      return status;
    } catch (OutputException | Error e) {
      return failed(console, e, weft);
    }
  }

  /** Every command by its name, in the order that help lists them. */
  private static Map<String, Supplier<Object>> commands(Console console) {
    var all = new LinkedHashMap<String, Supplier<Object>>();
    all.put("run", () -> new RunCommand(console));
    all.put("chat", () -> new ChatCommand(console));
    all.put("serve", () -> new ServeCommand(console));
    all.put("batch", () -> new BatchCommand(console));
    all.put("bench", () -> new BenchCommand(console));
    all.put("inspect", () -> new InspectCommand(console));
    all.put("explain", () -> new ExplainCommand(console));
    all.put("logits", () -> new LogitsCommand(console));
    all.put("tokenize", () -> new TokenizeCommand(console));
    all.put("constrain", () -> new ConstrainCommand(console));
    all.put("render", () -> new RenderCommand(console));
    all.put("synth", () -> new SynthCommand(console));
    return all;
  }

  static CommandLine line(Weft weft, Console console, String[] args) {
    var root = new CommandLine(weft);
    var all = commands(console);
    // Reading the options of every command takes longer than most commands' work.
    var needed = args.length > 0 && all.containsKey(args[0]) ? Set.of(args[0]) : all.keySet();
    needed.forEach(name -> root.addSubcommand(all.get(name).get()));
    root.setCommandName(console.settings().command());
    root.setColorScheme(
        CommandLine.Help.defaultColorScheme(console.settings().isColored() ? Ansi.ON : Ansi.OFF));
    // Picocli takes no narrower terminal.
    console.settings().columns().ifPresent(w -> root.setUsageHelpWidth(Math.max(NARROWEST, w)));
    registerNumbers(root);
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

  /** Numbers whose sentences name no type of Java's. */
  private static void registerNumbers(CommandLine root) {
    ITypeConverter<Integer> whole =
        number(Integer::valueOf, "a whole number of at most " + Integer.MAX_VALUE);
    ITypeConverter<Long> large =
        number(Long::valueOf, "a whole number of at most " + Long.MAX_VALUE);
    ITypeConverter<Double> real = number(Double::valueOf, "a number");
    root.registerConverter(int.class, whole).registerConverter(Integer.class, whole);
    root.registerConverter(long.class, large).registerConverter(Long.class, large);
    root.registerConverter(double.class, real).registerConverter(Double.class, real);
  }

  private static <N> ITypeConverter<N> number(Function<String, N> parse, String expected) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("expected " + expected + ", got '" + text + "'");
      }
    };
  }

  private static int wrongUsage(Console console, CommandLine command, Exception wrong) {
    // Who names no command may not know any.
    if (wrong instanceof UsageException && command.getParent() == null) {
      console.err().print(command.getUsageMessage());
    }
    var name = command.getCommandSpec().qualifiedName();
    console.say(Failures.oneLine(wrong.getMessage()) + "; see " + name + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  private static int failed(Console console, Throwable failure, Weft weft) {
    if (!(failure instanceof OutputException e && e.isReaderGone())) {
      console.say(Failures.sentence(failure));
    }
    if (weft.isVerbose()) console.err().print(Failures.trace(failure));
    return CommandLine.ExitCode.SOFTWARE;
  }
}
