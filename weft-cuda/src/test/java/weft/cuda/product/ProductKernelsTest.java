package weft.cuda.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.product.Product.Finish;
import weft.cuda.ptx.PtxCheck;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxModule;
import weft.ir.Fn;
import weft.quant.Encoding;
import weft.quant.Encodings;

class ProductKernelsTest {
  private static final float CLOSE = 2e-5f;

  private final ProductRig rig = new ProductRig();

  static Stream<Encoding> encodings() {
    return Encodings.all().stream();
  }

  static Stream<Encoding> packedEncodings() {
    return encodings().filter(encoding -> PackedForm.of(encoding).isPresent());
  }

  /** Columns that leave lanes without work, and those that take several turns of a warp. */
  private static List<Integer> columns(Encoding encoding) {
    return encoding.blockValues() == 1
        ? List.of(1, 6, 20, 264)
        : List.of(
            encoding.blockValues(),
            33 * 32 / encoding.blockValues() * encoding.blockValues() + encoding.blockValues());
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void everyEncodingMeetsAFewRows(Encoding encoding) {
    int rows = 1;
    for (int columns : columns(encoding)) {
      var product = new Product(encoding, columns, 11, new Finish.None());
      rig.check(product, ProductKernels.few(product, rows), rows, false, CLOSE);
      rows = rows == 1 ? 4 : 1;
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void everyEncodingIsUnpackedToTheLastBit(Encoding encoding) {
    int columns = 3 * encoding.blockValues();
    var table = rig.weights(encoding, 5, columns);
    long ids = rig.upload(new int[] {4, 0, 4});
    long from = rig.upload(encoding, columns, table);
    var arguments = new long[] {from, ids, 0, columns + 1, 3};
    var y = rig.run(ProductKernels.unpack(encoding, columns), 3, 3 * (columns + 1), arguments, 2);
    for (int row = 0; row < 3; row++) {
      int source = row == 1 ? 0 : 4;
      for (int i = 0; i < columns; i++) {
        float expected = table.values()[source * columns + i];
        assertThat(y[row * (columns + 1) + i])
            .as("%s, value %d", encoding.name(), i)
            .isCloseTo(expected, org.assertj.core.data.Offset.offset(Math.ulp(expected) * 4));
      }
    }
  }

  /**
   * The halves nearest to what a table's rows are unpacked to, of a last warp that is not whole.
   */
  @ParameterizedTest
  @MethodSource("packedEncodings")
  void everyPackedEncodingBecomesHalves(Encoding encoding) {
    int columns = 3 * encoding.blockValues();
    int rows = 45;
    var weights = rig.weights(encoding, rows, columns);
    long from = rig.upload(encoding, columns, weights);
    long ids = rig.upload(IntStream.range(0, rows).toArray());
    var unpack = ProductKernels.unpack(encoding, columns);
    var reals = rig.run(unpack, rows, rows * columns, new long[] {from, ids, 0, columns, rows}, 2);
    var product = new Product(encoding, columns, rows, new Finish.None());
    var kernel = ProductKernels.halvesOfWeights(product);
    // As many floats as they take, and one behind them.
    var pairs = rig.run(kernel, rows, rows * columns / 2 + 1, new long[] {from, 0, rows}, 1);
    for (int i = 0; i < rows * columns; i++) {
      int bits = Float.floatToRawIntBits(pairs[i / 2]) >> 16 * (i % 2);
      assertThat((short) bits)
          .as("%s, value %d", encoding.name(), i)
          .isEqualTo(Float.floatToFloat16(reals[i]));
    }
    assertThat(pairs[rows * columns / 2]).isNaN();
  }

  /** So many columns that a lane loads the next weights while it multiplies. */
  @Test
  void longRowsTakeSeveralTurns() {
    for (int columns : List.of(8192, 5 * 1024 + 32)) {
      var product = new Product(Encodings.Q8_0, columns, 3, new Finish.None());
      rig.check(product, ProductKernels.few(product, 1), 1, false, CLOSE);
    }
  }

  @Test
  void rowsThatDoNotFitABlocksMemoryAreTakenInParts() {
    var product = new Product(Encodings.Q4_0, 64, 3, new Finish.None());
    int fits = ProductKernels.few(product, 2).grid(1).sharedBytes();
    var kernel = ProductKernels.few(product, 8, fits);
    assertThat(kernel.name()).startsWith("few8_by2_");
    rig.check(product, kernel, 5, false, CLOSE);
    var wide = new Product(Encodings.Q8_0, 28_672, 8, new Finish.None());
    assertThat(ProductKernels.few(wide, 8).grid(8).sharedBytes()).isLessThanOrEqualTo(99 * 1024);
  }

  @Test
  void aNormMayComeFirst() {
    for (var encoding : List.of(Encodings.F32, Encodings.Q6_K)) {
      for (float offset : new float[] {0, 1}) {
        var norm = Optional.of(new Product.Norm(1e-5f, offset));
        int columns = offset == 0 ? 256 : 1280;
        var product = new Product(encoding, columns, 9, new Finish.Add(), norm);
        rig.check(product, ProductKernels.few(product, 2), 3, true, 4 * CLOSE);
      }
    }
  }

  @Test
  void biasesResidualsAndGatesFollow() {
    for (var encoding : List.of(Encodings.BF16, Encodings.Q4_K)) {
      var added = new Product(encoding, 256, 9, new Finish.Add());
      rig.check(added, ProductKernels.few(added, 2), 3, true, CLOSE);
      for (var fn : Fn.values()) {
        var gated = new Product(encoding, 256, 3, new Finish.Gate(fn));
        rig.check(gated, ProductKernels.few(gated, 1), 1, fn != Fn.SILU, 10 * CLOSE);
      }
    }
  }

  /**
   * As many outputs as make a warp take several, and rows that are not a multiple of a kernel's.
   */
  @Test
  void aWarpMayTakeSeveralOutputs() {
    for (var encoding : List.of(Encodings.F16, Encodings.Q8_0)) {
      for (int rows : List.of(1, 8)) {
        var shape =
            new VectorShape(
                new Product(encoding, 32, 2 * 8 * 264 + 3, new Finish.None()),
                rows,
                2,
                false,
                rows);
        assertThat(VectorShape.of(shape.product(), rows, false)).isEqualTo(shape);
      }
    }
    var product = new Product(Encodings.Q6_K, 512, 8 * 2 * 3 - 1, new Finish.None());
    var shape = new VectorShape(product, 8, 2, false, 8);
    var kernel = new PackedVector(shape);
    int shared = kernel.sharedBytes();
    rig.check(
        product,
        new ProductKernel(kernel.function(), rows -> shape.grid(rows, shared)),
        11,
        false,
        CLOSE);
  }

  /** A row of every encoding, with an odd number of runs or an odd number of outputs and rows. */
  @Test
  void everyEncodingMeetsManyRowsOnTensorCores() {
    for (var encoding : Encodings.all()) {
      var product =
          new Product(encoding, Math.max(96, encoding.blockValues()), 5, new Finish.None());
      if (!ProductKernels.takesHalves(product)) continue;
      boolean isBfloat = encoding.equals(Encodings.BF16);
      rig.checkMany(product, 3, 3, false, isBfloat ? 1e-2f : 2e-3f);
    }
  }

  /** Tiles of 64 and of 128 rows, fewer steps than stages and more. */
  @Test
  void tilesOfATensorProductMeet() {
    var norm = Optional.of(new Product.Norm(1e-5f, 1));
    for (int most : List.of(67, 128 * 128)) {
      var added = new Product(Encodings.Q8_0, 160, 130, new Finish.Add());
      rig.checkMany(added, most, 131, true, 2e-3f);
      var gated = new Product(Encodings.Q4_0, 64, 66, new Finish.Gate(Fn.SILU));
      rig.checkMany(gated, most, 34, true, 2e-2f);
      var floats = new Product(Encodings.F16, 32, 70, new Finish.Gate(Fn.SILU), norm);
      rig.checkMany(floats, most, 66, true, 1e-2f);
    }
    assertThat(
            ProductKernels.many(new Product(Encodings.F16, 32, 130, new Finish.None()), 67).name())
        .startsWith("many64_");
  }

  /** Sixteen tiles meet all outputs, then what is left of as many again. */
  @Test
  void moreTilesOfRowsThanMeetTheWeightsAtOnce() {
    var product = new Product(Encodings.F16, 32, 131, new Finish.None());
    var kernel = ProductKernels.many(product, 16 * 64 + 5);
    assertThat(kernel.name()).startsWith("many64_");
    assertThat(kernel.grid(16 * 64 + 5))
        .isEqualTo(new Grid(16, 2, 2, 128, kernel.grid(1).sharedBytes()));
    rig.checkMany(product, 16 * 64 + 5, 16 * 64 + 5, false, 2e-3f);
  }

  /** Tiles of both sizes, one step and more than there are stages, biases, gates and residuals. */
  @Test
  void groupsOfWarpsMultiplyTogether() {
    var norm = Optional.of(new Product.Norm(1e-5f, 1));
    for (int columns : List.of(128, 256)) {
      var plain = new Product(Encodings.F16, 64, columns + 3, new Finish.None());
      rig.checkGroup(plain, columns, 129, false, 2e-3f);
      var added = new Product(Encodings.BF16, 9 * 64, 70, new Finish.Add());
      rig.checkGroup(added, columns, 131, true, 1e-2f);
      var gated = new Product(Encodings.F16, 192, 130, new Finish.Gate(Fn.SILU), norm);
      rig.checkGroup(gated, columns, 37, true, 2e-2f);
    }
  }

  /** Odd numbers of steps, rows and outputs; gates whose two weights lie behind each other. */
  @ParameterizedTest
  @MethodSource("packedEncodings")
  void groupsOfWarpsMultiplyHalvesOfPackedWeights(Encoding encoding) {
    int columns = encoding.blockValues() == 32 ? 3 * 64 : encoding.blockValues();
    var added = new Product(encoding, columns, 131, new Finish.Add());
    rig.checkUnpacked(added, 128, 133, true, 2e-3f);
    var norm = Optional.of(new Product.Norm(1e-5f, 1));
    var gated = new Product(encoding, columns, 70, new Finish.Gate(Fn.SILU), norm);
    rig.checkUnpacked(gated, 256, 5, true, 2e-2f);
  }

  @Test
  void onlyWholeStepsOfPackedWeightsBecomeHalves() {
    assertThat(ProductKernels.canUnpack(new Product(Encodings.Q8_0, 192, 3, new Finish.None())))
        .isTrue();
    for (var product :
        List.of(
            new Product(Encodings.Q8_0, 96, 3, new Finish.None()),
            new Product(Encodings.BF16, 192, 3, new Finish.None()))) {
      assertThat(ProductKernels.canUnpack(product)).isFalse();
    }
  }

  @Test
  void groupsOfWarpsAreChosenWhereTheyCanBe() {
    var product = new Product(Encodings.BF16, 2048, 3072, new Finish.None());
    assertThat(ProductKernels.manyOnHopper(product, 2048).name()).startsWith("group128_");
    var gated = new Product(Encodings.BF16, 2048, 8192, new Finish.Gate(Fn.SILU));
    assertThat(ProductKernels.manyOnHopper(gated, 2048).name()).startsWith("group256_");
    assertThat(ProductKernels.manyOnHopper(gated, 2048).grid(2048).x()).isEqualTo(16);
    assertThat(ProductKernels.manyOnHopper(product, 127).name()).startsWith("many");
    var odd = new Product(Encodings.BF16, 96, 3072, new Finish.None());
    assertThat(ProductKernels.manyOnHopper(odd, 2048).name()).startsWith("many");
    var packed = new Product(Encodings.Q8_0, 2048, 3072, new Finish.None());
    assertThat(ProductKernels.manyOnHopper(packed, 2048).name()).startsWith("many");
  }

  /** Tensor cores that four warps use together must not wait for each other's products. */
  @Test
  void nvidiasAssemblerTakesGroups() throws Exception {
    var texts = new ArrayList<String>();
    for (int columns : List.of(128, 256)) {
      for (var finish : List.of(new Finish.None(), new Finish.Add(), new Finish.Gate(Fn.SILU))) {
        var product = new Product(Encodings.BF16, 2048, 2048, finish);
        texts.add(PtxModule.hopper(List.of(new GroupProduct(product, columns).function())));
      }
    }
    for (var encoding : packedEncodings().toList()) {
      texts.add(PtxModule.hopper(List.of(new WeightHalves(encoding, 2048).function())));
    }
    assertThat(PtxCheck.assemble("sm_90a", texts))
        .noneMatch(line -> line.matches(".* [1-9]\\d* bytes spill.*"))
        .noneMatch(line -> line.contains("serialized"));
  }

  /** Pieces of 128 values that are whole and not, with rows as sums of two halves and not. */
  @Test
  void everyEncodingMeetsSomeRowsOnTensorCores() {
    int rows = 16;
    for (var encoding : Encodings.all()) {
      int columns = Math.max(160, encoding.blockValues());
      var product = new Product(encoding, columns, 19, new Finish.None());
      if (!ProductKernels.takesHalves(product)) continue;
      boolean isExact = product.layout().form().isEmpty() && rows < 64;
      boolean isBfloat = encoding.equals(Encodings.BF16);
      float tolerance = isExact ? CLOSE : isBfloat ? 1e-2f : 1e-3f;
      rig.checkSome(product, rows, rows - 3, false, tolerance);
      rows = rows == 64 ? 16 : 2 * rows;
    }
    for (int atOnce : List.of(16, 64)) {
      var product = new Product(Encodings.BF16, 128, 17, new Finish.None());
      rig.checkSome(product, atOnce, 9, false, atOnce == 16 ? CLOSE : 1e-2f);
    }
  }

  @Test
  void someRowsAreNormedAndGatedInSeveralTurns() {
    var norm = Optional.of(new Product.Norm(1e-5f, 1));
    var gated = new Product(Encodings.BF16, 1280, 11, new Finish.Gate(Fn.SILU), norm);
    rig.checkSome(gated, 16, 18, true, 2e-4f);
    for (var encoding : List.of(Encodings.Q8_0, Encodings.Q4_K)) {
      var packed = new Product(encoding, 1280, 11, new Finish.None(), norm);
      rig.checkSome(packed, 16, 18, true, 2e-3f);
    }
    var added = new Product(Encodings.F16, 1152, 33, new Finish.Add(), norm);
    rig.checkSome(added, 64, 65, true, 2e-3f);
  }

  /** Parts of a row of one piece and of several; blocks of which the last is not whole. */
  @Test
  void blocksMayShareTheRowsOfWeights() {
    var products =
        List.of(
            new Product(Encodings.Q6_K, 1280, 150, new Finish.Add()),
            new Product(Encodings.F16, 672, 70, new Finish.Gate(Fn.SILU)));
    for (var product : products) {
      for (int parts : List.of(1, 2, 4, 5)) {
        var shared = new TensorRows(product, 16, Optional.of(parts));
        var kernel = new ProductKernel(shared.function(), shared::grid, shared::meeting);
        assertThat(kernel.meeting(18).counters()).isEqualTo(parts == 1 ? 0 : 4);
        rig.checkSome(product, kernel, 16, 18, true, 1e-3f);
      }
    }
  }

  @Test
  void rowsAreSharedWhereBlocksAreFew() {
    var counts =
        Map.of(
            new Product(Encodings.BF16, 2048, 2048, new Finish.Add()), 8,
            new Product(Encodings.BF16, 8192, 2048, new Finish.Add()), 8,
            new Product(Encodings.BF16, 2048, 8192, new Finish.Gate(Fn.SILU)), 1,
            new Product(Encodings.BF16, 2048, 128_256, new Finish.None()), 1,
            new Product(Encodings.BF16, 128, 64, new Finish.None()), 1);
    counts.forEach(
        (product, parts) ->
            assertThat(ProductKernels.some(product, 64).grid(64).x())
                .as(product.name("some"))
                .isEqualTo(parts));
  }

  @Test
  void everyUseOfAnExpertHasItsOwn() {
    for (var encoding : List.of(Encodings.F16, Encodings.Q5_K)) {
      int n = 5;
      int k = 256;
      var product = new Product(encoding, k, n, new Finish.None());
      var all = rig.weights(encoding, 3 * n, k);
      var x = rig.reals(2 * k);
      int[] experts = {2, 0, 1, 2};
      long bytes = (long) n * RowLayout.of(encoding, k).rowBytes();
      var arguments =
          new long[] {
            rig.upload(encoding, k, all),
            0,
            rig.upload(x),
            k,
            0,
            n,
            0,
            0,
            0,
            0,
            4,
            rig.upload(experts),
            bytes,
            bytes,
            2
          };
      var y = rig.run(ProductKernels.chosen(product), 4, 4 * n, arguments, 4);
      for (int use = 0; use < 4; use++) {
        var row = ProductRig.activations(product, x, use / 2 * k, true);
        for (int i = 0; i < n; i++) {
          double expected = ProductRig.dot(all.values(), (experts[use] * n + i) * k, row);
          assertThat((double) y[use * n + i])
              .isCloseTo(expected, org.assertj.core.data.Offset.offset(1e-3));
        }
      }
    }
  }

  @Test
  void whatIsNoNumberStaysNone() {
    var product = new Product(Encodings.Q4_0, 64, 2, new Finish.None());
    var x = rig.reals(64);
    x[40] = Float.NaN;
    var weights = rig.upload(Encodings.Q4_0, 64, rig.weights(Encodings.Q4_0, 2, 64));
    var arguments = new long[] {weights, 0, rig.upload(x), 64, 0, 2, 0, 0, 0, 0, 1};
    assertThat(rig.run(ProductKernels.few(product, 1), 1, 2, arguments, 4)).containsOnly(Float.NaN);
  }

  @Test
  void nvidiasAssemblerTakesThem() throws Exception {
    var functions = new ArrayList<PtxFunction>();
    int rows = 1;
    for (var encoding : Encodings.all()) {
      // Each with another number of rows and another end, so that all are there.
      rows = rows == 8 ? 1 : 2 * rows;
      var finish = rows == 1 ? new Finish.Gate(Fn.SILU) : new Finish.Add();
      functions.add(ProductKernels.few(new Product(encoding, 2048, 2048, finish), rows).function());
    }
    functions.add(
        ProductKernels.chosen(new Product(Encodings.Q4_K, 512, 256, new Finish.None())).function());
    for (var encoding : List.of(Encodings.BF16, Encodings.Q4_K)) {
      var added = new Product(encoding, 2048, 2048, new Finish.Add());
      functions.add(ProductKernels.many(added, 128).function());
      var gated = new Product(encoding, 2048, 8192, new Finish.Gate(Fn.SILU));
      functions.add(ProductKernels.many(gated, 2048).function());
      functions.add(ProductKernels.some(added, 16).function());
      functions.add(ProductKernels.some(gated, 64).function());
      functions.add(ProductKernels.some(gated, 32).function());
    }
    var norm = Optional.of(new Product.Norm(1e-5f, 0));
    var normed = new Product(Encodings.Q8_0, 2048, 2048, new Finish.Add(), norm);
    functions.add(ProductKernels.some(normed, 64).function());
    functions.add(ProductKernels.halves(normed).function());
    functions.add(ProductKernels.halves(normed, 16).function());
    functions.add(ProductKernels.unpack(Encodings.Q6_K, 2048).function());
    var said = PtxCheck.assemble("sm_80", List.of(PtxModule.text(functions)));
    assertThat(said).noneMatch(line -> line.matches(".* [1-9]\\d* bytes spill.*"));
  }

  @Test
  void rowsThatNoKernelTakesAreRefused() {
    var product = new Product(Encodings.Q4_K, 256, 4, new Finish.None());
    assertThatThrownBy(() -> ProductKernels.few(product, 3)).hasMessageContaining("not 3");
    assertThatThrownBy(() -> RowLayout.of(Encodings.Q4_K, 200))
        .hasMessage("a row of Q4_K is a whole number of blocks of 256 values, not 200 values");
  }
}
