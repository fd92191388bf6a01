package weft.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;

/**
 * Reads whole inputs of at most so many bytes, whatever they say of their size. What cannot be read
 * is an {@link IOException} whose message is a sentence that begins with the input's name.
 */
public final class SmallInput {
  private SmallInput() {}

  /**
   * A file that a checkpoint or a folder brings. It is regular, or a link to one that is: a pipe
   * would wait for a writer, and a device need not have an end.
   */
  public static byte[] file(Path file, int most) throws IOException {
    var attributes = attributes(file);
    if (!attributes.isRegularFile()) {
      throw new IOException(file + " is " + kind(attributes) + ", expected a regular file");
    }
    return read(file, attributes.size(), most);
  }

  /**
   * A file that the user has named. A pipe will do, such as a shell makes of {@code <(command)},
   * and so will a terminal; both are waited for as long as they take.
   */
  public static byte[] named(Path file, int most) throws IOException {
    var attributes = attributes(file);
    if (attributes.isDirectory()) {
      throw new IOException(file + " is " + kind(attributes) + ", expected a file");
    }
    return read(file, attributes.isRegularFile() ? attributes.size() : 0, most);
  }

  /** All of a stream, which stays open. */
  public static byte[] stream(InputStream in, String name, int most) throws IOException {
    return read(in, name, 0, most);
  }

  /** Bytes as UTF-8; what is none is refused, for it would be another text. */
  public static String text(Object name, byte[] bytes) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException(name + " is not text in UTF-8", e);
    }
  }

  private static BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " does not exist", e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static String kind(BasicFileAttributes attributes) {
    return attributes.isDirectory() ? "a folder" : "a pipe, a socket or a device";
  }

  private static byte[] read(Path file, long size, int most) throws IOException {
    if (size > most) {
      throw new IOException(file + " has " + size + " bytes, expected at most " + most);
    }
    try (var in = Files.newInputStream(file)) {
      return read(in, file.toString(), (int) size, most);
    } catch (AccessDeniedException e) {
      throw unreadable(file, e);
    }
  }

  /**
   * @param size what the input is said to have: a hint, for it may be growing, and what the system
   *     makes up as it is read has no size at all
   */
  private static byte[] read(InputStream in, String name, int size, int most) throws IOException {
    byte[] bytes = new byte[size];
    int length = in.readNBytes(bytes, 0, size);
    if (length < size) {
      return Arrays.copyOf(bytes, length);
    }
    byte[] rest = in.readNBytes(most - size < Integer.MAX_VALUE ? most - size + 1 : most);
    if (rest.length == 0) {
      return bytes;
    }
    if (rest.length > most - size) {
      throw new IOException(name + " has more than " + most + " bytes, expected at most as many");
    }
    byte[] all = Arrays.copyOf(bytes, size + rest.length);
    System.arraycopy(rest, 0, all, size, rest.length);
    return all;
  }

  private static IOException unreadable(Path file, IOException e) {
    String why = e instanceof AccessDeniedException ? "access is denied" : e.getMessage();
    return new IOException(file + " cannot be read: " + why, e);
  }
}
