package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsLineUp() {
    var bytes = new ByteArrayOutputStream();
    new Table("name", "size", "note")
        .right(1)
        .row("añb", 7, "x")
        .row("longer", 1234, "")
        .print(Output.ofResults(bytes));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualToNormalizingNewlines(
            """
            name    size  note
            añb        7  x
            longer  1234
            """);
  }

  @Test
  void unitsAreReadable() {
    assertThat(Units.bytes(0)).isEqualTo("0 B");
    assertThat(Units.bytes(1023)).isEqualTo("1023 B");
    assertThat(Units.bytes(1_321_082_688L)).isEqualTo("1.23 GiB");
    assertThat(Units.count(1_235_814_400L)).isEqualTo("1.24 B");
  }
}
