package weft.cuda.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weft.quant.Encodings;

/** The kernels that a reader opens first, as they are written down beside this test. */
class ListingTest {
  @Test
  void aRowOfBfloats() {
    var product = new Product(Encodings.BF16, 2048, 2048, new Product.Finish.None());
    check(ProductKernels.few(product, 1), "few1_bf16.ptx");
  }

  @Test
  void aRowOfPackedWeights() {
    var product = new Product(Encodings.Q4_K, 2048, 2048, new Product.Finish.Add());
    check(ProductKernels.few(product, 1), "few1_q4_k.ptx");
  }

  private static void check(ProductKernel kernel, String file) {
    try (var in = Objects.requireNonNull(ListingTest.class.getResourceAsStream(file))) {
      var written = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(kernel.function().text())
          .as("src/test/resources/weft/cuda/product/%s: write it anew if the kernel is meant", file)
          .isEqualTo(written);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
