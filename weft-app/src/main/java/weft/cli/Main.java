package weft.cli;

/** The entry point of the command line. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    var console = Console.standard(Settings.ofProcess());
    System.exit(Commands.run(console, args));
  }
}
