package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.format.LongBlockCode;
import weft.quant.Encoding;
import weft.quant.Encodings;
import weft.quant.IQ4_XS;
import weft.quant.Q2_K;
import weft.quant.Q3_K;
import weft.quant.Q4_K;
import weft.quant.Q5_K;
import weft.quant.Q6_K;

/**
 * Kernels of several rows, and those chosen for their number, against the definition of each
 * format, at every level of this machine.
 */
class MatMulTest {
  private static final int[] TOKENS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 25, 32};

  static List<Arguments> cases() {
    var cases = new ArrayList<Arguments>();
    for (var isa : Hosts.levels()) {
      try (var library = KernelLibrary.open(isa)) {
        for (var encoding : Encodings.all()) {
          if (library.multiplies(encoding)) {
            cases.add(Arguments.of(isa, encoding));
          }
        }
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void productsEqualThoseOfTheDecodedRows(Isa isa, Encoding encoding) {
    try (var rig = new Rig(isa)) {
      for (int k : lengths(encoding)) {
        check(rig, encoding, Rig.Values.GAUSSIAN, k);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theLargestSumsDoNotOverflow(Isa isa, Encoding encoding) {
    try (var rig = new Rig(isa)) {
      check(rig, encoding, Rig.Values.EXTREME, 256);
    }
  }

  /** Lengths with a block alone, and one over the depth of a panel. */
  private static int[] lengths(Encoding encoding) {
    return switch (encoding.blockValues()) {
      case 1 -> new int[] {1, 7, 33, 256, Panel.FLOAT_DEPTH + 5, Panel.DEPTH + 1};
      case 32 -> new int[] {32, 96, 256, Panel.DEPTH + 160};
      default -> new int[] {256, 768, Panel.DEPTH + 256};
    };
  }

  private static void check(Rig rig, Encoding encoding, Rig.Values values, int k) {
    int rows = k > Panel.DEPTH ? 5 : 75;
    var weights = rig.weights(encoding, values, rows, k);
    for (int tokens : k > Panel.DEPTH ? new int[] {2} : TOKENS) {
      check(rig, encoding, weights, k, rig.values(values, tokens * k, 1));
    }
  }

  private static void check(
      Rig rig, Encoding encoding, MemorySegment weights, int k, float[] input) {
    int rows = Math.toIntExact(weights.byteSize() / encoding.bytes(k));
    int tokens = input.length / k;
    var decoded = new float[rows * k];
    encoding.decode(weights, 0, decoded, 0, rows * k);
    boolean floats = encoding.blockValues() == 1;
    var x = floats ? rig.floats(input) : rig.quantized(input, Activations.of(encoding, k));
    long xBytes = floats ? 4L * k : Activations.of(encoding, k).rowBytes();
    int outWidth = rows + 3;
    var out = rig.allocate(4L * tokens * outWidth);
    var block = rig.allocate(MatMulArguments.BYTES);
    new MatMulArguments(
            new PlainRows(weights, encoding.bytes(k)),
            k,
            new PlainRows(x, xBytes),
            tokens,
            PlainRows.packed(out, outWidth))
        .write(block);
    var scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
    var truth = truth(encoding, decoded, input, x, tokens, rows, k);
    for (var kernel :
        List.of(rig.library.matMul(encoding), rig.library.product(encoding, tokens, k))) {
      out.fill((byte) 0x7f);
      int[] shares = rows < 40 ? new int[] {0, 2, rows} : new int[] {0, 32, 37, 37, rows};
      for (int i = 1; i < shares.length; i++) {
        kernel.run(block, shares[i - 1], shares[i], scratch);
      }
      compare(kernel, out, truth, tokens, outWidth);
    }
  }

  /** Once all values are met, however many panels of them there are. */
  @ParameterizedTest
  @MethodSource("cases")
  void whatIsAddedHasTheBitsOfAPassBehindTheProducts(Isa isa, Encoding encoding) {
    for (int k : lengths(encoding)) {
      try (var rig = new Rig(isa)) {
        int rows = 37;
        int tokens = 9;
        var input = rig.values(Rig.Values.GAUSSIAN, tokens * k, 1);
        boolean floats = encoding.blockValues() == 1;
        var x = floats ? rig.floats(input) : rig.quantized(input, Activations.of(encoding, k));
        long xBytes = floats ? 4L * k : Activations.of(encoding, k).rowBytes();
        var out = rig.allocate(4L * tokens * rows);
        var products =
            new MatMulArguments(
                new PlainRows(
                    rig.weights(encoding, Rig.Values.GAUSSIAN, rows, k), encoding.bytes(k)),
                k,
                new PlainRows(x, xBytes),
                tokens,
                PlainRows.packed(out, rows));
        var block = rig.allocate(MatMulArguments.BYTES);
        var scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
        products.write(block);
        rig.library.matMul(encoding).run(block, 0, rows, scratch);
        var bias = rig.randomFloats(rows, 1);
        var residual = rig.randomFloats(tokens * (rows + 2), 1);
        var expected = out.toArray(JAVA_FLOAT);
        for (int i = 0; i < expected.length; i++) {
          expected[i] += bias[i % rows];
          expected[i] += residual[i / rows * (rows + 2) + i % rows];
        }
        products
            .plus(rig.floats(bias), PlainRows.packed(rig.floats(residual), rows + 2))
            .write(block);
        rig.library.matMul(encoding).run(block, 0, 5, scratch);
        rig.library.matMul(encoding).run(block, 5, rows, scratch);
        assertThat(out.toArray(JAVA_FLOAT)).as("%d values", k).containsExactly(expected);
      }
    }
  }

  /** Several groups, the last of them and its last panel not whole, and more than one depth. */
  @ParameterizedTest
  @MethodSource("cases")
  void manyTokensMeetPanelsInGroupsWithTheBitsOfFewer(Isa isa, Encoding encoding) {
    int rows = (MatMul.MOST_PANELS + 1) * Panel.ROWS + 7;
    int tokens = MatMul.MANY_TOKENS + 1;
    boolean floats = encoding.blockValues() == 1;
    int k = (floats ? Panel.FLOAT_DEPTH : Panel.DEPTH) + 256;
    try (var rig = new Rig(isa)) {
      var weights =
          new PlainRows(rig.weights(encoding, Rig.Values.GAUSSIAN, rows, k), encoding.bytes(k));
      var input = rig.values(Rig.Values.GAUSSIAN, tokens * k, 1);
      var x = floats ? rig.floats(input) : rig.quantized(input, Activations.of(encoding, k));
      long xBytes = floats ? 4L * k : Activations.of(encoding, k).rowBytes();
      var bias = rig.floats(rig.randomFloats(rows, 1));
      var residual = rig.floats(rig.randomFloats(tokens * rows, 1));
      var scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
      var block = rig.allocate(MatMulArguments.BYTES);
      var together = rig.allocate(4L * tokens * rows);
      var apart = rig.allocate(4L * tokens * rows);
      for (int[] part : new int[][] {{0, tokens}, {0, tokens / 2}, {tokens / 2, tokens}}) {
        var out = part[1] - part[0] == tokens ? together : apart;
        long first = 4L * rows * part[0];
        new MatMulArguments(
                weights,
                k,
                new PlainRows(x.asSlice(xBytes * part[0]), xBytes),
                part[1] - part[0],
                PlainRows.packed(out.asSlice(first), rows))
            .plus(bias, PlainRows.packed(residual.asSlice(first), rows))
            .write(block);
        rig.library.matMul(encoding).run(block, 0, 3, scratch);
        rig.library.matMul(encoding).run(block, 3, rows, scratch);
      }
      assertThat(together.mismatch(apart)).isEqualTo(-1);
    }
  }

  /** More than kernels of a few take, and so what panels take. */
  private static final int MANY = 40;

  /** Up to how many tokens products have the same bits in whatever company. */
  private static int keepsBits(Isa isa, Encoding encoding) {
    if (encoding.blockValues() == 1) return isa == Isa.AVX2 ? 16 : 9;
    if (isa == Isa.AVX2) {
      // Minimums of sixteen runs are floats in panels.
      if (encoding instanceof Q2_K) return LaneLayout.MOST_TOKENS;
      return encoding.blockValues() == LongBlockCode.VALUES ? MANY : 1;
    }
    return switch (encoding) {
      // Of a few rows, minimums are floats without VNNI, and sixteen of them always.
      case Q2_K _ -> FormatCode.MOST_APART;
      case Q4_K _, Q5_K _ when !isa.includes(Isa.VNNI) -> FormatCode.MOST_APART;
      case Q6_K _, Q3_K _ -> MANY;
      default -> isa.includes(Isa.AMX) ? FormatCode.MOST_BEFORE_TILES : MANY;
    };
  }

  static List<Arguments> keepingBits() {
    return cases().stream()
        .filter(c -> keepsBits((Isa) c.get()[0], (Encoding) c.get()[1]) > 1)
        .toList();
  }

  /** Each of as many tokens as a few kernels may meet; more weight rows than have streams. */
  @ParameterizedTest
  @MethodSource("keepingBits")
  void aTokenHasTheSameBitsInWhateverCompany(Isa isa, Encoding encoding) {
    keepsBits(isa, encoding, 768);
    keepsBits(isa, encoding, Panel.DEPTH + 256);
  }

  private static void keepsBits(Isa isa, Encoding encoding, int k) {
    int rows = 53;
    boolean floats = encoding.blockValues() == 1;
    int most = keepsBits(isa, encoding);
    try (var rig = new Rig(isa)) {
      var weights = rig.weights(encoding, rows, k);
      var input = rig.values(Rig.Values.GAUSSIAN, most * k, 1);
      var x = floats ? rig.floats(input) : rig.quantized(input, Activations.of(encoding, k));
      long xBytes = floats ? 4L * k : Activations.of(encoding, k).rowBytes();
      var scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
      var block = rig.allocate(MatMulArguments.BYTES);
      var alone = rig.allocate(4L * most * rows);
      var together = rig.allocate(4L * most * rows);
      var packed = new PlainRows(weights, encoding.bytes(k));
      for (int token = 0; token < most; token++) {
        var own = new PlainRows(x.asSlice(token * xBytes), 0);
        var to = PlainRows.one(alone.asSlice(4L * token * rows));
        new MatMulArguments(packed, k, own, 1, to).write(block);
        rig.library.product(encoding, 1, k).run(block, 0, rows, scratch);
      }
      for (int tokens = 2; tokens <= most; tokens++) {
        var to = PlainRows.packed(together, rows);
        new MatMulArguments(packed, k, new PlainRows(x, xBytes), tokens, to).write(block);
        rig.library.product(encoding, tokens, k).run(block, 0, rows, scratch);
        long bytes = 4L * tokens * rows;
        assertThat(together.asSlice(0, bytes).mismatch(alone.asSlice(0, bytes)))
            .as("where %d tokens of %s differ from each alone", tokens, encoding.name())
            .isEqualTo(-1);
      }
    }
  }

  static List<Arguments> likeAvx2() {
    return keepingBits().stream()
        .filter(c -> ((Isa) c.get()[0]).includes(Isa.VNNI))
        .filter(c -> ((Encoding) c.get()[1]).blockValues() == LongBlockCode.VALUES)
        .toList();
  }

  /** A block comes to a whole number, whichever instructions make it. */
  @ParameterizedTest
  @MethodSource("likeAvx2")
  void longBlocksHaveTheBitsOfAvx2(Isa isa, Encoding encoding) {
    int k = 768;
    int rows = 35;
    var layout = Activations.of(encoding, k);
    try (var rig = new Rig(isa);
        var narrow = KernelLibrary.open(Isa.AVX2)) {
      var weights = rig.weights(encoding, rows, k);
      var x = rig.quantized(rig.values(Rig.Values.GAUSSIAN, k, 1), layout);
      var scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
      var block = rig.allocate(MatMulArguments.BYTES);
      var results = new ArrayList<MemorySegment>();
      for (var library : List.of(rig.library, narrow)) {
        var out = rig.allocate(4L * rows);
        var packed = new PlainRows(weights, encoding.bytes(k));
        new MatMulArguments(packed, k, PlainRows.one(x), 1, PlainRows.one(out)).write(block);
        library.product(encoding, 1, k).run(block, 0, rows, scratch);
        results.add(out);
      }
      assertThat(results.getFirst().mismatch(results.getLast())).isEqualTo(-1);
    }
  }

  static List<Arguments> longBlocks() {
    return cases().stream()
        .filter(c -> ((Encoding) c.get()[1]).blockValues() == LongBlockCode.VALUES)
        .toList();
  }

  /** A file may hold any bytes: no quants, scales and minimums overflow the sums of integers. */
  @ParameterizedTest
  @MethodSource("longBlocks")
  void extremesOverflowNothing(Isa isa, Encoding encoding) {
    int k = 512;
    int tokens = 7;
    var input = new float[tokens * k];
    Arrays.fill(input, 0, 2 * k, 1);
    Arrays.fill(input, 2 * k, 4 * k, -1);
    for (int i = 4 * k; i < input.length; i++) {
      input[i] = i / 16 % 2 == 0 ? 1 : -1;
    }
    try (var rig = new Rig(isa)) {
      for (int pattern : new int[] {0x00, 0x0f, 0x33, 0x7f, 0x80, 0xf0, 0xff}) {
        check(rig, encoding, filled(rig, encoding, k, (byte) pattern), k, input);
      }
    }
  }

  /** Rows whose bytes are all the same, but for the half floats in each block, which are one. */
  private static MemorySegment filled(Rig rig, Encoding encoding, int k, byte pattern) {
    int[] halves =
        switch (encoding) {
          case Q4_K _, Q5_K _ -> new int[] {0, 2};
          case Q2_K _ -> new int[] {80, 82};
          case Q3_K _ -> new int[] {108};
          case IQ4_XS _ -> new int[] {0};
          case Q6_K _ -> new int[] {208};
          default -> throw new AssertionError("where does " + encoding.name() + " keep halves?");
        };
    var weights = rig.allocate(3 * encoding.bytes(k));
    weights.fill(pattern);
    for (long block = 0; block < weights.byteSize(); block += encoding.bytes(256)) {
      for (int half : halves) {
        weights.set(JAVA_SHORT_UNALIGNED, block + half, Float.floatToFloat16(1));
      }
    }
    return weights;
  }

  /** What a product must be, and how far from it rounding may lead. */
  private record Truth(float product, float tolerance) {}

  private static Truth[][] truth(
      Encoding encoding,
      float[] decoded,
      float[] input,
      MemorySegment x,
      int tokens,
      int rows,
      int k) {
    var truth = new Truth[tokens][rows];
    for (int token = 0; token < tokens; token++) {
      var values =
          encoding.blockValues() == 1
              ? Arrays.copyOfRange(input, token * k, token * k + k)
              : Rig.meaning(x, token, Activations.of(encoding, k));
      for (int row = 0; row < rows; row++) {
        double expected = 0;
        double size = 0;
        for (int i = 0; i < k; i++) {
          expected += (double) decoded[row * k + i] * values[i];
          size += Math.abs(decoded[row * k + i] * values[i]);
        }
        truth[token][row] = new Truth((float) expected, (float) (1e-6 + 4e-6 * size));
      }
    }
    return truth;
  }

  private static void compare(
      Kernel kernel, MemorySegment out, Truth[][] truth, int tokens, int outWidth) {
    for (int token = 0; token < tokens; token++) {
      int rows = truth[token].length;
      for (int row = 0; row < rows; row++) {
        assertThat(out.getAtIndex(JAVA_FLOAT, (long) token * outWidth + row))
            .as("%s token %d of %d, row %d of %d", kernel.name(), token, tokens, row, rows)
            .isCloseTo(truth[token][row].product, within(truth[token][row].tolerance));
      }
      for (int gap = rows; gap < outWidth; gap++) {
        assertThat(out.getAtIndex(JAVA_FLOAT, (long) token * outWidth + gap))
            .as("what lies between the results of %s", kernel.name())
            .isEqualTo(Float.intBitsToFloat(0x7f7f7f7f));
      }
    }
  }
}
