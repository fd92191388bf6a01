package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.backend.BackendException;
import weft.format.FormatException;
import weft.format.MetadataValue;
import weft.format.NumberArray;
import weft.format.TextArray;
import weft.format.ValueType;
import weft.generate.Engine;
import weft.generate.GenerateException;
import weft.generate.Request;
import weft.net.ModelException;
import weft.text.TextException;
import weft.text.jinja.TemplateException;

/**
 * Checkpoints with a number, a list or a shape changed to what no model has: each loads and makes a
 * step, or is refused by one of the exceptions that are declared for files.
 */
class MutatedModelTest {
  /** Other seeds and more files, for who has more time. */
  private static final long SEED = Long.getLong("weft.seed", 13);

  private static final int GGUF_FILES = Integer.getInteger("weft.mutations", 450);
  private static final int CONFIGURATIONS = GGUF_FILES / 3;

  private static final Set<Class<?>> DECLARED =
      Set.of(
          FormatException.class,
          ModelException.class,
          LoadException.class,
          BackendException.class,
          TextException.class,
          TemplateException.class,
          GenerateException.class);

  private static final List<Long> WHOLES =
      List.of(
          0L,
          1L,
          -1L,
          2L,
          3L,
          5L,
          63L,
          65L,
          4097L,
          (1L << 20) + 1,
          (1L << 31) - 1,
          -(1L << 31),
          1L << 31,
          (1L << 32) - 1,
          1L << 53,
          Long.MAX_VALUE,
          Long.MIN_VALUE);

  private static final List<Double> REALS =
      List.of(
          0.0,
          -0.0,
          0.5,
          1.0,
          -1.0,
          1e-45,
          1e30,
          1e308,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY);

  @TempDir Path folder;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private int loaded;

  @Test
  void ggufFilesLoadOrAreRefusedByName() {
    var files = Golden.all().stream().map(g -> g.gguf("f32")).filter(Files::exists).toList();
    for (int i = 0; i < GGUF_FILES; i++) {
      try (var altered = Altered.copyOf(files.get(i % files.size()))) {
        var what = mutate(altered);
        attempt(
            what, altered.write(folder.resolve("mutated.gguf")), i % 8 == 0 ? "cpu" : "reference");
      }
    }
    assertThat(loaded).as("not all is refused").isGreaterThan(GGUF_FILES / 10);
  }

  /** One change, in words. */
  private String mutate(Altered altered) {
    if (random.nextInt(6) == 0) return mutateTensor(altered);
    var keys =
        altered.keys().stream()
            .filter(k -> !k.startsWith("general.") && !k.startsWith("tokenizer."))
            .toList();
    var key = pick(keys);
    if (random.nextInt(20) == 0) {
      altered.withoutKey(key);
      return key + " removed";
    }
    // Some keys are read where they are there, and no golden has them.
    if (random.nextInt(5) == 0) {
      var prefix = key.substring(0, key.indexOf('.') + 1);
      key = prefix + pick(OPTIONAL);
    }
    var value = value();
    altered.saying(key, value);
    return key + " = " + value;
  }

  private static final List<String> OPTIONAL =
      List.of(
          "rope.dimension_count",
          "rope.scaling.factor",
          "rope.scaling.original_context_length",
          "rope.freq_base_swa",
          "attention.sliding_window",
          "attention.sliding_window_pattern",
          "attention.key_length",
          "attention.head_count_kv",
          "attention.recurrent_layers",
          "full_attention_interval",
          "final_logit_softcapping",
          "attn_logit_softcapping",
          "expert_shared_feed_forward_length",
          "expert_weights_scale",
          "expert_weights_norm",
          "nextn_predict_layers",
          "ssm.inner_size",
          "layer_types");

  private String mutateTensor(Altered altered) {
    var name = pick(altered.tensors());
    if (random.nextBoolean()) {
      altered.without(name);
      return name + " removed";
    }
    long elements = altered.elements(name);
    var shapes =
        List.of(
            new Long[] {elements},
            new Long[] {1L, elements},
            new Long[] {elements, 1L},
            new Long[] {1L, 1L, 1L, elements},
            new Long[] {elements / 2, 2L});
    var shape = pick(shapes);
    altered.shaped(name, shape);
    return name + " as " + List.of(shape);
  }

