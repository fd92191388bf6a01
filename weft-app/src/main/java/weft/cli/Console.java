package weft.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;

/**
 * The three streams of a command: results on {@code out}, everything said about them on {@code
 * err}. Nothing else in the command line writes to either.
 */
public record Console(InputStream in, Output out, Output err, Settings settings) {
  static Console standard(Settings settings) {
    return new Console(
        System.in,
        Output.ofResults(new FileOutputStream(FileDescriptor.out)),
        Output.ofRemarks(new FileOutputStream(FileDescriptor.err)),
        settings);
  }

  /** Says something about the work, not part of its result. */
  void say(String sentence) {
    err.println("weft: " + sentence);
  }
}
