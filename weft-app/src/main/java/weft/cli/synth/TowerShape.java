package weft.cli.synth;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The sizes of a vision tower of Qwen's kind.
 *
 * @param side places of a side of its table of positions
 * @param out the width of the text that it sees for
 * @param deep the blocks of which something is kept for the text's first layers
 */
public record TowerShape(
    String name,
    int layers,
    int width,
    int heads,
    int feedForward,
    int patch,
    int merge,
    int side,
    int out,
    Set<Integer> deep) {
  // spotless:off
  // name, layers, width, heads, feed-forward, patch, merge, side, out, deep
  private static final List<TowerShape> ALL = List.of(
      new TowerShape("qwen3-vl-2b-vision",   24, 1024, 16, 4096, 16, 2, 48, 2048, Set.of(5, 11, 17)),
      new TowerShape("qwen3.5-0.8b-vision",  12,  768, 12, 3072, 16, 2, 48, 1024, Set.of()),
      new TowerShape("tiny-vision",           2,   96,  2,  192,  8, 2,  6,  256, Set.of(0)));
  // spotless:on

  public static List<String> names() {
    return ALL.stream().map(TowerShape::name).toList();
  }

  public static Optional<TowerShape> named(String name) {
    return ALL.stream().filter(shape -> shape.name().equals(name)).findFirst();
  }

  public TowerShape withLayers(int count) {
    return new TowerShape(name, count, width, heads, feedForward, patch, merge, side, out, deep);
  }
}
