package weft.format;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes files that appear under their names when they are whole, or not at all. Nothing but a
 * regular file is ever replaced: not a device, not a pipe, not a folder, and not a link, which
 * would be gone where its owner expects the file behind it to have changed. Safe for all threads.
 */
public final class WholeFile {
  private WholeFile() {}

  /** Writes what a file holds. */
  @FunctionalInterface
  public interface Content {
    void write(FileChannel channel) throws IOException;
  }

  /** Writes a file, or throws a {@link FormatException} that says why it cannot be. */
  public static void write(Path path, Content content) {
    requireReplaceable(path);
    // New and of no name that anybody could have prepared, so that nothing is followed here either.
    var name = "%s.%08x.part".formatted(path.getFileName(), ThreadLocalRandom.current().nextInt());
    var part = path.resolveSibling(name);
    part.toFile().deleteOnExit(); // Ctrl-C leaves nothing behind
    try {
      try {
        try (var channel =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
          content.write(channel);
        }
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new FormatException(path + " cannot be written: " + reason(e), e);
    }
  }

  /** Why, without the name of the part, which says nothing to anybody. */
  private static String reason(IOException failure) {
    return switch (failure) {
      case AccessDeniedException e -> "permission denied";
      case NoSuchFileException e -> "its folder does not exist";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> String.valueOf(failure.getMessage());
    };
  }

  /** A name that is free, or that of a regular file. */
  private static void requireReplaceable(Path path) {
    BasicFileAttributes met;
    try {
      met = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return; // nothing is there, or writing will say what is
    }
    if (met.isRegularFile()) return;
    var kind =
        met.isDirectory()
            ? "a folder"
            : met.isSymbolicLink() ? "a link" : "a device, a pipe or a socket";
    throw new FormatException(
        path + " is " + kind + ", and weft writes regular files alone; give another name");
  }
}
