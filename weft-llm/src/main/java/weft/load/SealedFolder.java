package weft.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Entries on disk that this user's weft of this version wrote ({@link Seal}), by what they were
 * made of. Any other in their place is warned of and not there; what cannot be written is only
 * warned of. Safe from any thread.
 */
final class SealedFolder {
  /** A program of a thousand layers, or its kernels, is far below this. */
  private static final long LARGEST_ENTRY = 64L << 20;

  /** What entries are of, by the first word of each. */
  enum Kind {
    PROGRAM("weft-program-4", ".weft", "the compiled program"),
    CODE("weft-code-1", ".code", "the compiled code");

    private final String format;
    private final String ending;
    private final String what;

    Kind(String format, String ending, String what) {
      this.format = format;
      this.ending = ending;
      this.what = what;
    }
  }

  private final PrivateFolder folder;
  private final Seal seal;
  private final Consumer<String> warnings;

  private SealedFolder(PrivateFolder folder, Seal seal, Consumer<String> warnings) {
    this.folder = folder;
    this.seal = seal;
    this.warnings = warnings;
  }

  /** The folder, where one is asked for and can be trusted. */
  static Optional<SealedFolder> open(Optional<Path> path, Consumer<String> warnings) {
    return path.flatMap(folder -> opened(folder, warnings));
  }

  private static Optional<SealedFolder> opened(Path path, Consumer<String> warnings) {
    try {
      var folder = PrivateFolder.open(path);
      return Optional.of(new SealedFolder(folder, Seal.of(folder), warnings));
    } catch (IOException e) {
      warnings.accept(
          "compiled programs are neither taken from " + path + " nor kept there: " + reason(e));
      return Optional.empty();
    }
  }

  /** An entry's place: its name is a hash of all that it was made of. */
  record Place(Kind kind, String name) {
    static Place of(Kind kind, String key) {
      return new Place(kind, hash(kind.format + "\n" + Version.TEXT + "\n" + key));
    }

    private String file() {
      return name + kind.ending;
    }

    /** The name too, so that an entry under another's name is not taken for it. */
    private byte[] head() {
      return bytes(kind.format + " " + Version.TEXT + " " + name + " ");
    }
  }

  /** What was written there. */
  Optional<byte[]> read(Place place) {
    try {
      var found = folder.read(place.file(), LARGEST_ENTRY);
      if (found.isEmpty()) return Optional.empty();
      var content = unsealed(place.head(), found.get());
      if (content.isEmpty()) reject(place, "its name, version or seal does not match");
      return content;
    } catch (IOException e) {
      reject(place, reason(e));
      return Optional.empty();
    }
  }

  private Optional<byte[]> unsealed(byte[] head, byte[] entry) {
    int end = 0;
    while (end < entry.length && entry[end] != '\n') end++;
    if (end == entry.length || end < head.length) return Optional.empty();
    if (!Arrays.equals(head, Arrays.copyOf(entry, head.length))) return Optional.empty();
    var claimed = new String(entry, head.length, end - head.length, StandardCharsets.US_ASCII);
    var content = Arrays.copyOfRange(entry, end + 1, entry.length);
    return seal.isOn(claimed, head, content) ? Optional.of(content) : Optional.empty();
  }

  /** Warns of an entry that is this weft's and does not do. */
  void reject(Place place, String why) {
    warnings.accept(
        "%s %s is not usable (%s); rebuilding it"
            .formatted(place.kind.what, folder.path(place.file()), why));
  }

  void write(Place place, byte[] content) {
    var head = place.head();
    var sealed = bytes(seal.on(head, content) + "\n");
    var entry = Arrays.copyOf(head, head.length + sealed.length + content.length);
    System.arraycopy(sealed, 0, entry, head.length, sealed.length);
    System.arraycopy(content, 0, entry, head.length + sealed.length, content.length);
    try {
      folder.write(place.file(), entry);
    } catch (IOException e) {
      warnings.accept(
          "%s could not be kept in %s: %s"
              .formatted(place.kind.what, folder.path(place.file()), reason(e)));
    }
  }

  private static String reason(IOException e) {
    return e instanceof FileSystemException f && f.getReason() != null
        ? f.getFile() + " " + f.getReason()
        : e.toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String hash(String text) {
    return HexFormat.of().formatHex(Seal.sha256().digest(bytes(text)));
  }
}
