package weft.quant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class StorageTypeTest {
  @Test
  void numbersAndNamesLeadBackToTheType() {
    for (StorageType type : StorageType.values()) {
      assertThat(StorageType.byName(type.name())).contains(type);
      type.ggufId().ifPresent(id -> assertThat(StorageType.byGgufId(id)).contains(type));
    }
    assertThat(StorageType.byGgufId(-1)).isEmpty();
    assertThat(StorageType.byGgufId(4)).as("Q4_2, which ggml removed").isEmpty();
    assertThat(StorageType.byName("q8_0")).isEmpty();
  }

  @Test
  void bytesAreWholeBlocks() {
    assertThat(StorageType.Q4_K.bytes(512)).isEqualTo(288);
    assertThat(StorageType.F6_E2M3.bytes(8)).isEqualTo(6);
    assertThat(StorageType.F32.bytes(0)).isZero();
    assertThatExceptionOfType(QuantException.class)
        .isThrownBy(() -> StorageType.IQ1_S.bytes(255))
        .withMessage("255 values are not a whole number of IQ1_S blocks of 256");
    assertThatExceptionOfType(QuantException.class).isThrownBy(() -> StorageType.F32.bytes(-4));
  }

  @Test
  void encodingsAnswerToTheNumberAndNameOfTheirType() {
    for (Encoding encoding : Encodings.all()) {
      assertThat(Encodings.byName(encoding.name())).contains(encoding);
      encoding
          .type()
          .ggufId()
          .ifPresent(id -> assertThat(Encodings.byGgufId(id)).contains(encoding));
    }
    assertThat(Encodings.names()).contains("F32", "BF16", "Q8_0").doesNotHaveDuplicates();
    assertThat(StorageType.I64.encoding()).isEmpty();
  }
}
