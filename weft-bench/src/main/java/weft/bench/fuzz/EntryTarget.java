package weft.bench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import weft.generate.Model;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/**
 * Entries of the cache of compiled programs, forged by one who has its key: they are rebuilt or
 * they run, and nothing else happens. One with a wrong seal is never used: the logits are the same.
 */
final class EntryTarget implements Target {
  private static final int[] PROMPT = {1, 7, 3};
  private static final int[] NEXT = {5};
  private static final String SEAL = "HmacSHA256";

  /** What begins an entry whose seal is left as it was. */
  private static final byte UNSEALED = '#';

  private final ProgramTarget programs = new ProgramTarget();
  private final List<Entry> entries = new ArrayList<>();
  private float[][] expected = new float[0][];
  private byte[] key = new byte[0];

  /** A file of the cache: what comes before its seal, and the program behind it. */
  private record Entry(Path file, String head, String body) {}

  @Override
  public String name() {
    return "entry";
  }

  @Override
  public List<byte[]> seeds() {
    prepare();
    return entries.stream().map(e -> e.body.getBytes(StandardCharsets.UTF_8)).toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    byte[] changed = programs.mutate(input, other, draw);
    return draw.oneIn(20) ? ByteMutation.replaced(changed, 0, 0, new byte[] {UNSEALED}) : changed;
  }

  private void prepare() {
    if (!entries.isEmpty()) return;
    var model = Scratch.write("entry.gguf", Models.exact().getFirst());
    expected = logits(model);
    try (var files = Files.list(folder())) {
      for (var file : files.sorted().toList()) {
        if (!file.toString().endsWith(".weft")) continue;
        var text = Files.readString(file);
        int end = text.indexOf('\n');
        entries.add(
            new Entry(
                file, text.substring(0, text.lastIndexOf(' ', end) + 1), text.substring(end + 1)));
      }
      key = Files.readAllBytes(folder().resolve("seal.key"));
    } catch (IOException e) {
      throw new UncheckedIOException(folder() + " cannot be read", e);
    }
  }

  private static Path folder() {
    return Scratch.file("programs");
  }

  @Override
  public void run(byte[] input) {
    prepare();
    boolean isSealed = input.length == 0 || input[0] != UNSEALED;
    var body = new String(input, StandardCharsets.UTF_8);
    for (var entry : entries) write(entry, isSealed ? body : body.substring(1), isSealed);
    var met = logits(Scratch.file("entry.gguf"));
    if (!isSealed && !Arrays.deepEquals(expected, met)) {
      throw new Violation("an entry that nobody sealed was used");
    }
  }

  private void write(Entry entry, String body, boolean isSealed) {
    var seal = isSealed ? seal(entry.head + body) : seal(entry.head + body + " ");
    try {
      Files.writeString(entry.file, entry.head + seal + "\n" + body);
    } catch (IOException e) {
      throw new UncheckedIOException(entry.file + " cannot be written", e);
    }
  }

  private String seal(String text) {
    try {
      var mac = Mac.getInstance(SEAL);
      mac.init(new SecretKeySpec(key, SEAL));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has " + SEAL, e);
    }
  }

  private static float[][] logits(Path file) {
    var options = LoadOptions.standard().withThreads(1).withProgramCache(folder());
    try (var loaded = LanguageModel.load(file, options.withContextLength(32));
        var session = loaded.model().open()) {
      var model = loaded.model();
      return new float[][] {
        model.forward(List.of(new Model.Step(session, PROMPT, 1))).getFirst()[0].toArray(),
        model.forward(List.of(new Model.Step(session, NEXT, 1))).getFirst()[0].toArray()
      };
    }
  }

  /** An entry is no reason for a run to fail. */
  @Override
  public boolean declares(RuntimeException failure) {
    return false;
  }

  @Override
  public long mostAllocated() {
    return 512L << 20;
  }
}
