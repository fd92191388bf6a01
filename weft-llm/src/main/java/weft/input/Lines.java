package weft.input;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The lines of a stream in UTF-8, each of at most so many characters. */
public final class Lines {
  private final Reader in;
  private final String name;
  private final int longest;
  private final char[] buffer = new char[8192];
  private int from;
  private int to;
  private int number;
  private boolean isBehindReturn;

  public Lines(InputStream in, String name, int longest) {
    this.in = new InputStreamReader(in, StandardCharsets.UTF_8);
    this.name = name;
    this.longest = longest;
  }

  /** The number of the line that was read last, from 1. */
  public int number() {
    return number;
  }

  /** The next line without its end; empty behind the last one. */
  public Optional<String> next() throws IOException {
    if (!isMore()) {
      return Optional.empty();
    }
    number++;
    var line = new StringBuilder();
    while (isMore()) {
      int end = lineEnd();
      if (end - from > longest - line.length()) {
        throw new IOException(
            "line " + number + " of " + name + " has more than " + longest + " characters");
      }
      line.append(buffer, from, end - from);
      from = end;
      if (end < to) {
        isBehindReturn = buffer[from++] == '\r';
        break;
      }
    }
    return Optional.of(line.toString());
  }

  private int lineEnd() {
    int end = from;
    while (end < to && buffer[end] != '\n' && buffer[end] != '\r') {
      end++;
    }
    return end;
  }

  /** Whether there are characters left; what belongs to the end of the last line is skipped. */
  private boolean isMore() throws IOException {
    while (true) {
      if (from == to) {
        from = 0;
        to = Math.max(0, in.read(buffer));
        if (to == 0) {
          return false;
        }
      }
      // Only now, for a terminal sends a line's two ends one after the other.
      if (!isBehindReturn || buffer[from] != '\n') {
        isBehindReturn = false;
        return true;
      }
      isBehindReturn = false;
      from++;
    }
  }
}
