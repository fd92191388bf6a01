package weft.cpu.emitted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import weft.cpu.asm.Hosts;
import weft.quant.Encodings;

class RowThresholdsTest {
  private static SortedSet<Integer> ofTeam(int team) {
    // The level whose kernels take the fewest numbers of rows, lest those hide what teams do.
    var isa = Hosts.levels().getFirst();
    return new RowThresholds(isa, team, Encodings.Q8_0, 2048, List.of(512, 8192), 8, 4).upTo(600);
  }

  @Test
  void rowsAreSharedFromAsManyAsAllWorkersHaveEnough() {
    for (int team = 2; team <= 4; team++) {
      assertThat(ofTeam(team)).contains(RowShare.FEWEST * team);
    }
    assertThat(ofTeam(1)).doesNotContain(RowShare.FEWEST);
  }

  @Test
  void aSecondRowTakesAnotherKernel() {
    assertThat(ofTeam(3).first()).isEqualTo(2);
  }

  @Test
  void moreWorkersFinishMoreRowsAtOnce() {
    // 8192 outputs are 4 rows of 32,768 products for one worker, 16 for four of them.
    assertThat(ofTeam(1)).contains(5);
    assertThat(ofTeam(4)).contains(17).doesNotContain(6);
  }
}
