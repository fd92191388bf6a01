package weft.load;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weft.lir.Program;
import weft.lir.ProgramException;
import weft.lir.ProgramText;

/**
 * Compiled programs on disk, under a hash of everything that made them. An entry that is damaged or
 * of another version is rebuilt, never trusted.
 */
final class ProgramCache {
  private static final String FORMAT = "weft-program-1";

  /** A program of a thousand layers is far below this. */
  private static final long LARGEST_ENTRY = 64L << 20;

  private final Optional<Path> folder;
  private final String version;
  private final Consumer<String> warnings;
  private int compilations;

  ProgramCache(Optional<Path> folder, String version, Consumer<String> warnings) {
    this.folder = folder;
    this.version = version;
    this.warnings = warnings;
  }

  /** The program stored under {@code key}, or a new one, which is stored. */
  Program get(Supplier<String> key, Supplier<Program> compile) {
    if (folder.isEmpty()) return compiled(compile);
    var name = hash(FORMAT + "\n" + version + "\n" + key.get());
    var entry = folder.get().resolve(name + ".weft");
    return read(name, entry).orElseGet(() -> stored(name, entry, compiled(compile)));
  }

  private Program compiled(Supplier<Program> compile) {
    compilations++;
    return compile.get();
  }

  /** How often a program had to be compiled. */
  int compilations() {
    return compilations;
  }

  private Optional<Program> read(String name, Path entry) {
    try {
      if (!Files.exists(entry)) return Optional.empty();
      if (Files.size(entry) > LARGEST_ENTRY) throw new ProgramException("it is too large");
      var text = Files.readString(entry);
      int end = text.indexOf('\n');
      var body = text.substring(end + 1);
      if (end < 0 || !text.substring(0, end).equals(header(name, body))) {
        throw new ProgramException("its name, version or checksum does not match");
      }
      return Optional.of(ProgramText.parse(body));
    } catch (CharacterCodingException e) {
      return unusable(entry, "it is no text");
    } catch (IOException e) {
      return unusable(entry, e.toString());
    } catch (ProgramException e) {
      return unusable(entry, e.getMessage());
    }
  }

  private Optional<Program> unusable(Path entry, String why) {
    warnings.accept(
        "the compiled program " + entry + " is not usable (" + why + "); rebuilding it");
    return Optional.empty();
  }

  private Program stored(String name, Path entry, Program program) {
    var body = ProgramText.print(program);
    try {
      Files.createDirectories(entry.getParent());
      var draft = Files.createTempFile(entry.getParent(), "program", ".part");
      try {
        Files.writeString(draft, header(name, body) + "\n" + body);
        // Readers see the old entry or the whole new one, never half of one.
        Files.move(draft, entry, ATOMIC_MOVE, REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      warnings.accept("the compiled program could not be kept in " + entry + ": " + e);
    }
    return program;
  }

  /** The name too, so that an entry under another's name is not taken for it. */
  private String header(String name, String body) {
    return FORMAT + " " + version + " " + name + " " + hash(body);
  }

  static String hash(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
