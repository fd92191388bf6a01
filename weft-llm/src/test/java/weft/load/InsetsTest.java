package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weft.generate.Album;
import weft.generate.Gallery;
import weft.generate.Seen;

/** Positions of rows in texts that have pictures, as Qwen's get_rope_index gives them. */
class InsetsTest {
  private final Gallery gallery = new Gallery();
  private final Seen grid = picture("a", 2, 3, Seen.Manner.GRID);
  private final Seen block = picture("b", 2, 2, Seen.Manner.BLOCK);
  private final Album album = Album.of(List.of(grid, block));

  private Seen picture(String content, int height, int width, Seen.Manner manner) {
    var rows = new Seen.Rows(new float[height * width], List.of());
    return gallery.seen(content, new Seen.Grid(1, height, width), rows, manner);
  }

  private static List<Integer> positions(Insets insets, int section, int rows) {
    return IntStream.range(0, rows).map(row -> insets.position(row, section)).boxed().toList();
  }

  @Test
  void whatFollowsAPictureGoesOnBehindItsFarthestRow() {
    var insets = new Insets();
    int a = grid.id();
    insets.add(0, new int[] {5, 9, a, a, a}, album);
    insets.add(5, new int[] {a, a, a, 40, a, a, a, a, a, a, 7}, album);
    assertThat(positions(insets, 0, 16))
        .containsExactly(0, 1, 2, 2, 2, 2, 2, 2, 5, 6, 6, 6, 6, 6, 6, 9);
    assertThat(positions(insets, 1, 16))
        .containsExactly(0, 1, 2, 2, 2, 3, 3, 3, 5, 6, 6, 6, 7, 7, 7, 9);
    assertThat(positions(insets, 2, 16))
        .containsExactly(0, 1, 2, 3, 4, 2, 3, 4, 5, 6, 7, 8, 6, 7, 8, 9);
    assertThat(insets.at(6)).contains(new Insets.Row(grid, 4));
    assertThat(insets.at(8)).isEmpty();
    assertThat(insets.before(4).position(8, 2)).as("a fork within the first").isEqualTo(5);
    assertThat(insets.before(9).position(20, 0)).isEqualTo(17);
  }

  @Test
  void aBlockIsNoPlaceToStop() {
    var insets = new Insets();
    int b = block.id();
    insets.add(0, new int[] {1, b, b, b, b, b, b, b, b, 2}, album);
    assertThat(IntStream.range(0, 10).map(insets::stop))
        .containsExactly(0, 1, 1, 1, 1, 5, 5, 5, 5, 9);
    assertThat(insets.blocks(1, 9)).containsExactly(new Insets.Block(0, 4), new Insets.Block(4, 8));
    assertThat(positions(insets, 1, 10)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void aTextThatLeavesAPictureIsRefused() {
    var insets = new Insets();
    insets.add(0, new int[] {grid.id(), grid.id()}, album);
    assertThatThrownBy(() -> insets.add(2, new int[] {4}, album))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("goes on at row 2 of the text, but token 4 is there");
  }
}