  private MetadataValue value() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> new MetadataValue.Whole(ValueType.INT64, pick(WHOLES));
      case 5 -> new MetadataValue.Whole(ValueType.UINT64, pick(WHOLES));
      case 6, 7, 8 -> new MetadataValue.Real(ValueType.FLOAT64, pick(REALS));
      case 9 -> new MetadataValue.Flag(random.nextBoolean());
      case 10 ->
          new MetadataValue.Text(pick(List.of("", "x", "yarn", "linear", "longrope", "llama3")));
      default -> list();
    };
  }

  private MetadataValue list() {
    int size = pick(List.of(0, 1, 2, 3, 100, 70_000));
    return switch (random.nextInt(3)) {
      case 0 -> {
        long whole = pick(WHOLES);
        var numbers = IntStream.range(0, size).mapToLong(i -> whole).toArray();
        yield new MetadataValue.Numbers(NumberArray.of(ValueType.INT64, numbers));
      }
      case 1 -> {
        double real = pick(REALS);
        var numbers = IntStream.range(0, size).mapToDouble(i -> real).toArray();
        yield new MetadataValue.Numbers(NumberArray.ofDoubles(numbers));
      }
      default -> {
        var texts = IntStream.range(0, size).mapToObj(i -> "full_attention").toList();
        yield new MetadataValue.Texts(TextArray.of(texts));
      }
    };
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  @Test
  void configurationsLoadOrAreRefusedByName() throws IOException {
    var goldens = new ArrayList<>(Golden.all());
    goldens.addAll(Golden.options());
    for (int i = 0; i < CONFIGURATIONS; i++) {
      var golden = goldens.get(i % goldens.size());
      var weights = golden.transformers().toAbsolutePath();
      var link = folder.resolve("model.safetensors");
      Files.createSymbolicLink(link, weights.resolve("model.safetensors"));
      var config = mutated(Files.readAllLines(weights.resolve("config.json")));
      Files.writeString(folder.resolve("config.json"), config);
      attempt(golden + "\n" + config, folder, "reference");
      Files.delete(link);
    }
    assertThat(loaded).as("not all is refused").isGreaterThan(CONFIGURATIONS / 10);
  }

  /** One number of a configuration changed. */
  private String mutated(List<String> lines) {
    var changed = new ArrayList<>(lines);
    var numbers =
        IntStream.range(0, lines.size())
            .filter(i -> lines.get(i).matches(".*: *-?[0-9][0-9.e+-]*,?"))
            .boxed()
            .collect(Collectors.toList());
    int at = pick(numbers);
    var line = lines.get(at);
    var end = line.endsWith(",") ? "," : "";
    var value =
        random.nextBoolean()
            ? String.valueOf(pick(WHOLES))
            : pick(
                List.of(
                    "0.5",
                    "-1.0",
                    "1e308",
                    "NaN",
                    "Infinity",
                    "true",
                    "null",
                    "[1]",
                    "{}",
                    "\"x\""));
    changed.set(at, line.substring(0, line.indexOf(':') + 1) + " " + value + end);
    return String.join("\n", changed);
  }

  private void attempt(String what, Path path, String backend) {
    var options = LoadOptions.standard().withBackend(backend).withThreads(1).withContextLength(64);
    // The context that the file itself says must do, too.
    if (random.nextBoolean()) options = LoadOptions.standard().withBackend(backend).withThreads(1);
    try (var model = LanguageModel.load(path, options);
        var engine = Engine.start(model.model())) {
      engine.generate(Request.of(1, 70).withMaxTokens(1));
      loaded++;
    } catch (RuntimeException e) {
      assertThat(DECLARED).as("%s by %s", what, e).contains(e.getClass());
      if (e instanceof GenerateException && e.getCause() != null) {
        assertThat(DECLARED).as("%s by %s", what, e).contains(e.getCause().getClass());
      }
      assertThat(e.getMessage()).as(what).hasSizeBetween(10, 1000);
    } catch (Error e) {
      throw new AssertionError(what, e);
    }
  }
}
