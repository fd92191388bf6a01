package weft.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;

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
          case OutOfMemoryError e -> "out of memory (" + e.getMessage() + "): " + advice(e);
          // The JVM's words for a page of a mapped file that is no longer there.
          case InternalError e
              when String.valueOf(e.getMessage()).contains("unsafe memory access") ->
              "a file was cut short while it was read, or its disk is gone";
          default -> "this is a bug in weft: " + failure + "; --verbose shows where it happened";
        });
  }

  /** Who asked for the memory says what it was for, and so what would help. */
  private static String advice(OutOfMemoryError failure) {
    var room =
        Arrays.stream(failure.getStackTrace())
            .map(StackTraceElement::getClassName)
            .filter(name -> name.startsWith("weft."))
            .map(name -> name.split("\\.")[1])
            .findFirst()
            .orElse("");
    long heap = Runtime.getRuntime().maxMemory() >> 20;
    return switch (room) {
      case "text", "input", "format" ->
          "a file or text that was being read takes more than the heap of "
              + heap
              + " MiB; give a smaller one";
      case "backend", "cpu", "cuda", "load", "generate", "compile" ->
          "the model and its sequences do not fit; try a shorter --context";
      default -> "the heap has " + heap + " MiB; give less at a time";
    };
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
