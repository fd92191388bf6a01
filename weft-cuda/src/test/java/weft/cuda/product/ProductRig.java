package weft.cuda.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import weft.cuda.interpret.InterpretedDriver;
import weft.cuda.ptx.PtxModule;
import weft.ir.Fn;
import weft.quant.Encoding;
import weft.quant.IQ3_S;

/** A product with random numbers on the interpreter, beside what it must be. */
final class ProductRig {
  private static final float LARGEST = 127;

  private final InterpretedDriver driver = new InterpretedDriver();
  private final Random random = new Random(18);

  /** Weights as a file has them, and as floats. */
  record Weights(MemorySegment packed, float[] values) {}

  Weights weights(Encoding encoding, int rows, int columns) {
    var values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) values[i] = (float) random.nextGaussian();
    var packed = MemorySegment.ofArray(new byte[(int) encoding.bytes(values.length)]);
    if (encoding instanceof IQ3_S) {
      random.nextBytes((byte[]) packed.heapBase().orElseThrow());
      for (long at = 0; at < packed.byteSize(); at += encoding.blockBytes()) {
        short d = Float.floatToFloat16(random.nextFloat() / 100);
        packed.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, d);
      }
    } else {
      encoding.encode(values, 0, values.length, packed, 0);
    }
    encoding.decode(packed, 0, values, 0, values.length);
    return new Weights(packed, values);
  }

  float[] reals(int count) {
    var values = new float[count];
    for (int i = 0; i < count; i++) values[i] = (float) random.nextGaussian();
    return values;
  }

  /** Rows laid out as the device keeps them. */
  long upload(Encoding encoding, int columns, Weights weights) {
    var layout = RowLayout.of(encoding, columns);
    long rows = weights.values().length / columns;
    var bytes = MemorySegment.ofArray(new byte[(int) (rows * layout.rowBytes())]);
    layout.pack(weights.packed(), rows, bytes);
    long at = driver.allocate(bytes.byteSize());
    driver.upload(bytes, at);
    return at;
  }

  long upload(float[] values) {
    long at = driver.allocate(4L * values.length);
    driver.upload(MemorySegment.ofArray(values), at);
    return at;
  }

  long upload(int[] values) {
    long at = driver.allocate(4L * values.length);
    driver.upload(MemorySegment.ofArray(values), at);
    return at;
  }

  /** What a kernel writes; what it does not write is NaN. */
  float[] run(ProductKernel kernel, int rows, int results, long[] arguments, int resultArgument) {
    var none = new float[results];
    Arrays.fill(none, Float.NaN);
    arguments[resultArgument] = upload(none);
    var module = driver.module(PtxModule.hopper(List.of(kernel.function())));
    var meeting = kernel.meeting(rows);
    long[] all = arguments;
    if (meeting.counters() > 0) {
      all = Arrays.copyOf(arguments, arguments.length + 2);
      all[arguments.length] = driver.allocate(meeting.bytes());
      all[arguments.length + 1] = upload(new int[meeting.counters()]);
    }
    driver.launch(module.function(kernel.name()), kernel.grid(rows), all);
    if (meeting.counters() > 0) requireZeros(all[arguments.length + 1], meeting.counters());
    var to = MemorySegment.ofArray(new float[results]);
    driver.download(arguments[resultArgument], to);
    return to.toArray(ValueLayout.JAVA_FLOAT);
  }

  /** As a launch finds its counters, it leaves them. */
  private void requireZeros(long at, int count) {
    var counters = MemorySegment.ofArray(new int[count]);
    driver.download(at, counters);
    assertThat(counters.toArray(ValueLayout.JAVA_INT)).containsOnly(0);
  }

  /** A product in the form of {@link ProductKernels#few} with everything that it may have. */
  void check(Product product, ProductKernel kernel, int rows, boolean hasBias, float tolerance) {
    check(product, kernel, rows, hasBias, tolerance, UnaryOperator.identity());
  }

  /** The same of {@link ProductKernels#some}, whose activations another kernel makes. */
  void checkSome(Product product, int atOnce, int rows, boolean hasBias, float tolerance) {
    checkSome(product, ProductKernels.some(product, atOnce), atOnce, rows, hasBias, tolerance);
  }

  void checkSome(
      Product product, ProductKernel some, int atOnce, int rows, boolean hasBias, float tolerance) {
    var halves = ProductKernels.halves(product, atOnce);
    long bytes = ProductKernels.halvesBytes(product, atOnce, rows);
    check(product, some, rows, hasBias, tolerance, a -> halved(product, a, halves, bytes));
  }

  /** The same of {@link ProductKernels#many}. */
  void checkMany(Product product, int most, int rows, boolean hasBias, float tolerance) {
    var halves = ProductKernels.halves(product);
    long bytes = ProductKernels.halvesBytes(product, rows);
    var many = ProductKernels.many(product, most);
    check(product, many, rows, hasBias, tolerance, a -> halved(product, a, halves, bytes));
  }

  /** The same of {@link GroupProduct}. */
  void checkGroup(Product product, int columns, int rows, boolean hasBias, float tolerance) {
    var halves = ProductKernels.halves(product);
    long bytes = ProductKernels.halvesBytes(product, rows);
    var group = new GroupProduct(product.normed(), columns);
    var kernel = new ProductKernel(group.function(), group::grid);
    check(product, kernel, rows, hasBias, tolerance, a -> halved(product, a, halves, bytes));
  }

  /** The same of packed weights that another kernel makes halves. */
  void checkUnpacked(Product product, int columns, int rows, boolean hasBias, float tolerance) {
    var halves = ProductKernels.halves(product.ofHalves());
    long bytes = ProductKernels.halvesBytes(product, rows);
    var group = new GroupProduct(product.ofHalves().normed(), columns);
    var kernel = new ProductKernel(group.function(), group::grid);
    check(
        product,
        kernel,
        rows,
        hasBias,
        tolerance,
        a -> unpacked(product, halved(product, a, halves, bytes)));
  }

  /** Arguments with halves in the place of packed weights. */
  private long[] unpacked(Product product, long[] arguments) {
    var changed = arguments.clone();
    var unpack = ProductKernels.halvesOfWeights(product);
    var module = driver.module(PtxModule.hopper(List.of(unpack.function())));
    for (int i = 0; i < product.weights(); i++) {
      changed[i] = driver.allocate(ProductKernels.halvesBytes(product, product.outputs()));
      driver.launch(
          module.function(unpack.name()),
          unpack.grid(product.outputs()),
          arguments[i],
          changed[i],
          product.outputs());
    }
    return changed;
  }

  /** Arguments with halves in the place of floats. */
  private long[] halved(Product product, long[] arguments, ProductKernel kernel, long bytes) {
    long halves = driver.allocate(bytes);
    int rows = (int) arguments[10];
    var module = driver.module(PtxModule.hopper(List.of(kernel.function())));
    var given = new long[] {arguments[2], arguments[3], halves, rows};
    if (product.norm().isPresent()) {
      given = Arrays.copyOf(given, 5);
      given[4] = arguments[11];
    }
    driver.launch(module.function(kernel.name()), kernel.grid(rows), given);
    var changed = Arrays.copyOf(arguments, 11);
    changed[2] = halves;
    return changed;
  }

  private void check(
      Product product,
      ProductKernel kernel,
      int rows,
      boolean hasBias,
      float tolerance,
      UnaryOperator<long[]> before) {
    int k = product.columns();
    int n = product.outputs();
    var gate = weights(product.encoding(), n, k);
    var up = weights(product.encoding(), n, k);
    int xStride = k + 4 - k % 4;
    if (k % 4 != 0) xStride = k;
    int yStride = n + 3;
    var x = reals(rows * xStride);
    var bias = reals(n);
    var upBias = reals(n);
    var residual = reals(rows * (n + 1));
    boolean isAdded = product.finish() instanceof Product.Finish.Add;
    var arguments =
        new long[] {
          upload(product.encoding(), k, gate),
          product.isGated() ? upload(product.encoding(), k, up) : 0,
          upload(x),
          xStride,
          0,
          yStride,
          hasBias ? upload(bias) : 0,
          hasBias && product.isGated() ? upload(upBias) : 0,
          isAdded ? upload(residual) : 0,
          n + 1,
          rows
        };
    var norm = reals(k);
    if (product.norm().isPresent()) {
      arguments = Arrays.copyOf(arguments, arguments.length + 1);
      arguments[arguments.length - 1] = upload(norm);
      normalize(product, x, xStride, norm);
    }
    var y = run(kernel, rows, rows * yStride, before.apply(arguments), 4);
    for (int row = 0; row < rows; row++) {
      var activations = activations(product, x, row * xStride, isOfBytes(kernel));
      for (int output = 0; output < n; output++) {
        double sum = dot(gate.values(), output * k, activations) + (hasBias ? bias[output] : 0);
        double expected =
            switch (product.finish()) {
              case Product.Finish.None() -> sum;
              case Product.Finish.Add() -> sum + residual[row * (n + 1) + output];
              case Product.Finish.Gate(var fn) ->
                  gated(fn, sum, up, output, upBias, hasBias, activations);
            };
        assertThat((double) y[row * yStride + output])
            .as("%s: row %d of %d, output %d", kernel.name(), row, rows, output)
            .isCloseTo(expected, within(tolerance * (Math.abs(expected) + Math.sqrt(k))));
      }
      for (int beyond = n; beyond < yStride; beyond++) {
        assertThat(y[row * yStride + beyond]).isNaN();
      }
    }
  }

  private static boolean isOfBytes(ProductKernel kernel) {
    return Stream.of("many", "some", "group").noneMatch(kernel.name()::startsWith);
  }

  private static void normalize(Product product, float[] x, int stride, float[] w) {
    var norm = product.norm().orElseThrow();
    for (int row = 0; row < x.length / stride; row++) {
      double squares = norm.eps();
      int at = row * stride;
      for (int i = 0; i < w.length; i++) {
        squares += (double) x[at + i] * x[at + i] / w.length;
      }
      for (int i = 0; i < w.length; i++) {
        x[at + i] *= (float) ((w[i] + norm.offset()) / Math.sqrt(squares));
      }
    }
  }

  private static org.assertj.core.data.Offset<Double> within(double distance) {
    return org.assertj.core.data.Offset.offset(distance);
  }

  private static double gated(
      Fn fn, double sum, Weights up, int output, float[] bias, boolean hasBias, float[] x) {
    double other = dot(up.values(), output * x.length, x) + (hasBias ? bias[output] : 0);
    return fn.apply((float) sum) * other;
  }

  static double dot(float[] weights, int at, float[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) sum += (double) weights[at + i] * x[i];
    return sum;
  }

  /** As a kernel has them: packed weights meet bytes. */
  static float[] activations(Product product, float[] x, int at, boolean areBytes) {
    var row = Arrays.copyOfRange(x, at, at + product.columns());
    if (product.layout().form().isEmpty() || !areBytes) return row;
    for (int run = 0; run < row.length; run += PackedForm.RUN) {
      float largest = 0;
      for (int i = run; i < run + 32; i++) largest = Math.max(largest, Math.abs(row[i]));
      float inverse = largest == 0 ? 0 : LARGEST / largest;
      for (int i = run; i < run + 32; i++) {
        row[i] = (float) Math.rint(row[i] * inverse) * (largest / LARGEST);
      }
    }
    return row;
  }
}
