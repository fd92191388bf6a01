package weft.cli.chat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A chat over streams: a message a line in, replies out, notes apart. */
final class PlainScreen implements ChatScreen {
  private final BufferedReader in;
  private final PrintStream out;
  private final PrintStream notes;

  PlainScreen(InputStream in, PrintStream out, PrintStream notes) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
    this.notes = notes;
  }

  @Override
  public Optional<String> read() {
    var text = new StringBuilder();
    try {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        if (!line.endsWith("\\")) return Optional.of(text.append(line).toString());
        text.append(line, 0, line.length() - 1).append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
  }

  @Override
  public void reply(ReplyPart part, String text) {
    out.print(text);
    out.flush();
  }

  @Override
  public void endReply() {
    out.println();
    out.flush();
  }

  @Override
  public void note(String text) {
    notes.println(text);
  }

  @Override
  public void interruptible(Runnable reply, Runnable stop) {
    reply.run();
  }

  @Override
  public void close() {}
}
