package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import weft.format.Checkpoint;
import weft.generate.Album;
import weft.generate.Model;
import weft.generate.Seen;
import weft.generate.Tap;

/**
 * What Transformers computed of a picture or a video and the text around it, and what a model makes
 * of the same.
 *
 * @param prefix of the names of the arrays but the features'
 */
record SeenGolden(Checkpoint arrays, String features, String prefix) {
  /** How far a number may be off. */
  static final double TOLERANCE = 1e-3;

  /** How many of the prompt's last rows have logits among the arrays. */
  private static final int LAST = 3;

  /** The rows of all that was seen, one behind the other. */
  void requireRows(List<Seen> seen) {
    requireClose(features, joined(seen, each -> each.rows().features()));
    for (int i = 0; i < seen.getFirst().rows().deep().size(); i++) {
      int layer = i;
      requireClose(prefix + "deepstack." + i, joined(seen, each -> each.rows().deep().get(layer)));
    }
  }

  /** The logits of a prompt with these rows, and the tokens that follow it. */
  void requireText(Model model, int[] prompt, Album album, int[] greedy) {
    requireClose(prefix + "logits", logits(model, prompt, album));
    assertThat(greedy(model, prompt, album, greedy.length)).isEqualTo(greedy);
  }

  private static float[] joined(List<Seen> seen, Function<Seen, float[]> rows) {
    var parts = seen.stream().map(rows).toList();
    var out = FloatBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
    parts.forEach(out::put);
    return out.array();
  }

  private void requireClose(String name, float[] met) {
    var expected = Golden.read(arrays, name);
    assertThat(met).as(name).hasSameSizeAs(expected);
    double farthest = 0;
    for (int i = 0; i < met.length; i++) {
      farthest = Math.max(farthest, Math.abs(met[i] - expected[i]));
    }
    assertThat(farthest).as(name).isLessThan(TOLERANCE);
  }

  private static float[] logits(Model model, int[] prompt, Album album) {
    try (var session = model.open()) {
      var step = new Model.Step(session, prompt, LAST, 0, Tap.NONE, List.of(), album);
      var out = FloatBuffer.allocate(LAST * model.vocabularySize());
      for (var row : model.forward(List.of(step)).getFirst()) out.put(row.toArray());
      return out.array();
    }
  }

  private static int[] greedy(Model model, int[] prompt, Album album, int count) {
    var out = new int[count];
    try (var session = model.open()) {
      var tokens = prompt;
      for (int i = 0; i < count; i++) {
        var step = new Model.Step(session, tokens, 1, 0, Tap.NONE, List.of(), album);
        var logits = model.forward(List.of(step)).getFirst()[0].toArray();
        out[i] =
            IntStream.range(0, logits.length)
                .reduce((a, b) -> logits[b] > logits[a] ? b : a)
                .orElseThrow();
        tokens = new int[] {out[i]};
      }
    }
    return out;
  }
}
