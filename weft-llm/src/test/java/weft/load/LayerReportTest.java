package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LayerReportTest {
  @Test
  void describesTheFiniteNumbersAndCountsTheOthers() {
    var report =
        LayerReport.of("layer 3", new float[] {1, -2, Float.NaN, 4, Float.POSITIVE_INFINITY});
    assertThat(report).isEqualTo(new LayerReport("layer 3", -2, 4, 1, 2, 5));
    assertThat(report).hasToString("layer 3 leaves 2 of 5 numbers that are not finite");
    assertThat(report.isBad()).isTrue();
  }

  @Test
  void addsUpOverRows() {
    var whole = LayerReport.of("x", new float[] {1, 2, 3, Float.NaN, 8});
    var sum =
        LayerReport.of("x", new float[] {1, 2})
            .and(LayerReport.of("x", new float[] {3, Float.NaN, 8}));
    assertThat(sum).isEqualTo(whole);
    var nothing = LayerReport.of("x", new float[] {Float.NaN});
    assertThat(nothing.and(nothing).mean()).isNaN();
    assertThat(nothing.and(LayerReport.of("x", new float[] {2, 4})).mean()).isEqualTo(3);
  }

  @Test
  void oneNumberOverAndOverIsBad() {
    assertThat(LayerReport.of("x", new float[] {0, 0, 0}).isBad()).isTrue();
    assertThat(LayerReport.of("x", new float[] {0}).isBad()).isFalse();
    assertThat(LayerReport.of("x", new float[] {0, 1}))
        .hasToString("x leaves numbers from 0.0 to 1.0");
  }
}
