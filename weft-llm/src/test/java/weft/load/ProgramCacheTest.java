package weft.load;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.generate.Engine;
import weft.generate.Request;

/** Compiled programs on disk: used when they are whole, rebuilt with a warning when not. */
class ProgramCacheTest {
  private static final Golden GOLDEN = new Golden("llama-untied");

  @TempDir Path folder;
  private final List<String> warnings = new ArrayList<>();

  /** How many programs a load and a reply compiled; the tokens are checked. */
  private int compilations() {
    return compilations(LoadOptions.standard());
  }

  private int compilations(LoadOptions choices) {
    warnings.clear();
    var options =
        choices
            .withThreads(2)
            .withProgramCache(folder)
            .withListeners(warnings::add, progress -> {});
    try (var model = LanguageModel.load(GOLDEN.gguf("f32"), options);
        var engine = Engine.start(model.model())) {
      var c = GOLDEN.cases().get(3);
      var reply = engine.generate(Request.of(c.prompt()).withMaxTokens(c.greedy().length));
      assertThat(reply.tokens()).isEqualTo(c.greedy());
      return model.compilations();
    }
  }

  private List<Path> entries() throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".weft")).sorted().toList();
    }
  }

  @Test
  void theSecondLoadCompilesNothing() throws IOException {
    assertThat(compilations()).as("one program a phase").isEqualTo(2);
    assertThat(entries()).hasSize(2);
    assertThat(compilations()).isZero();
    assertThat(compilations(LoadOptions.standard().withContextLength(200)))
        .as("buffers do not depend on the context")
        .isZero();
    assertThat(warnings).isEmpty();
  }

  /** A way to damage a file. */
  private record Damage(String name, Change change) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Change {
    byte[] of(byte[] content);
  }

  static Stream<Damage> damages() {
    return Stream.of(
        new Damage("empty", content -> new byte[0]),
        new Damage("cut in the middle", content -> Arrays.copyOf(content, content.length / 2)),
        new Damage("cut by a byte", content -> Arrays.copyOf(content, content.length - 1)),
        new Damage("longer by a line", content -> text(content, t -> t + "output x\n")),
        new Damage("no text at all", content -> noise(content.length)),
        new Damage(
            "another version",
            content -> text(content, t -> t.replaceFirst(" " + Version.TEXT + " ", " 0.0.9 "))),
        new Damage(
            "another format",
            content -> text(content, t -> t.replaceFirst("weft-program-4", "weft-program-2"))),
        new Damage("a bit flipped in the program", content -> flipped(content, content.length / 2)),
        new Damage("a bit flipped in the header", content -> flipped(content, 30)),
        new Damage(
            "a number changed",
            content ->
                text(content, t -> t.replaceFirst("bounds tokens=\\d+", "bounds tokens=3"))));
  }

  private static byte[] text(byte[] content, UnaryOperator<String> change) {
    return change
        .apply(new String(content, StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] noise(int length) {
    var noise = new byte[length];
    new SplittableRandom(5).nextBytes(noise);
    return noise;
  }

  private static byte[] flipped(byte[] content, int at) {
    content[at] ^= 4;
    return content;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void aDamagedEntryIsRebuiltWithOneWarning(Damage damage) throws IOException {
    compilations();
    var entry = entries().getFirst();
    var whole = Files.readAllBytes(entry);
    Files.write(entry, damage.change.of(whole.clone()));
    assertThat(compilations()).isEqualTo(1);
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("the compiled program " + entry + " is not usable (")
        .endsWith("; rebuilding it");
    assertThat(entry).hasBinaryContent(whole);
    assertThat(compilations()).isZero();
    assertThat(warnings).isEmpty();
  }

  @Test
  void anEntryUnderTheNameOfAnotherIsNotTakenForIt() throws IOException {
    compilations();
    var entries = entries();
    Files.write(entries.get(0), Files.readAllBytes(entries.get(1)));
    assertThat(compilations()).isEqualTo(1);
    assertThat(warnings).hasSize(1);
  }

  @Test
  void aFolderThatCannotBeWrittenIsAWarningNotAFailure() throws IOException {
    folder = Files.createFile(folder.resolve("a-file"));
    assertThat(compilations()).isEqualTo(2);
    assertThat(warnings)
        .singleElement()
        .isEqualTo(
            "compiled programs are neither taken from %s nor kept there: %s is no folder"
                .formatted(folder, folder));
  }

  /** What can be changed of a program's text; {@code ../shared/abuse} has the same. */
  static Stream<Damage> forgeries() {
    return Stream.of(
        forgery("regions of no size", "(region id=\\d+ offset=)\\d+( bytes=)\\d+", "$10$264"),
        forgery("regions in one place", "(region id=\\d+ offset=)\\d+", "$10"),
        forgery("regions far away", "(region id=\\d+ offset=)\\d+", "$12000000000"),
        forgery("views beyond", "offset=0 \\[64 1\\]", "offset=1000000000 [64 1]"),
        forgery("views before", "offset=0 \\[64 1\\]", "offset=-1000000 [64 1]"),
        forgery("wide strides", "\\[64 1\\]", "[100000000 1]"),
        forgery("other bounds", "bounds tokens=\\d+", "bounds tokens=1"),
        forgery("more wanted rows", "wanted=\\d+", "wanted=3"),
        forgery("bounds of old", "(bounds tokens=\\d+ wanted=\\d+)", "$1 context=256"),
        forgery("a larger table", "token_embd.weight f32\\[\\d+,", "token_embd.weight f32[259000,"),
        forgery("more logits", "\\[W,(\\d+)\\]", "[W,$100000]"),
        forgery("another slot", "KeyValue\\(blk.0.kv", "KeyValue(blk.7.kv"),
        forgery("positions for tokens", "Input\\(tokens", "Input(positions"));
  }

  private static Damage forgery(String name, String pattern, String replacement) {
    return new Damage(name, content -> text(content, t -> t.replaceAll(pattern, replacement)));
  }

  /** Whoever knows the secret can write what a checksum cannot tell; the verifier can. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("forgeries")
  void aForgedEntryIsRebuiltEvenIfItIsSealed(Damage forgery) throws IOException {
    compilations();
    var seal = Seal.of(PrivateFolder.open(folder));
    for (var entry : entries()) {
      var text = new String(forgery.change.of(Files.readAllBytes(entry)), StandardCharsets.UTF_8);
      int end = text.indexOf('\n');
      var head = text.substring(0, text.lastIndexOf(' ', end) + 1);
      var body = text.substring(end + 1);
      Files.writeString(
          entry, head + seal.on((head + body).getBytes(StandardCharsets.UTF_8)) + "\n" + body);
    }
    assertThat(compilations()).isPositive();
    assertThat(warnings)
        .isNotEmpty()
        .allMatch(w -> w.contains("is not usable ("))
        .noneMatch(w -> w.contains("seal does not match"));
  }

  /** It is sound and has the right signature, and only the seal says that it is not the model's. */
  @Test
  void anotherProgramOfTheSameShapesIsRebuilt() throws IOException {
    compilations();
    for (var entry : entries()) {
      var text = Files.readString(entry).replace("eps=", "eps=7");
      var body = text.substring(text.indexOf('\n') + 1);
      // As good as a checksum can be made.
      Files.writeString(entry, text.replaceFirst("\\w+\n", SealedFolder.hash(body) + "\n"));
    }
    assertThat(compilations()).isEqualTo(2);
    assertThat(warnings).hasSize(2).allMatch(w -> w.contains("seal does not match"));
  }

  @Test
  void entriesOfAnotherFolderAreRebuilt() throws IOException {
    compilations();
    var elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    for (var entry : entries()) Files.copy(entry, elsewhere.resolve(entry.getFileName()));
    folder = elsewhere;
    assertThat(compilations()).isEqualTo(2);
    assertThat(warnings).hasSize(2).allMatch(w -> w.contains("seal does not match"));
  }

  @Test
  void theFolderIsMadeForItsOwnerAlone() throws IOException {
    folder = folder.resolve("new/programs");
    compilations();
    for (var file : List.of(folder, entries().getFirst(), folder.resolve("seal.key"))) {
      assertThat(Files.getPosixFilePermissions(file))
          .as("%s", file)
          .allMatch(permission -> permission.name().startsWith("OWNER_"));
    }
  }

  @Test
  void aFolderThatOthersWriteIsNotUsed() throws IOException {
    compilations();
    for (var permissions : List.of("rwxrwxrwx", "rwxrwx---", "rwx----w-")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
      assertThat(compilations()).isEqualTo(2);
      assertThat(warnings)
          .singleElement()
          .asString()
          .contains("neither taken from", "can be written by others (" + permissions, "chmod 700");
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(compilations()).as("readable is not writable").isZero();
  }

  @Test
  void anEntryThatOthersWriteAndALinkAreRebuilt() throws IOException {
    compilations();
    var entries = entries();
    Files.setPosixFilePermissions(entries.get(0), PosixFilePermissions.fromString("rw-rw-rw-"));
    var aside = Files.move(entries.get(1), folder.resolve("aside"));
    Files.createSymbolicLink(entries.get(1), aside);
    assertThat(compilations()).isEqualTo(2);
    assertThat(warnings)
        .anyMatch(w -> w.contains("can be written by others"))
        .anyMatch(w -> w.contains("is no regular file"));
    assertThat(entries()).allMatch(entry -> Files.isRegularFile(entry, NOFOLLOW_LINKS));
    assertThat(compilations()).isZero();
  }

  @Test
  void aLinkInPlaceOfTheFolderIsNotUsed() throws IOException {
    var target = Files.createDirectory(folder.resolve("target"));
    folder = Files.createSymbolicLink(folder.resolve("link"), target);
    assertThat(compilations()).isEqualTo(2);
    assertThat(warnings).singleElement().asString().contains("is a link; name the folder itself");
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void otherPassesTargetsAndSizesHaveOtherEntries() throws IOException {
    compilations();
    var options = LoadOptions.standard().withProgramCache(folder).withThreads(2);
    for (var other :
        List.of(
            options.withBackend("reference"),
            options.withIsa("portable"),
            options.withProfile(
                Profile.standard()
                    .with(Phase.PREFILL, Profile.Choices.with(new Specialization.Exact(4)))))) {
      int before = entries().size();
      try (var model = LanguageModel.load(GOLDEN.gguf("f32"), other);
          var engine = Engine.start(model.model())) {
        engine.generate(Request.of(GOLDEN.cases().get(3).prompt()).withMaxTokens(2));
        assertThat(model.compilations()).isPositive();
      }
      assertThat(entries()).hasSizeGreaterThan(before);
    }
  }
}
