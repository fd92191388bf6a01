package weft.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.bench.matrix.Case;
import weft.bench.matrix.Slice;

class MatrixOptionsTest {
  @Test
  void nothingSaidIsTheWholeMatrix() {
    var options = MatrixOptions.of();
    assertThat(options.shapes()).containsAll(Slice.SHAPES).containsAll(Slice.NARROW);
    assertThat(options.types()).isEqualTo(Slice.types());
    assertThat(options.teams()).hasSize(16).contains(1, 16);
    assertThat(options.lengths()).isEqualTo(Case.LENGTHS);
    assertThat(options.batches()).isEqualTo(Case.BATCHES);
    assertThat(options.deadline()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void numbersComeInListsAndRangesAndTheLastValueWins() {
    var options =
        MatrixOptions.of("--threads", "3,8-10", "--lengths=512", "--work", "a", "--work=b");
    assertThat(options.teams()).containsExactly(3, 8, 9, 10);
    assertThat(options.lengths()).containsExactly(512);
    assertThat(options.folder()).isEqualTo(Path.of("b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--bogus=1",
        "--threads=0",
        "--threads=5-3",
        "--minutes=long",
        "--shapes=gpt-5",
        "--types=Q9",
        "--kv=q4",
        "--seed=x",
        "--minutes"
      })
  void whatIsWrongIsNamed(String argument) {
    assertThatThrownBy(() -> MatrixOptions.of(argument))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
