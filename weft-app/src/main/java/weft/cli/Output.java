package weft.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A stream that a command writes to, in UTF-8 whatever the locale, because JSON is. What a method
 * was given is written when it returns: nothing waits for a flush that may fail unseen. A loss is
 * remembered, so that no command ends well whose result is not all there.
 */
public final class Output {
  private final OutputStream stream;
  private final boolean isRequired;
  private Optional<OutputException> loss = Optional.empty(); // guarded by this

  private Output(OutputStream stream, boolean isRequired) {
    this.stream = stream;
    this.isRequired = isRequired;
  }

  /** For results: one that cannot be written is an {@link OutputException}. */
  public static Output ofResults(OutputStream stream) {
    return new Output(stream, true);
  }

  /** For what is said about the work, which goes on where nobody can hear it. */
  public static Output ofRemarks(OutputStream stream) {
    return new Output(stream, false);
  }

  void print(String text) {
    tryPrint(text);
    requireWritten();
  }

  void println(String line) {
    print(line + "\n");
  }

  void println() {
    print("\n");
  }

  void printf(String format, Object... values) {
    print(String.format(Locale.ROOT, format, values));
  }

  /**
   * Whether this and all before it could be written; for those who have to end something before
   * they fail. One write a call, so that lines of several threads do not mix.
   */
  synchronized boolean tryPrint(String text) {
    if (loss.isPresent()) return false;
    try {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
      stream.flush();
    } catch (IOException e) {
      loss = Optional.of(OutputException.of(e));
    }
    return loss.isEmpty();
  }

  /** Throws what was lost, if anything was. */
  synchronized void requireWritten() {
    if (isRequired && loss.isPresent()) throw loss.get();
  }
}
