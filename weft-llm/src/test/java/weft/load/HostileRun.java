package weft.load;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import weft.backend.BackendException;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Sampler;
import weft.generate.Sampling;
import weft.generate.Session;
import weft.generate.Tokens;
import weft.quant.Encodings;
import weft.quant.StorageType;

/**
 * The process in which models with hostile weights run, for it must not end by a signal. It names
 * each case before it. Arguments: a folder to write to, the folder of goldens, a seed, how many
 * damages a golden.
 */
final class HostileRun {
  static final String ABOUT_TO = "about to run ";
  static final String DONE = "done: ";

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort HALF =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Above this, sums in float32 and in double part. */
  private static final float LARGEST_COMPARED = 100;

  /** What stands in the place of a weight. */
  private static final float[] NUMBERS = {
    Float.NaN,
    Float.NEGATIVE_INFINITY,
    Float.POSITIVE_INFINITY,
    Float.MIN_VALUE,
    Float.MAX_VALUE,
    1,
    0
  };

  /**
   * @param overflows whether sums of squares may be beyond a float, where the reference has doubles
   */
  private record Damage(String what, boolean overflows) {}

  private final Path folder;
  private final Random random;
  private int cases;
  private int refused;
  private int compared;
  private int guarded;

  private HostileRun(Path folder, Random random) {
    this.folder = folder;
    this.random = random;
  }

  public static void main(String[] arguments) throws IOException {
    var run = new HostileRun(Path.of(arguments[0]), new Random(Long.parseLong(arguments[2])));
    run.goldens(Path.of(arguments[1]), Integer.parseInt(arguments[3]));
    run.pageEnds();
    System.out.println(
        DONE
            + run.cases
            + " cases, "
            + run.refused
            + " refused, "
            + run.compared
            + " rows compared with the reference, "
            + run.guarded
            + " files of whole pages with nothing to read behind them");
  }

