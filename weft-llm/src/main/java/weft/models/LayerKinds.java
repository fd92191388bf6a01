package weft.models;

import java.util.List;
import java.util.function.IntPredicate;
import weft.net.Meta;
import weft.net.ModelException;

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
    if (!types.isEmpty()) return layer -> type(types, layer, other).equals(FULL);
    if (m.value(key).orElse(period) instanceof List<?>) {
      var isOther = m.numbers(key);
      return layer -> isOther.get(layer) == 0;
    }
    int every = m.integer(key, period);
    return layer -> every > 0 && (layer + 1) % every == 0;
  }

  private static String type(List<String> types, int layer, String other) {
    var type = layer < types.size() ? types.get(layer) : "missing";
    if (!type.equals(FULL) && !type.equals(other)) {
      throw new ModelException(
          "layer_types[%d] is %s, expected %s or %s".formatted(layer, type, FULL, other));
    }
    return type;
  }
}
