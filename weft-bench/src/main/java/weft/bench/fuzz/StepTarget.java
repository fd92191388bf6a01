package weft.bench.fuzz;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import weft.backend.BackendException;
import weft.format.Checkpoint;
import weft.format.FormatException;
import weft.generate.GenerateException;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Session;
import weft.load.LanguageModel;
import weft.load.LoadException;
import weft.load.LoadOptions;
import weft.net.ModelException;
import weft.text.TextException;

/**
 * Whole models: one that loads computes a prompt and a token more, on one worker and on two, and
 * what it gives is what the reference gives.
 */
final class StepTarget implements Target {
  private static final int[] PROMPT = {1, 7, 3, 3, 9};
  private static final int[] NEXT = {5};

  /**
   * Emitted code rounds activations to bytes for packed weights, and keys and values are halves;
   * beyond these numbers rounding can make anything of a damaged model.
   */
  private static final float TOLERANCE = 0.1f;

  private static final float LARGEST_COMPARED = 100;

  /** The squares of larger ones leave the range of floats, but not that of the reference. */
  private static final float LARGEST_WEIGHT = 1e4f;

  private static final Set<Class<?>> DECLARED =
      Set.of(
          FormatException.class,
          ModelException.class,
          LoadException.class,
          BackendException.class,
          GenerateException.class,
          TextException.class);

  @Override
  public String name() {
    return "step";
  }

  @Override
  public List<byte[]> seeds() {
    return Models.all();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return draw.oneIn(3)
        ? GgufMutation.mutate(input, other, draw)
        : GgufMutation.otherNumbers(input, draw);
  }

  @Override
  public void run(byte[] input) {
    agree(Scratch.write("model.gguf", input), mostWorkers(input));
  }

  /** Two for every fourth input: they wait for each other where other processes hold the cores. */
  static int mostWorkers(byte[] input) {
    return (Arrays.hashCode(input) & 3) == 0 ? 2 : 1;
  }

  /** Runs a model everywhere; where its weights are numbers, the logits are about the same. */
  static void agree(Path file, int mostWorkers) {
    var reference = logits(file, LoadOptions.standard().withBackend("reference"));
    boolean isTame = isTame(file);
    for (int threads = 1; threads <= mostWorkers; threads++) {
      var cpu = logits(file, LoadOptions.standard().withThreads(threads));
      for (int row = 0; row < reference.length && isTame; row++) {
        compare(reference[row], cpu[row], "row " + row + " on " + threads + " workers");
      }
    }
  }

  /** Whether all weights are numbers that a model could have. */
  private static boolean isTame(Path file) {
    try (var checkpoint = Checkpoint.open(file)) {
      for (var tensor : checkpoint.tensors().values()) {
        var values = new float[Math.toIntExact(tensor.values())];
        tensor.encoding().decode(tensor.bytes(), 0, values, 0, values.length);
        for (float value : values) {
          if (!(Math.abs(value) <= LARGEST_WEIGHT)) return false;
        }
      }
      return true;
    }
  }

  /** The logits behind the prompt, and behind one token more. */
  private static float[][] logits(Path file, LoadOptions options) {
    try (var loaded = LanguageModel.load(file, options.withContextLength(32))) {
      var model = loaded.model();
      try (var session = model.open()) {
        return new float[][] {step(model, session, PROMPT), step(model, session, NEXT)};
      }
    }
  }

  private static float[] step(Model model, Session session, int[] tokens) {
    Logits[] rows = model.forward(List.of(new Model.Step(session, tokens, 1))).getFirst();
    // As the generator looks at them: whatever they are, a token comes of it.
    int token = rows[0].likeliest();
    if (token < 0 || token >= model.vocabularySize()) {
      throw new Violation("the likeliest token is " + token + " of " + model.vocabularySize());
    }
    return rows[0].toArray();
  }

  private static void compare(float[] expected, float[] met, String where) {
    float largest = 0;
    for (float value : expected) {
      if (!Float.isFinite(value)) return;
      largest = Math.max(largest, Math.abs(value));
    }
    if (largest > LARGEST_COMPARED) return;
    for (int i = 0; i < expected.length; i++) {
      if (!(Math.abs(expected[i] - met[i]) <= TOLERANCE * (1 + largest))) {
        throw new Violation(
            "%s: logit %d is %s, expected about %s".formatted(where, i, met[i], expected[i]));
      }
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return isDeclared(failure);
  }

  static boolean isDeclared(RuntimeException failure) {
    return DECLARED.contains(failure.getClass());
  }

  @Override
  public long mostAllocated() {
    return 512L << 20;
  }
}