  private void goldens(Path goldens, int damages) throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(goldens)) {
      files = listed.filter(f -> f.toString().endsWith(".gguf")).sorted().toList();
    }
    for (var file : files) {
      for (int i = 0; i < damages; i++) {
        try (var copy = Altered.copyOf(file)) {
          var damage = damage(copy);
          begin(file.getFileName() + " with " + damage.what);
          var altered = copy.write(folder.resolve("altered.gguf"));
          boolean isExact = !damage.overflows && file.toString().endsWith("f32.gguf");
          run(altered, Optional.of(altered).filter(_ -> isExact), () -> {});
        }
      }
    }
  }

  private void begin(String what) {
    cases++;
    System.out.println(ABOUT_TO + what);
  }

  /** Changes some tensors, or all; says how. */
  private Damage damage(Altered copy) {
    var names = new ArrayList<>(copy.names());
    Collections.shuffle(names, random);
    int count = random.nextInt(4) == 0 ? names.size() : 1 + random.nextInt(3);
    boolean areBits = random.nextInt(3) == 0;
    float number = NUMBERS[random.nextInt(NUMBERS.length)];
    for (var name : names.subList(0, count)) {
      boolean isFloats = copy.isFloats(name);
      copy.with(name, areBits ? bytes -> PageEndLlama.bits(bytes, random) : with(number, isFloats));
    }
    var of = count == names.size() ? "all tensors" : names.subList(0, count).toString();
    return new Damage(
        (areBits ? "random bits" : Float.toString(number)) + " in " + of,
        areBits || number == Float.MAX_VALUE);
  }

  /** All of a tensor, or a part of it, is this number: of packed ones, as a half. */
  private Consumer<MemorySegment> with(float number, boolean isFloats) {
    int step = random.nextBoolean() ? 1 : 1 + random.nextInt(100);
    return bytes -> {
      int size = isFloats ? Float.BYTES : Short.BYTES;
      for (long at = 0; at + size <= bytes.byteSize(); at += (long) step * size) {
        if (isFloats) bytes.set(FLOAT, at, number);
        else bytes.set(HALF, at, Float.floatToFloat16(number));
      }
    };
  }

  /** Every type, the file mapped right below pages that may not be read. */
  private void pageEnds() throws IOException {
    var types =
        Encodings.all().stream()
            .map(e -> StorageType.byName(e.name()).orElseThrow())
            .filter(type -> type.ggufId().isPresent())
            .toList();
    for (var type : types) {
      var last = PageEndLlama.MATRICES.get(random.nextInt(PageEndLlama.MATRICES.size()));
      begin(type + " at the end of a file in " + last);
      var file = folder.resolve("end.gguf");
      new PageEndLlama(type, last).write(file, random);
      try (var above = new PagesAbove(folder.resolve("above"), Files.size(file))) {
        run(file, Optional.empty(), () -> guarded += above.isBehind(file) ? 1 : 0);
      }
    }
  }

  /** A single token, a prompt, more tokens, and several texts at once; then a draw. */
  private void run(Path file, Optional<Path> reference, Runnable afterLoad) {
    var options = LoadOptions.standard().withThreads(2).withContextLength(64);
    try (var loaded = LanguageModel.load(file, options)) {
      afterLoad.run();
      var got = logits(loaded.model());
      for (var row : got) draw(row);
      if (reference.isPresent()) compare(reference.get(), got);
    } catch (RuntimeException e) {
      if (!isSentence(e)) throw e;
      refused++;
    }
  }

  /** Whether a file is refused; what a backend throws is a fault that its guard has met. */
  private static boolean isSentence(RuntimeException e) {
    return e.getClass().getName().startsWith("weft.") && !(e instanceof BackendException);
  }

  private static List<Logits> logits(Model model) {
    var rows = new ArrayList<Logits>();
    try (var one = model.open();
        var two = model.open();
        var three = model.open()) {
      rows.add(forward(model, one, text(model, 1)));
      rows.add(forward(model, two, text(model, 20)));
      for (int i = 0; i < 3; i++) rows.add(forward(model, two, text(model, 1)));
      var batch =
          Stream.of(one, two, three)
              .map(session -> new Model.Step(session, text(model, 1 + session.position() % 3), 1))
              .toList();
      for (var logits : model.forward(batch)) rows.add(Logits.of(logits[0].toArray()));
    }
    return rows;
  }

  private static Logits forward(Model model, Session session, int[] tokens) {
    var step = new Model.Step(session, tokens, 1);
    var row = model.forward(List.of(step)).getFirst()[0];
    row.isFinite();
    if (row.likeliest() < 0 || row.likeliest() >= row.size()) {
      throw new AssertionError("the likeliest token is " + row.likeliest());
    }
    return Logits.of(row.toArray());
  }

  private static int[] text(Model model, int length) {
    var text = new int[length];
    Arrays.setAll(text, i -> (i * 37 + 3 * length) % model.vocabularySize());
    return text;
  }

  /** Whatever the logits are, a token is drawn that exists, or there is a sentence. */
  private static void draw(Logits row) {
    for (var sampling :
        List.of(
            Sampling.GREEDY,
            Sampling.seeded(1),
            Sampling.seeded(1).withTopK(0).withMinP(0.1).withTypical(0.5))) {
      try {
        int token = new Sampler(sampling, row.size()).next(row, Tokens.of());
        if (token < 0 || token >= row.size()) throw new AssertionError("token " + token);
      } catch (RuntimeException e) {
        if (!isSentence(e)) throw e;
      }
    }
  }

  /** Where all is finite and of a size that sums are alike at, the choice is the reference's. */
  private void compare(Path file, List<Logits> got) {
    var options = LoadOptions.standard().withBackend("reference").withContextLength(64);
    try (var loaded = LanguageModel.load(file, options)) {
      var expected = logits(loaded.model());
      for (int i = 0; i < got.size(); i++) {
        if (!isComparable(expected.get(i)) || !isComparable(got.get(i))) continue;
        compared++;
        var row = expected.get(i).toArray();
        float best = row[expected.get(i).likeliest()];
        float chosen = row[got.get(i).likeliest()];
        if (best - chosen > 0.05f) {
          throw new AssertionError(
              "row " + i + ": the chosen token has " + chosen + " of the reference, not " + best);
        }
      }
    }
  }

  private static boolean isComparable(Logits row) {
    for (float x : row.toArray()) if (!(Math.abs(x) < LARGEST_COMPARED)) return false;
    return true;
  }
}
