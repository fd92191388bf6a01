package weft.cli.chat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import weft.chat.Fragment;
import weft.input.Lines;

/** A chat over streams: a message a line in, replies out, notes apart. */
final class PlainScreen implements ChatScreen {
  private static final int LONGEST_LINE = 16 << 20;

  private final Lines in;
  private final Predicate<String> out;
  private final Consumer<String> notes;
  private volatile boolean isHeard = true;

  PlainScreen(InputStream in, Predicate<String> out, Consumer<String> notes) {
    this.in = new Lines(in, "standard input", LONGEST_LINE);
    this.out = out;
    this.notes = notes;
  }

  @Override
  public Optional<String> read() {
    var text = new StringBuilder();
    try {
      for (var next = in.next(); next.isPresent(); next = in.next()) {
        var line = next.get();
        if (!line.endsWith("\\")) return Optional.of(text.append(line).toString());
        text.append(line, 0, line.length() - 1).append('\n');
        if (text.length() > LONGEST_LINE) {
          throw new IOException(
              "a message on standard input has more than " + LONGEST_LINE + " characters");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
  }

  @Override
  public void reply(Fragment fragment) {
    isHeard &= out.test(fragment.text());
  }

  @Override
  public boolean isHeard() {
    return isHeard;
  }

  @Override
  public void endReply() {
    isHeard &= out.test("\n");
  }

  @Override
  public void note(String text) {
    notes.accept(text);
  }

  @Override
  public void interruptible(Runnable reply, Runnable stop) {
    reply.run();
  }

  @Override
  public void close() {}
}
