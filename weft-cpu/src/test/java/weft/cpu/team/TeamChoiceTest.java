package weft.cpu.team;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TeamChoiceTest {
  private static final int MANY = 20_000;

  private final TeamChoice choice = new TeamChoice();

  /** How many of so many steps the caller did alone, where they take so long either way. */
  private int alone(int steps, long alone, long together) {
    int count = 0;
    for (int i = 0; i < steps; i++) {
      if (choice.isAlone()) count++;
      choice.took(choice.isAlone() ? alone : together);
    }
    return count;
  }

  @Test
  void stepsGoToWhoIsQuicker() {
    assertThat(alone(MANY, 100, 150)).isGreaterThan(MANY * 97 / 100);
  }

  @Test
  void theOtherWayIsSeldomTried() {
    assertThat(alone(MANY, 150, 100)).isBetween(1, MANY * 3 / 100);
  }

  @Test
  void whatChangesIsNoticed() {
    alone(MANY, 150, 100);
    assertThat(alone(3_000, 100, 150)).isGreaterThan(1_900);
    assertThat(alone(3_000, 150, 100)).isLessThan(1_100);
  }

  /** Who wakes takes long, and one step in three may meet something else. */
  @Test
  void aSlowStepOfATrialDecidesNothing() {
    int together = 0;
    boolean wasAlone = false;
    for (int i = 0; i < MANY; i++) {
      boolean isAlone = choice.isAlone();
      boolean wakes = wasAlone && !isAlone;
      if (!isAlone) together++;
      choice.took(isAlone ? 150 : wakes || i % 3 == 0 ? 1_000 : 100);
      wasAlone = isAlone;
    }
    assertThat(together).isGreaterThan(MANY * 97 / 100);
  }
}
