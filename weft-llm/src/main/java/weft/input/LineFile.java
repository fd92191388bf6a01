package weft.input;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The lines of a file as bytes, each of at most so many: what is longer is cut, and said to be. Who
 * opens it closes it. For one thread.
 */
public final class LineFile implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final int longest;
  private int number;
  private long position;
  private long whole;

  private LineFile(InputStream in, int longest) {
    this.in = in;
    this.longest = longest;
  }

  /**
   * A line without its end.
   *
   * @param number counted from 1
   * @param isCut whether it has more bytes than these
   * @param isEnded whether there is an end behind it: the last line of a file may have none
   */
  public record Line(int number, byte[] bytes, boolean isCut, boolean isEnded) {
    /** Whether there is nothing but white space in it. */
    public boolean isBlank() {
      for (byte each : bytes) {
        if (each != ' ' && each != '\t' && each != '\r') return false;
      }
      return !isCut;
    }
  }

  /** Opens a regular file; no other can be read twice. */
  public static LineFile open(Path file, int longest) throws IOException {
    if (Files.isDirectory(file)) throw new IOException(file + " is a folder, expected a file");
    if (!Files.exists(file)) throw new IOException(file + " does not exist");
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is a pipe, a socket or a device, expected a regular file");
    }
    // A channel would be closed by the interrupt of a thread that reads from it.
    return new LineFile(
        new BufferedInputStream(new FileInputStream(file.toFile()), BUFFER), longest);
  }

  /** The next line; empty behind the last one. */
  public Optional<Line> next() throws IOException {
    long start = position;
    var bytes = new ByteArrayOutputStream();
    boolean isCut = false;
    while (true) {
      int next = in.read();
      if (next < 0 && position == start) return Optional.empty();
      if (next >= 0) position++;
      if (next < 0 || next == '\n') {
        if (next >= 0) whole = position;
        return Optional.of(new Line(++number, bytes.toByteArray(), isCut, next >= 0));
      }
      if (bytes.size() < longest) bytes.write(next);
      else isCut = true;
    }
  }

  /** How many bytes the lines take that were read and have an end, their ends included. */
  public long wholeLines() {
    return whole;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
