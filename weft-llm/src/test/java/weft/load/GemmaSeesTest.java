package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.chat.Glimpse;
import weft.chat.Sight;
import weft.format.GgufWriter;
import weft.format.NumberArray;
import weft.generate.Album;
import weft.generate.Model;
import weft.generate.Tap;
import weft.image.Picture;
import weft.image.Pictures;
import weft.image.Reel;
import weft.quant.StorageType;

/**
 * Gemma 3's tower and how its text reads a picture, against plain loops: patches, blocks, averages
 * and projection; then rows that see each other, within windows and without.
 */
class GemmaSeesTest {
  private static final int SIDE = 16;
  private static final int PATCH = 4;
  private static final int GRID = SIDE / PATCH;
  private static final int MERGE = 2;
  private static final int ROWS = 4;
  private static final int V_WIDTH = 24;
  private static final int V_HEADS = 2;
  private static final int V_HIDDEN = 40;
  private static final int WIDTH = 32;
  private static final int HEADS = 2;
  private static final int HEAD = 16;
  private static final int HIDDEN = 48;
  private static final int VOCABULARY = 40;
  private static final int LAYERS = 2;
  private static final double EPS = 1e-6;

  /** Weights by their names, made as they are asked for and written to a file. */
  private static final class Weights {
    private final Map<String, float[]> all = new LinkedHashMap<>();
    private final Map<String, List<Long>> shapes = new LinkedHashMap<>();
    private final SplittableRandom random = new SplittableRandom(5);

    void add(String name, double centre, double spread, long... shape) {
      long count = 1;
      var dims = new ArrayList<Long>();
      for (long size : shape) {
        count *= size;
        dims.add(size);
      }
      var values = new float[(int) count];
      for (int i = 0; i < count; i++) {
        values[i] = (float) (centre + spread * random.nextGaussian());
      }
      all.put(name, values);
      shapes.put(name, dims);
    }

    float[] of(String name) {
      return all.get(name);
    }

    void write(GgufWriter writer, Path file) {
      var order = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
      all.forEach(
          (name, values) ->
              writer.tensor(
                  name,
                  StorageType.F32,
                  shapes.get(name),
                  bytes -> {
                    for (int i = 0; i < values.length; i++) {
                      bytes.setAtIndex(order, i, values[i]);
                    }
                  }));
      writer.write(file);
    }
  }

  private final Weights tower = new Weights();
  private final Weights text = new Weights();
  private int window;

  private void writeTower(Path file) {
    tower.add("v.patch_embd.weight", 0, 0.2, V_WIDTH, 3, PATCH, PATCH);
    tower.add("v.patch_embd.bias", 0, 0.2, V_WIDTH);
    tower.add("v.position_embd.weight", 0, 0.5, GRID * GRID, V_WIDTH);
    for (int i = 0; i < LAYERS; i++) {
      var p = "v.blk." + i + ".";
      for (var norm : List.of("ln1", "ln2")) {
        tower.add(p + norm + ".weight", 1, 0.2, V_WIDTH);
        tower.add(p + norm + ".bias", 0, 0.2, V_WIDTH);
      }
      for (var name : List.of("attn_q", "attn_k", "attn_v", "attn_out")) {
        tower.add(p + name + ".weight", 0, 0.3, V_WIDTH, V_WIDTH);
        tower.add(p + name + ".bias", 0, 0.1, V_WIDTH);
      }
      tower.add(p + "ffn_up.weight", 0, 0.3, V_HIDDEN, V_WIDTH);
      tower.add(p + "ffn_up.bias", 0, 0.1, V_HIDDEN);
      tower.add(p + "ffn_down.weight", 0, 0.3, V_WIDTH, V_HIDDEN);
      tower.add(p + "ffn_down.bias", 0, 0.1, V_WIDTH);
    }
    tower.add("v.post_ln.weight", 1, 0.2, V_WIDTH);
    tower.add("v.post_ln.bias", 0, 0.2, V_WIDTH);
    tower.add("mm.soft_emb_norm.weight", 1, 0.2, V_WIDTH);
    tower.add("mm.input_projection.weight", 0, 0.3, V_WIDTH, WIDTH);
    var half = NumberArray.ofFloats(0.5f, 0.5f, 0.5f);
    var writer =
        new GgufWriter()
            .string("general.architecture", "clip")
            .string("clip.projector_type", "gemma3")
            .bool("clip.use_gelu", true)
            .uint32("clip.vision.image_size", SIDE)
            .uint32("clip.vision.patch_size", PATCH)
            .uint32("clip.vision.projector.scale_factor", MERGE)
            .uint32("clip.vision.embedding_length", V_WIDTH)
            .uint32("clip.vision.feed_forward_length", V_HIDDEN)
            .uint32("clip.vision.block_count", LAYERS)
            .uint32("clip.vision.attention.head_count", V_HEADS)
            .uint32("clip.vision.projection_dim", WIDTH)
            .float32("clip.vision.attention.layer_norm_epsilon", (float) EPS)
            .numbers("clip.vision.image_mean", half)
            .numbers("clip.vision.image_std", half);
    tower.write(writer, file);
  }

