package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
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
import weft.ir.Fn;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Rows and weights as words against products of what they were made of. */
class WordMatMulTest {
  static List<Arguments> cases() {
    var cases = new ArrayList<Arguments>();
    for (var isa : Hosts.levels()) {
      for (var encoding : List.of(Encodings.F16, Encodings.BF16)) {
        for (var scales : WordScales.values()) cases.add(Arguments.of(isa, encoding, scales));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void productsAreAsNearAsHalvesOfTheActivationsWouldBe(
      Isa isa, Encoding encoding, WordScales scales) {
    try (var rig = new Rig(isa)) {
      for (int k : new int[] {16, 32, 48, 96, 1024, 1040, Panel.WORD_DEPTH + 96, 4224, 4304}) {
        if (!scales.take(k)) continue;
        for (int tokens : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17}) {
          var input = rig.values(Rig.Values.GAUSSIAN, tokens * k, 1);
          var weights = rig.weights(encoding, Rig.Values.GAUSSIAN, 75, k);
          check(rig, encoding, scales, weights, k, input);
        }
      }
    }
  }

  /** All values at the greatest level, of one sign or in turns. */
  @ParameterizedTest
  @MethodSource("cases")
  void theLargestSumsDoNotOverflow(Isa isa, Encoding encoding, WordScales scales) {
    int k = 256;
    try (var rig = new Rig(isa)) {
      for (int sign : new int[] {1, -1}) {
        var input = new float[3 * k];
        Arrays.fill(input, sign * 1.5f);
        var ones = new float[5 * k];
        Arrays.fill(ones, 0.75f);
        var weights = rig.allocate(encoding.bytes(ones.length));
        encoding.encode(ones, 0, ones.length, weights, 0);
        check(rig, encoding, scales, weights, k, input);
      }
    }
  }

  /** The function comes behind the bias and the residual, whatever is met in how many parts. */
  @ParameterizedTest
  @MethodSource("cases")
  void aFunctionOfProductsIsTheirs(Isa isa, Encoding encoding, WordScales scales) {
    int rows = 75;
    int tokens = 13;
    try (var rig = new Rig(isa)) {
      var kernel = rig.library.mappedWordMatMul(encoding, scales, Fn.GELU_TANH);
      assertThat(kernel.isPresent())
          .isEqualTo(isa.includes(Isa.VNNI) && scales == WordScales.PANELS);
      if (kernel.isEmpty()) return;
      for (int k : new int[] {64, 1024, 1088, 4224}) {
        var input = rig.values(Rig.Values.GAUSSIAN, tokens * k, 0.1f);
        var weights = rig.weights(encoding, Rig.Values.GAUSSIAN, rows, k);
        var bias = rig.randomFloats(rows, 1);
        var residual = rig.randomFloats(tokens * rows, 1);
        var plain = products(rig, encoding, scales, weights, k, input, rows);
        var out = rig.allocate(4L * tokens * rows);
        run(
            rig,
            kernel.get(),
            arguments(rig, encoding, scales, weights, k, input, out)
                .plus(rig.floats(bias), PlainRows.packed(rig.floats(residual), rows)),
            rows);
        for (int i = 0; i < tokens * rows; i++) {
          float sum = plain.getAtIndex(JAVA_FLOAT, i) + bias[i % rows] + residual[i];
          float expected = Fn.GELU_TANH.apply(sum);
          assertThat(out.getAtIndex(JAVA_FLOAT, i))
              .as("result %d, %d values", i, k)
              .isCloseTo(expected, within(5e-6f * Math.max(1, Math.abs(expected))));
        }
      }
    }
  }

  /** A block of zeros is zeros, and one that is no number reaches its own token alone. */
  @ParameterizedTest
  @MethodSource("cases")
  void whatIsNoNumberStaysNone(Isa isa, Encoding encoding, WordScales scales) {
    int k = 64;
    try (var rig = new Rig(isa)) {
      var input = new float[3 * k];
      input[k + 5] = Float.NaN;
      input[2 * k + 40] = 1;
      var weights = rig.weights(encoding, Rig.Values.GAUSSIAN, 3, k);
      var out = products(rig, encoding, scales, weights, k, input, 3);
      for (int row = 0; row < 3; row++) {
        assertThat(out.getAtIndex(JAVA_FLOAT, row)).isZero();
        assertThat(out.getAtIndex(JAVA_FLOAT, 3 + row)).isNaN();
        assertThat(out.getAtIndex(JAVA_FLOAT, 6 + row)).isFinite().isNotZero();
      }
    }
  }

  /** One number that is a hundred times the others, in a panel of scales of its own or not. */
  @ParameterizedTest
  @MethodSource("cases")
  void outliersLeaveWhatTheRowsLengthAllows(Isa isa, Encoding encoding, WordScales scales) {
    int k = 4096;
    int rows = 40;
    try (var rig = new Rig(isa)) {
      var input = rig.values(Rig.Values.GAUSSIAN, k, 1);
      input[700] = 100;
      var weights = rig.weights(encoding, Rig.Values.GAUSSIAN, rows, k);
      var decoded = new float[rows * k];
      encoding.decode(weights, 0, decoded, 0, rows * k);
      var out = products(rig, encoding, scales, weights, k, input, rows);
      double squares = 0;
      for (float x : input) squares += x * x;
      for (int row = 0; row < rows; row++) {
        double expected = 0;
        double weight = 0;
        for (int i = 0; i < k; i++) {
          expected += (double) decoded[row * k + i] * input[i];
          weight += (double) decoded[row * k + i] * decoded[row * k + i];
        }
        // Rounded by √k / 113,000 of the row, each weight times as much; four deviations.
        double error = 4 * Math.sqrt(squares * weight) / 113_000;
        assertThat(out.getAtIndex(JAVA_FLOAT, row))
            .as("row %d", row)
            .isCloseTo((float) expected, within((float) error));
      }
    }
  }

  private static void check(
      Rig rig, Encoding encoding, WordScales scales, MemorySegment weights, int k, float[] input) {
    int rows = Math.toIntExact(weights.byteSize() / encoding.bytes(k));
    var out = products(rig, encoding, scales, weights, k, input, rows);
    var decoded = new float[rows * k];
    encoding.decode(weights, 0, decoded, 0, rows * k);
    for (int token = 0; token < input.length / k; token++) {
      for (int row = 0; row < rows; row++) {
        double expected = 0;
        double squares = 0;
        double size = 0;
        for (int i = 0; i < k; i++) {
          double product = (double) decoded[row * k + i] * input[token * k + i];
          expected += product;
          squares += product * product;
          size += Math.abs(product);
        }
        // 2^-12 of a number is what a half is off by; equal numbers are so to the same side.
        boolean isAlike = size * size > 0.9 * k * squares;
        double error = 1e-6 + (isAlike ? size : 4 * Math.sqrt(squares)) / 4096;
        assertThat(out.getAtIndex(JAVA_FLOAT, (long) token * rows + row))
            .as("token %d of %d, row %d, %d values", token, input.length / k, row, k)
            .isCloseTo((float) expected, within((float) error));
      }
    }
  }

  /** The products of all tokens, by shares that begin and end anywhere. */
  private static MemorySegment products(
      Rig rig,
      Encoding encoding,
      WordScales scales,
      MemorySegment weights,
      int k,
      float[] input,
      int rows) {
    var out = rig.allocate(4L * (input.length / k) * rows);
    run(
        rig,
        rig.library.wordMatMul(encoding, scales).orElseThrow(),
        arguments(rig, encoding, scales, weights, k, input, out),
        rows);
    return out;
  }

  private static MatMulArguments arguments(
      Rig rig,
      Encoding encoding,
      WordScales scales,
      MemorySegment weights,
      int k,
      float[] input,
      MemorySegment out) {
    int tokens = input.length / k;
    var layout = new WordRows(k);
    var x = rig.allocate(layout.bytes(tokens));
    var block = rig.allocate(WordRowsArguments.BYTES);
    new WordRowsArguments(PlainRows.packed(rig.floats(input), k), layout, x).write(block);
    rig.library.words(scales).run(block, 0, tokens, MemorySegment.NULL);
    long rows = weights.byteSize() / encoding.bytes(k);
    return new MatMulArguments(
        new PlainRows(weights, encoding.bytes(k)),
        k,
        new PlainRows(x, layout.rowBytes()),
        tokens,
        PlainRows.packed(out, (int) rows));
  }

  private static void run(Rig rig, Kernel kernel, MatMulArguments arguments, int rows) {
    var product = rig.allocate(MatMulArguments.BYTES);
    arguments.write(product);
    var scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
    kernel.run(product, 0, rows / 2, scratch);
    kernel.run(product, rows / 2, rows, scratch);
  }
}
