package weft.bench.fuzz;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * An input that did what none may do.
 *
 * @param key the same for two inputs that show the same fault, as far as one can tell
 * @param detail everything that is known, for a person
 */
record Finding(Kind kind, String key, String detail) {
  /** What went wrong. */
  enum Kind {
    /** An exception or error that is not declared, or a broken promise. */
    THROWN,
    /** More time than any input may take. */
    SLOW,
    /** More memory than any input may take. */
    LARGE,
    /** The end of the process. */
    CRASH
  }

  /** Frames of Weft's that tell one fault from another. */
  private static final int TELLING_FRAMES = 2;

  private static final int MOST_LINES = 60;

  static Finding thrown(Throwable failure) {
    var text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    var lines = text.toString().lines().limit(MOST_LINES).collect(Collectors.joining("\n"));
    return new Finding(
        failure instanceof OutOfMemoryError ? Kind.LARGE : Kind.THROWN,
        failure.getClass().getName() + " at " + place(failure.getStackTrace()),
        lines);
  }

  static Finding large(Target target, long allocated) {
    return new Finding(
        Kind.LARGE,
        "allocates",
        "%s allocated %d bytes for one input, expected at most %d"
            .formatted(target.name(), allocated, target.mostAllocated()));
  }

  static Finding slow(String how, StackTraceElement[] stack) {
    return new Finding(
        Kind.SLOW,
        "slow at " + place(stack),
        how
            + ", and was at\n"
            + Arrays.stream(stack).map(frame -> "  " + frame).collect(Collectors.joining("\n")));
  }

  static Finding crash(int exit, String output) {
    return new Finding(
        Kind.CRASH, "exit " + exit, "the process ended with status " + exit + "\n" + output);
  }

  private static String place(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .filter(frame -> frame.getClassName().startsWith("weft."))
        .filter(frame -> !frame.getClassName().startsWith("weft.bench.fuzz.Coverage"))
        .limit(TELLING_FRAMES)
        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
        .collect(Collectors.joining(" < "));
  }
}
