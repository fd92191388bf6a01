package weft.cli.chat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jline.keymap.KeyMap;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.WCWidth;
import weft.chat.Fragment;

/** A chat in a terminal, with history, multi-line editing, dimmed thoughts and Ctrl-C. */
final class TerminalScreen implements ChatScreen {
  private static final String DIM = "\033[2m";
  private static final String PLAIN = "\033[0m";
  private static final String BOLD_GREEN = "\033[1;32m";
  private static final String ALT_ENTER = "\033\r";
  private static final String[] COMMANDS = {
    "/help", "/clear", "/system", "/set", "/stats", "/image", "/save", "/load", "/exit"
  };

  private final Terminal terminal;
  private final LineReader reader;
  private final boolean isColored;
  private final WordWrap wrap;
  private boolean isDimmed;

  TerminalScreen(Path historyFolder, boolean isColored) throws IOException {
    this.terminal = TerminalBuilder.builder().name("weft").system(true).build();
    this.isColored = isColored;
    this.wrap = new WordWrap(terminal.getWidth(), WCWidth::wcwidth, terminal.writer()::print);
    var builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .parser(new Lines())
            .completer(new StringsCompleter(COMMANDS))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.BRACKETED_PASTE, true)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, ". ");
    try {
      builder.variable(LineReader.HISTORY_FILE, ChatFile.history(historyFolder));
    } catch (IOException e) {
      // A chat without a folder to keep its history in is still a chat.
      note("The history cannot be kept in " + historyFolder + ": " + e.getMessage());
    }
    this.reader = builder.build();
    reader
        .getWidgets()
        .put(
            "insert-newline",
            () -> {
              reader.getBuffer().write("\n");
              return true;
            });
    reader
        .getKeyMaps()
        .get(LineReader.MAIN)
        .bind(new Reference("insert-newline"), ALT_ENTER, KeyMap.alt("\n"));
  }

  @Override
  public Optional<String> read() {
    while (true) {
      try {
        var line = reader.readLine(colored(BOLD_GREEN, "> "));
        return Optional.of(line.replace("\\\n", "\n"));
      } catch (UserInterruptException e) {
        if (e.getPartialLine().isEmpty()) note("Ctrl-D or /exit leaves the chat.");
      } catch (EndOfFileException e) {
        return Optional.empty();
      }
    }
  }

  @Override
  public void reply(Fragment fragment) {
    boolean isThought = !(fragment instanceof Fragment.Said);
    if (isThought != isDimmed) {
      wrap.flush();
      if (isColored) terminal.writer().print(isThought ? DIM : PLAIN);
    }
    isDimmed = isThought;
    wrap.add(fragment.text());
    terminal.writer().flush();
  }

  @Override
  public boolean isHeard() {
    return !terminal.writer().checkError();
  }

  @Override
  public void endReply() {
    wrap.end();
    if (isColored && isDimmed) terminal.writer().print(PLAIN);
    isDimmed = false;
    terminal.writer().println();
    terminal.writer().flush();
  }

  @Override
  public void note(String text) {
    terminal.writer().println(colored(DIM, text));
    terminal.writer().flush();
  }

  private String colored(String color, String text) {
    return isColored ? color + text + PLAIN : text;
  }

  @Override
  public void interruptible(Runnable reply, Runnable stop) {
    var before = terminal.handle(Terminal.Signal.INT, signal -> stop.run());
    try {
      reply.run();
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
    }
  }

  @Override
  public void close() {
    try {
      terminal.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A message is one word, whatever it contains; a line that ends with a backslash goes on. */
  private static final class Lines implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE && line.endsWith("\\")) {
        throw new EOFError(-1, line.length(), "the message goes on");
      }
      return new Message(line, cursor);
    }
  }

  private record Message(String line, int cursor) implements CompletingParsedLine {
    @Override
    public CharSequence escape(CharSequence candidate, boolean isComplete) {
      return candidate;
    }

    @Override
    public int rawWordCursor() {
      return cursor;
    }

    @Override
    public int rawWordLength() {
      return line.length();
    }

    @Override
    public String word() {
      return line;
    }

    @Override
    public int wordCursor() {
      return cursor;
    }

    @Override
    public int wordIndex() {
      return 0;
    }

    @Override
    public List<String> words() {
      return List.of(line);
    }
  }
}
