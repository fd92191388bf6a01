package weft.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The three streams of a command: results on {@code out}, everything said about them on {@code
 * err}. Text is UTF-8 whatever the locale, because JSON is.
 */
public record Console(InputStream in, PrintStream out, PrintStream err, Settings settings) {
  static Console standard(Settings settings) {
    var out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    var err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new Console(System.in, out, err, settings);
  }

  /** Says something about the work, not part of its result. */
  void say(String sentence) {
    err.println("weft: " + sentence);
  }
}
