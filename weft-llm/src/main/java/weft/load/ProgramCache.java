package weft.load;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import weft.lir.Program;
import weft.lir.ProgramException;
import weft.lir.ProgramText;
import weft.lir.Signature;

/**
 * Compiled programs on disk, under a hash of everything that made them. An entry is used when this
 * user's weft wrote it ({@link SealedFolder}), it is a sound program, and it has the signature that
 * is asked for; any other is rebuilt, never trusted.
 */
final class ProgramCache {
  private final Optional<SealedFolder> folder;
  private int compilations;

  ProgramCache(Optional<SealedFolder> folder) {
    this.folder = folder;
  }

  /** The program stored under {@code key}, or a new one, which is stored. */
  Program get(Supplier<String> key, Supplier<Signature> signature, Supplier<Program> compile) {
    if (folder.isEmpty()) return compiled(compile);
    var place = SealedFolder.Place.of(SealedFolder.Kind.PROGRAM, key.get());
    return read(folder.get(), place, signature.get())
        .orElseGet(() -> stored(folder.get(), place, compiled(compile)));
  }

  private Program compiled(Supplier<Program> compile) {
    compilations++;
    return compile.get();
  }

  /** How often a program had to be compiled. */
  int compilations() {
    return compilations;
  }

  private static Optional<Program> read(
      SealedFolder from, SealedFolder.Place place, Signature signature) {
    try {
      return from.read(place).map(content -> parsed(content, signature));
    } catch (ProgramException e) {
      from.reject(place, e.getMessage());
      return Optional.empty();
    }
  }

  private static Program parsed(byte[] content, Signature signature) {
    var program = ProgramText.parse(new String(content, StandardCharsets.UTF_8));
    signature.require(program);
    return program;
  }

  private static Program stored(SealedFolder in, SealedFolder.Place place, Program program) {
    in.write(place, ProgramText.print(program).getBytes(StandardCharsets.UTF_8));
    return program;
  }
}
