package weft.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weft.lir.Program;
import weft.lir.ProgramException;
import weft.lir.ProgramText;
import weft.lir.Signature;

/**
 * Compiled programs on disk, under a hash of everything that made them. An entry is used when this
 * user's weft wrote it ({@link Seal}), it is a sound program, and it has the signature that is
 * asked for; any other is rebuilt, never trusted.
 */
final class ProgramCache {
  private static final String FORMAT = "weft-program-4";

  /** A program of a thousand layers is far below this. */
  private static final long LARGEST_ENTRY = 64L << 20;

  private final Optional<Store> store;
  private final String version;
  private final Consumer<String> warnings;
  private int compilations;

  /** A folder that can be trusted, and the seal of what lies in it. */
  private record Store(PrivateFolder folder, Seal seal) {}

  ProgramCache(Optional<Path> folder, String version, Consumer<String> warnings) {
    this.version = version;
    this.warnings = warnings;
    this.store = folder.flatMap(this::opened);
  }

  private Optional<Store> opened(Path path) {
    try {
      var folder = PrivateFolder.open(path);
      return Optional.of(new Store(folder, Seal.of(folder)));
    } catch (IOException e) {
      warnings.accept(
          "compiled programs are neither taken from " + path + " nor kept there: " + reason(e));
      return Optional.empty();
    }
  }

  /** The program stored under {@code key}, or a new one, which is stored. */
  Program get(Supplier<String> key, Supplier<Signature> signature, Supplier<Program> compile) {
    if (store.isEmpty()) return compiled(compile);
    var name = hash(FORMAT + "\n" + version + "\n" + key.get());
    return read(store.get(), name, signature.get())
        .orElseGet(() -> stored(store.get(), name, compiled(compile)));
  }

  private Program compiled(Supplier<Program> compile) {
    compilations++;
    return compile.get();
  }

  /** How often a program had to be compiled. */
  int compilations() {
    return compilations;
  }

  private static String file(String name) {
    return name + ".weft";
  }

  private Optional<Program> read(Store from, String name, Signature signature) {
    var entry = from.folder.path(file(name));
    try {
      var content = from.folder.read(file(name), LARGEST_ENTRY);
      if (content.isEmpty()) return Optional.empty();
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content.get()));
      return Optional.of(parsed(text.toString(), from.seal, name, signature));
    } catch (CharacterCodingException e) {
      return unusable(entry, "it is no text");
    } catch (IOException e) {
      return unusable(entry, reason(e));
    } catch (ProgramException e) {
      return unusable(entry, e.getMessage());
    }
  }

  private Program parsed(String text, Seal seal, String name, Signature signature) {
    int end = text.indexOf('\n');
    var body = text.substring(end + 1);
    var head = header(name);
    if (end < 0
        || !text.startsWith(head)
        || !seal.isOn(head + body, text.substring(head.length(), end))) {
      throw new ProgramException("its name, version or seal does not match");
    }
    var program = ProgramText.parse(body);
    signature.require(program);
    return program;
  }

  private Optional<Program> unusable(Path entry, String why) {
    warnings.accept(
        "the compiled program " + entry + " is not usable (" + why + "); rebuilding it");
    return Optional.empty();
  }

  private Program stored(Store in, String name, Program program) {
    var head = header(name);
    var body = ProgramText.print(program);
    var text = head + in.seal.on(head + body) + "\n" + body;
    try {
      in.folder.write(file(name), text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      warnings.accept(
          "the compiled program could not be kept in "
              + in.folder.path(file(name))
              + ": "
              + reason(e));
    }
    return program;
  }

  /** The name too, so that an entry under another's name is not taken for it. */
  private String header(String name) {
    return FORMAT + " " + version + " " + name + " ";
  }

  private static String reason(IOException e) {
    return e instanceof FileSystemException f && f.getReason() != null
        ? f.getFile() + " " + f.getReason()
        : e.toString();
  }

  static String hash(String text) {
    return HexFormat.of().formatHex(Seal.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }
}
