package weft.unicode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RarePropertiesTest {
  @Test
  void scriptsAndPropertiesAreWhatTheyWere() {
    var greek = RareProperties.script("greek").orElseThrow();
    assertThat(greek.contains('α')).isTrue();
    assertThat(greek.contains('a')).isFalse();
    assertThat(RareProperties.named("lowercase")).isEqualTo(RareProperties.named("lower"));
    assertThat(RareProperties.named("emoji").orElseThrow().contains(0x1F600)).isTrue();
    assertThat(RareProperties.named("nonsense")).isEmpty();
    assertThat(RareProperties.script("nonsense")).isEmpty();
  }
}