  private void writeText(Path file) {
    text.add("token_embd.weight", 0, 0.3, VOCABULARY, WIDTH);
    text.add("output_norm.weight", 1, 0.2, WIDTH);
    for (int i = 0; i < LAYERS; i++) {
      var p = "blk." + i + ".";
      for (var n : List.of("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm")) {
        text.add(p + n + ".weight", 1, 0.2, WIDTH);
      }
      text.add(p + "attn_q.weight", 0, 0.3, HEADS * HEAD, WIDTH);
      text.add(p + "attn_k.weight", 0, 0.3, HEAD, WIDTH);
      text.add(p + "attn_v.weight", 0, 0.3, HEAD, WIDTH);
      text.add(p + "attn_output.weight", 0, 0.3, WIDTH, HEADS * HEAD);
      text.add(p + "attn_q_norm.weight", 1, 0.2, HEAD);
      text.add(p + "attn_k_norm.weight", 1, 0.2, HEAD);
      text.add(p + "ffn_gate.weight", 0, 0.3, HIDDEN, WIDTH);
      text.add(p + "ffn_up.weight", 0, 0.3, HIDDEN, WIDTH);
      text.add(p + "ffn_down.weight", 0, 0.3, WIDTH, HIDDEN);
    }
    var writer =
        new GgufWriter()
            .string("general.architecture", "gemma3")
            .uint32("gemma3.block_count", LAYERS)
            .uint32("gemma3.context_length", 128)
            .uint32("gemma3.embedding_length", WIDTH)
            .uint32("gemma3.feed_forward_length", HIDDEN)
            .uint32("gemma3.attention.head_count", HEADS)
            .uint32("gemma3.attention.head_count_kv", 1)
            .uint32("gemma3.attention.key_length", HEAD)
            .uint32("gemma3.attention.value_length", HEAD)
            .uint32("gemma3.attention.sliding_window", window)
            .uint32("gemma3.attention.sliding_window_pattern", 2)
            .float32("gemma3.attention.layer_norm_rms_epsilon", (float) EPS)
            .float32("gemma3.rope.freq_base", 1e6f)
            .float32("gemma3.rope.freq_base_swa", 1e4f);
    text.write(writer, file);
  }

  private static Picture picture() throws IOException {
    return Pictures.read(file(9));
  }

