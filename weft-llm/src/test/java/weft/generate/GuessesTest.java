package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuessesTest {
  @Test
  void draftsOfAnyLengthAddUpByDepth() {
    Guesses both = Guesses.of(3, 1).plus(Guesses.of(1, 1)).plus(Guesses.NONE);
    assertThat(both.drafted()).containsExactly(2L, 1L, 1L);
    assertThat(both.accepted()).containsExactly(2L, 0L, 0L);
    assertThat(both.allDrafted()).isEqualTo(4);
    assertThat(both.allAccepted()).isEqualTo(2);
  }
}
