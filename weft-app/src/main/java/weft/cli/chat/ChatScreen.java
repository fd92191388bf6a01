package weft.cli.chat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import weft.chat.Fragment;

/** Where a chat happens: a terminal, or plain streams. */
public interface ChatScreen extends AutoCloseable {
  /**
   * Streams: a message a line in, replies out, notes apart.
   *
   * @param out says whether it could write a text
   */
  static ChatScreen plain(InputStream in, Predicate<String> out, Consumer<String> notes) {
    return new PlainScreen(in, out, notes);
  }

  /** The terminal of this process, with a history that is kept in the folder. */
  static ChatScreen terminal(Path historyFolder, boolean isColored) throws IOException {
    return new TerminalScreen(historyFolder, isColored);
  }

  /** The user's next message or command, or nothing when there will be none. */
  Optional<String> read();

  /** Shows a piece of a reply as it comes. */
  void reply(Fragment fragment);

  /** Whether replies arrive; where they do not, the chat is over. */
  boolean isHeard();

  /** Ends the line of a reply. */
  void endReply();

  /** Tells about the chat, apart from the reply. */
  void note(String text);

  /** Runs a reply that an interruption may {@code stop}. */
  void interruptible(Runnable reply, Runnable stop);

  @Override
  void close();
}
