package weft.models;

import java.util.List;
import java.util.function.IntPredicate;
import weft.net.Meta;
import weft.net.Range;

/** Which layers attend to all tokens, in models where the others do something cheaper. */
final class LayerKinds {
  private static final String FULL = "full_attention";

  private LayerKinds() {}

  /**
   * The full layers, as {@code layer_types} lists them, or as the key marks the others one by one,
   * or every so many layers as the key says, or else every {@code period}.
   */
  static IntPredicate full(Meta m, String other, String key, int period) {
    var types = m.texts("layer_types");
    if (!types.isEmpty()) return layer -> isFull(m, types, layer, other);
    if (m.value(key).orElse(period) instanceof List<?>) {
      var marks = m.numbers(key, Range.MARK);
      return layer -> {
        if (layer >= marks.size()) throw m.wrong(key, marks, "one for layer " + layer);
        return marks.get(layer) == 0;
      };
    }
    int every = m.integer(key, Range.MARK, period);
    return layer -> every > 0 && (layer + 1) % every == 0;
  }

  private static boolean isFull(Meta m, List<String> types, int layer, String other) {
    if (layer >= types.size()) throw m.wrong("layer_types", types, "one for layer " + layer);
    var type = types.get(layer);
    if (type.equals(FULL)) return true;
    if (type.equals(other)) return false;
    throw m.wrong("layer_types", type + " at layer " + layer, FULL + " or " + other);
  }
}
