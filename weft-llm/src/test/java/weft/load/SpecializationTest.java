package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import org.junit.jupiter.api.Test;
import weft.lir.Bounds;
import weft.load.Specialization.Buckets;
import weft.load.Specialization.Exact;
import weft.load.Specialization.Symbolic;

class SpecializationTest {
  private static final Bounds LIMITS = new Bounds(500, 16);

  @Test
  void exactIsTheStepItself() {
    var step = new Bounds(7, 3);
    assertThat(new Exact(4).boundsFor(step, LIMITS)).isEqualTo(step);
  }

  @Test
  void symbolicIsTheLargestStep() {
    assertThat(new Symbolic().boundsFor(new Bounds(7, 3), LIMITS)).isEqualTo(LIMITS);
  }

  @Test
  void bucketsAreThePowersOfTwoUpToTheLimitsWhateverIsWanted() {
    var buckets = Buckets.powerOfTwo(1, 1 << 20);
    assertThat(buckets.boundsFor(new Bounds(1, 1), LIMITS)).isEqualTo(new Bounds(1, 1));
    assertThat(buckets.boundsFor(new Bounds(5, 3), LIMITS)).isEqualTo(new Bounds(8, 8));
    assertThat(buckets.boundsFor(new Bounds(64, 1), LIMITS)).isEqualTo(new Bounds(64, 16));
    assertThat(buckets.boundsFor(new Bounds(300, 9), LIMITS))
        .as("the limit is no power of two, and a bucket ends there")
        .isEqualTo(new Bounds(500, 16));
  }

  @Test
  void smallStepsShareTheSmallestBucket() {
    var buckets = Buckets.powerOfTwo(32, 1024);
    assertThat(buckets.boundsFor(new Bounds(3, 1), LIMITS)).isEqualTo(new Bounds(32, 16));
  }

  @Test
  void stepsEndAtTheLargestBucket() {
    var buckets = Buckets.powerOfTwo(4, 64);
    assertThat(buckets.largestStep(512)).isEqualTo(64);
    assertThat(buckets.largestStep(32)).isEqualTo(32);
    assertThat(new Exact(3).largestStep(512)).isEqualTo(512);
    assertThat(new Symbolic().largestStep(512)).isEqualTo(512);
  }

  @Test
  void bucketsCoverEveryStepAndWasteLessThanHalf() {
    var buckets = Buckets.powerOfTwo(1, 1 << 20);
    var sizes = new HashSet<Bounds>();
    for (int n = 1; n <= 500; n++) {
      for (int wanted = 1; wanted <= Math.min(n, 16); wanted++) {
        var step = new Bounds(n, wanted);
        var bounds = buckets.boundsFor(step, LIMITS);
        assertThat(bounds.covers(step)).as("%s by %s", step, bounds).isTrue();
        assertThat(LIMITS.covers(bounds)).as("%s within the limits", bounds).isTrue();
        assertThat(bounds.tokens()).isLessThan(2 * n + 1);
        sizes.add(bounds);
      }
    }
    assertThat(sizes).as("one size a power of two").hasSize(10);
  }

  @Test
  void whatCannotBeIsASentence() {
    assertThatThrownBy(() -> new Exact(0))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("an exact specialization keeps at least 1 program, got 0");
    assertThatThrownBy(() -> new Buckets(1, 8, 1025))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("by buckets keeps at most 1024 programs, got 1025");
    assertThatThrownBy(() -> Buckets.powerOfTwo(64, 32))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("buckets from 64 to 32");
    assertThatThrownBy(() -> Specialization.named("dynamic"))
        .isInstanceOf(LoadException.class)
        .hasMessage("no specialization is called dynamic; use exact, buckets or symbolic");
  }
}
