package weft.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** What went wrong, as one sentence for the user. */
final class Failures {
  private Failures() {}

  static String sentence(Throwable failure) {
    return oneLine(
        switch (failure) {
          case RuntimeException e when isOfARoom(e) -> e.getMessage();
          case NoSuchFileException e -> e.getFile() + " does not exist";
          case AccessDeniedException e -> e.getFile() + " may not be read or written";
          case UncheckedIOException e -> sentence(e.getCause());
          case IOException e -> "reading or writing failed: " + e.getMessage();
          case OutOfMemoryError e ->
              "out of memory (" + e.getMessage() + "); try a shorter --context";
          // The JVM's words for a page of a mapped file that is no longer there.
          case InternalError e
              when String.valueOf(e.getMessage()).contains("unsafe memory access") ->
              "a file was cut short while it was read, or its disk is gone";
          default -> "this is a bug in weft: " + failure + "; --verbose shows where it happened";
        });
  }

  /** Each room has one exception type, and writes its messages for users. */
  private static boolean isOfARoom(RuntimeException failure) {
    return failure.getClass().getPackageName().startsWith("weft.");
  }

  /** Where it happened. */
  static String trace(Throwable failure) {
    var text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