  private static byte[] file(int seed) throws IOException {
    var random = new SplittableRandom(seed);
    var image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < SIDE * SIDE; i++) {
      image.setRGB(i % SIDE, i / SIDE, random.nextInt(1 << 24));
    }
    var out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }

  /** It knows no videos. */
  @Test
  void framesOfAVideoArePictures(@TempDir Path folder) throws IOException {
    writeTower(folder.resolve("mmproj.gguf"));
    writeText(folder.resolve("model.gguf"));
    var options = LoadOptions.standard().withThreads(2);
    try (var model = LanguageModel.load(folder.resolve("model.gguf"), options)) {
      var sight = model.sight().orElseThrow();
      assertThat(sight.films()).isEqualTo(Sight.Films.PICTURES);
      var files = List.of(file(1), file(2), file(3));
      var seen = sight.watch(Reel.of(files, 2));
      assertThat(seen.stream().map(Glimpse::second)).containsExactly(0.0, 0.5, 1.0);
      for (int i = 0; i < 3; i++) {
        assertThat(seen.get(i).seen().rows().features())
            .isEqualTo(sight.see(Pictures.read(files.get(i))).rows().features());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"reference, 5", "cpu, 5", "reference, 3", "cpu, 3"})
  void seesAsItsDefinitionSays(String backend, int positions, @TempDir Path folder)
      throws IOException {
    window = positions;
    writeTower(folder.resolve("mmproj.gguf"));
    writeText(folder.resolve("model.gguf"));
    var options = LoadOptions.standard().withBackend(backend).withThreads(2);
    try (var model = LanguageModel.load(folder.resolve("model.gguf"), options)) {
      var picture = picture();
      var seen = model.sight().orElseThrow().see(picture);
      assertThat(seen.count()).isEqualTo(ROWS);
      var features = features(picture);
      close(seen.rows().features(), flat(features));

      var prompt = new int[] {3, 7, seen.id(), seen.id(), seen.id(), seen.id(), 9, 11, 5, 2};
      try (var session = model.model().open()) {
        var album = Album.of(List.of(seen));
        var step = new Model.Step(session, prompt, prompt.length, 0, Tap.NONE, List.of(), album);
        var rows = model.model().forward(List.of(step)).getFirst();
        var expected = logits(prompt, features);
        for (int i = 0; i < prompt.length; i++) close(rows[i].toArray(), expected[i]);
      }
    }
  }

  private static void close(float[] met, double[] expected) {
    assertThat(met).hasSize(expected.length);
    for (int i = 0; i < met.length; i++) {
      assertThat((double) met[i]).as("number %d", i).isCloseTo(expected[i], Offset.offset(1e-3));
    }
  }

  private static double[] flat(double[][] rows) {
    return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
  }

  // The tower.

  private double[][] features(Picture picture) {
    var x = new double[GRID * GRID][V_WIDTH];
    var filter = tower.of("v.patch_embd.weight");
    for (int p = 0; p < x.length; p++) {
      for (int o = 0; o < V_WIDTH; o++) {
        double sum = tower.of("v.patch_embd.bias")[o];
        for (int c = 0; c < 3; c++) {
          for (int i = 0; i < PATCH * PATCH; i++) {
            int px = p % GRID * PATCH + i % PATCH;
            int py = p / GRID * PATCH + i / PATCH;
            double value = picture.at(px, py, c) / 255.0 * 2 - 1;
            sum += filter[(o * 3 + c) * PATCH * PATCH + i] * value;
          }
        }
        x[p][o] = sum + tower.of("v.position_embd.weight")[p * V_WIDTH + o];
      }
    }
    for (int i = 0; i < LAYERS; i++) x = towerBlock("v.blk." + i + ".", x);
    x = layerNorm("v.post_ln", x);
    var out = new double[ROWS][];
    for (int row = 0; row < ROWS; row++) {
      var mean = new double[V_WIDTH];
      for (int i = 0; i < MERGE * MERGE; i++) {
        int py = row / 2 * MERGE + i / MERGE;
        int px = row % 2 * MERGE + i % MERGE;
        for (int c = 0; c < V_WIDTH; c++) mean[c] += x[py * GRID + px][c] / (MERGE * MERGE);
      }
      var soft = rms(mean, tower.of("mm.soft_emb_norm.weight"));
      out[row] = new double[WIDTH];
      for (int o = 0; o < WIDTH; o++) {
        for (int c = 0; c < V_WIDTH; c++) {
          out[row][o] += soft[c] * tower.of("mm.input_projection.weight")[c * WIDTH + o];
        }
      }
    }
    return out;
  }

  private double[][] towerBlock(String p, double[][] x) {
    var in = layerNorm(p + "ln1", x);
    var q = linear(tower, p + "attn_q", in);
    var k = linear(tower, p + "attn_k", in);
    var v = linear(tower, p + "attn_v", in);
    int d = V_WIDTH / V_HEADS;
    var attended = new double[x.length][V_WIDTH];
    for (int h = 0; h < V_HEADS; h++) {
      for (int row = 0; row < x.length; row++) {
        attend(q[row], h * d, k, v, h * d, d, 0, x.length - 1, attended[row], h * d);
      }
    }
    var y = plus(x, linear(tower, p + "attn_out", attended));
    var up = linear(tower, p + "ffn_up", layerNorm(p + "ln2", y));
    for (var row : up) for (int i = 0; i < row.length; i++) row[i] = gelu(row[i]);
    return plus(y, linear(tower, p + "ffn_down", up));
  }

  private double[][] layerNorm(String name, double[][] x) {
    var out = new double[x.length][];
    for (int r = 0; r < x.length; r++) {
      int n = x[r].length;
      double mean = Arrays.stream(x[r]).average().orElseThrow();
      double variance = 0;
      for (double value : x[r]) variance += (value - mean) * (value - mean) / n;
      out[r] = new double[n];
      for (int i = 0; i < n; i++) {
        out[r][i] =
            (x[r][i] - mean) / Math.sqrt(variance + EPS) * tower.of(name + ".weight")[i]
                + tower.of(name + ".bias")[i];
      }
    }
    return out;
  }

  // The text.

  private double[][] logits(int[] prompt, double[][] features) {
    int n = prompt.length;
    var x = new double[n][WIDTH];
    int first = 0;
    while (prompt[first] >= 0) first++;
    for (int r = 0; r < n; r++) {
      for (int i = 0; i < WIDTH; i++) {
        x[r][i] =
            prompt[r] < 0
                ? features[r - first][i]
                : text.of("token_embd.weight")[prompt[r] * WIDTH + i] * Math.sqrt(WIDTH);
      }
    }
    for (int layer = 0; layer < LAYERS; layer++) x = textBlock(layer, x, first);
    var out = new double[n][VOCABULARY];
    for (int r = 0; r < n; r++) {
      var last = rms(x[r], text.of("output_norm.weight"));
      for (int t = 0; t < VOCABULARY; t++) {
        for (int i = 0; i < WIDTH; i++) {
          out[r][t] += last[i] * text.of("token_embd.weight")[t * WIDTH + i];
        }
      }
    }
    return out;
  }

  private double[][] textBlock(int layer, double[][] x, int picture) {
    var p = "blk." + layer + ".";
    boolean isFull = layer == 1;
    var in = rms(x, p + "attn_norm");
    var q = turned(linear(text, p + "attn_q", in), p + "attn_q_norm", isFull ? 1e6 : 1e4);
    var k = turned(linear(text, p + "attn_k", in), p + "attn_k_norm", isFull ? 1e6 : 1e4);
    var v = linear(text, p + "attn_v", in);
    var attended = new double[x.length][HEADS * HEAD];
    for (int r = 0; r < x.length; r++) {
      boolean isPicture = r >= picture && r < picture + ROWS;
      int last = isPicture ? picture + ROWS - 1 : r;
      int first = isFull ? 0 : Math.max(0, r - window + 1);
      if (isPicture) first = Math.min(first, picture);
      for (int h = 0; h < HEADS; h++) {
        attend(q[r], h * HEAD, k, v, 0, HEAD, first, last, attended[r], h * HEAD);
      }
    }
    var y = plus(x, rms(linear(text, p + "attn_output", attended), p + "post_attention_norm"));
    var thought = rms(y, p + "ffn_norm");
    var gate = linear(text, p + "ffn_gate", thought);
    var up = linear(text, p + "ffn_up", thought);
    for (int r = 0; r < x.length; r++) {
      for (int i = 0; i < HIDDEN; i++) up[r][i] *= gelu(gate[r][i]);
    }
    return plus(y, rms(linear(text, p + "ffn_down", up), p + "post_ffw_norm"));
  }

  private double[][] turned(double[][] x, String norm, double theta) {
    var weight = text.of(norm + ".weight");
    for (int r = 0; r < x.length; r++) {
      for (int h = 0; h < x[r].length; h += HEAD) {
        var head = rms(Arrays.copyOfRange(x[r], h, h + HEAD), weight);
        for (int i = 0; i < HEAD / 2; i++) {
          double angle = r * Math.pow(theta, -2.0 * i / HEAD);
          double a = head[i];
          double b = head[i + HEAD / 2];
          x[r][h + i] = a * Math.cos(angle) - b * Math.sin(angle);
          x[r][h + i + HEAD / 2] = b * Math.cos(angle) + a * Math.sin(angle);
        }
      }
    }
    return x;
  }

  // What both have.

  private static void attend(
      double[] q,
      int at,
      double[][] k,
      double[][] v,
      int kvAt,
      int d,
      int first,
      int last,
      double[] out,
      int to) {
    var weights = new double[last + 1];
    double total = 0;
    for (int s = first; s <= last; s++) {
      double score = 0;
      for (int i = 0; i < d; i++) score += q[at + i] * k[s][kvAt + i];
      weights[s] = Math.exp(score / Math.sqrt(d));
      total += weights[s];
    }
    for (int s = first; s <= last; s++) {
      for (int i = 0; i < d; i++) out[to + i] += weights[s] / total * v[s][kvAt + i];
    }
  }

  private static double[][] linear(Weights weights, String name, double[][] x) {
    var w = weights.of(name + ".weight");
    var bias = weights.of(name + ".bias");
    int in = x[0].length;
    var out = new double[x.length][w.length / in];
    for (int r = 0; r < x.length; r++) {
      for (int o = 0; o < out[r].length; o++) {
        double sum = bias == null ? 0 : bias[o];
        for (int i = 0; i < in; i++) sum += x[r][i] * w[o * in + i];
        out[r][o] = sum;
      }
    }
    return out;
  }

  private double[][] rms(double[][] x, String name) {
    var weight = text.of(name + ".weight");
    return Arrays.stream(x).map(row -> rms(row, weight)).toArray(double[][]::new);
  }

  private static double[] rms(double[] x, float[] weight) {
    double squares = 0;
    for (double value : x) squares += value * value;
    var out = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      out[i] = x[i] / Math.sqrt(squares / x.length + EPS) * weight[i];
    }
    return out;
  }

  private static double[][] plus(double[][] a, double[][] b) {
    var out = new double[a.length][a[0].length];
    for (int r = 0; r < a.length; r++) {
      for (int i = 0; i < a[r].length; i++) out[r][i] = a[r][i] + b[r][i];
    }
    return out;
  }

  private static double gelu(double x) {
    return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
  }
}
