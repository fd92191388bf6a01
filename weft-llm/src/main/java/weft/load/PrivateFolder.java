package weft.load;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A folder whose files only the user who runs this can have written: it is made so, it is looked at
 * before it is used, and links in it or in its place are not followed.
 */
final class PrivateFolder {
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  /** Whose it is, where Linux says it, is who runs this. */
  private static final Path THIS_PROCESS = Path.of("/proc/self");

  private final Path folder;

  private PrivateFolder(Path folder) {
    this.folder = folder;
  }

  /** The folder, made if it is not there; an exception says why it cannot be trusted. */
  static PrivateFolder open(Path folder) throws IOException {
    if (!Files.exists(folder, NOFOLLOW_LINKS)) make(folder.toAbsolutePath());
    var found = Files.readAttributes(folder, BasicFileAttributes.class, NOFOLLOW_LINKS);
    if (found.isSymbolicLink()) throw unsafe(folder, "is a link; name the folder itself");
    if (!found.isDirectory()) throw unsafe(folder, "is no folder");
    if (hasOwners(folder)) requireOwn(folder, "; use a folder of your own, chmod 700");
    return new PrivateFolder(folder);
  }

  private static void make(Path folder) throws IOException {
    if (folder.getParent() != null) Files.createDirectories(folder.getParent());
    try {
      if (hasOwners(folder)) {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
      } else {
        Files.createDirectory(folder);
      }
    } catch (FileAlreadyExistsException e) {
      // Another process of this user was first, or it is looked at like any other.
    }
  }

  private static boolean hasOwners(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void requireOwn(Path path, String advice) throws IOException {
    var found = Files.readAttributes(path, PosixFileAttributes.class, NOFOLLOW_LINKS);
    var user = user();
    if (user.isPresent() && !user.get().equals(found.owner())) {
      throw unsafe(path, "belongs to " + found.owner() + ", not to " + user.get() + advice);
    }
    var writers = EnumSet.copyOf(OTHERS_WRITE);
    writers.retainAll(found.permissions());
    if (!writers.isEmpty()) {
      var permissions = PosixFilePermissions.toString(found.permissions());
      throw unsafe(path, "can be written by others (" + permissions + ")" + advice);
    }
  }

  private static Optional<UserPrincipal> user() throws IOException {
    return Files.exists(THIS_PROCESS)
        ? Optional.of(Files.getOwner(THIS_PROCESS))
        : Optional.empty();
  }

  private static FileSystemException unsafe(Path path, String why) {
    return new FileSystemException(path.toString(), "", why);
  }

  Path path(String name) {
    return folder.resolve(name);
  }

  /** All of a file that is this user's own; empty when there is none of this name. */
  Optional<byte[]> read(String name, long longest) throws IOException {
    var file = path(name);
    if (!Files.exists(file, NOFOLLOW_LINKS)) return Optional.empty();
    // A pipe would wait for a writer when it is opened, so the kind is asked for first.
    if (!Files.isRegularFile(file, NOFOLLOW_LINKS)) throw unsafe(file, "is no regular file");
    if (hasOwners(file)) requireOwn(file, "");
    try (var channel = Files.newByteChannel(file, StandardOpenOption.READ, NOFOLLOW_LINKS)) {
      if (channel.size() > longest) throw unsafe(file, "is longer than " + longest + " bytes");
      var bytes = new byte[(int) channel.size()];
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        if (channel.read(buffer) < 0) throw unsafe(file, "ends before its size");
      }
      return Optional.of(bytes);
    }
  }

  /** Readers see the old file or the whole new one, never half of one. */
  void write(String name, byte[] content) throws IOException {
    // Temporary files are for their owner alone.
    var draft = Files.createTempFile(folder, name, ".part");
    try {
      Files.write(draft, content);
      Files.move(draft, path(name), ATOMIC_MOVE, REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
