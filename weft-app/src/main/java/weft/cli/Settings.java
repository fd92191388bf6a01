package weft.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the process around the command line says: how it was called, which streams are terminals and
 * where things may be kept. Read once, in one place, and handed on.
 *
 * @param command what the user types to call weft, for messages that say what to type next
 * @param cacheFolder where things that can be made again are kept
 * @param columns the terminal's width, where it says
 * @param apiKeys the key that a server wants, where the environment has one
 */
public record Settings(
    String command,
    boolean isInputTerminal,
    boolean isOutputTerminal,
    boolean isErrorTerminal,
    boolean isColored,
    OptionalInt columns,
    Path cacheFolder,
    List<String> apiKeys) {

  /** For embedding and tests: no terminal anywhere. */
  public static Settings plain(Path cacheFolder) {
    return new Settings(
        "weft", false, false, false, false, OptionalInt.empty(), cacheFolder, List.of());
  }

  /** The launcher says which of the three streams are terminals; Java alone cannot tell. */
  static Settings ofProcess() {
    var terminals = System.getProperty("weft.terminals", "");
    boolean isOutputTerminal = terminals.contains("1");
    // See no-color.org.
    boolean isColored = isOutputTerminal && environment("NO_COLOR").isEmpty();
    return new Settings(
        System.getProperty("weft.command", "weft"),
        terminals.contains("0"),
        isOutputTerminal,
        terminals.contains("2"),
        isColored,
        terminalColumns(),
        userCacheFolder(),
        environment("WEFT_API_KEY").stream().toList());
  }

  private static OptionalInt terminalColumns() {
    var text = environment("COLUMNS");
    return text.isPresent() && text.get().matches("[1-9][0-9]{0,3}")
        ? OptionalInt.of(Integer.parseInt(text.get()))
        : OptionalInt.empty();
  }

  /** Where the XDG base directory specification puts caches. */
  private static Path userCacheFolder() {
    return environment("XDG_CACHE_HOME")
        .map(Path::of)
        .filter(Path::isAbsolute)
        .orElseGet(() -> Path.of(System.getProperty("user.home", ".")).resolve(".cache"))
        .resolve("weft");
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }
}
