package weft.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/**
 * A file's size and the time of its last change, when it was opened. A file under the same name
 * that is another one is no change: what was opened stays what it was until it is closed.
 */
record FileStamp(Path path, Object file, long size, FileTime modified) {
  static FileStamp of(Path path) throws IOException {
    var found = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileStamp(path, key(found), found.size(), found.lastModifiedTime());
  }

  /** What tells a file from another of its name, where the system has such a thing. */
  private static Object key(BasicFileAttributes attributes) {
    return Objects.requireNonNullElse(attributes.fileKey(), "");
  }

  /** One look at the file system, about two microseconds: cheap enough before each step. */
  void requireUnchanged() {
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      throw new FormatException(
          path + " can no longer be looked at: " + e + "; is its disk still there?", e);
    }
    if (!key(now).equals(file)) return;
    if (now.size() != size) {
      throw changed("has " + now.size() + " bytes now and had " + size);
    }
    if (!now.lastModifiedTime().equals(modified)) {
      throw changed("was written at " + now.lastModifiedTime() + " and before at " + modified);
    }
  }

  private FormatException changed(String how) {
    return new FormatException(
        path
            + " was changed while it was in use: it "
            + how
            + ". Load the model again; replace a file by renaming a new one over it, or use --load"
            + " copy");
  }
}
