package weft.cuda.product;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import weft.cuda.driver.Driver;
import weft.cuda.driver.LibCuda;
import weft.cuda.interpret.InterpretedDriver;
import weft.cuda.product.Product.Finish;
import weft.cuda.ptx.PtxModule;
import weft.ir.Fn;
import weft.quant.Encoding;
import weft.quant.Encodings;

/**
 * Kernels of many rows beside each other on a GPU of compute capability 9.0: how long they take,
 * and how far their results are from those of the first. Packed weights are multiplied as they are,
 * and as halves that are made of them each time; what that takes alone comes behind.
 *
 * <pre>java … weft.cuda.product.ProductTimes [ROWS [ENCODING…]]</pre>
 */
public final class ProductTimes {
  private static final int TURNS = 20;

  /** Rows of weights that differ; the others are these again, for it takes long to pack them. */
  private static final int PACKED_ROWS = 16;

  private final Driver driver;
  private final Random random = new Random(18);

  /** What is launched to make a product, kernel behind kernel. */
  private record Way(String name, List<Step> steps) {}

  /**
   * @param rows that its grid is for
   */
  private record Step(ProductKernel kernel, int rows, long... arguments) {}

  private ProductTimes(Driver driver) {
    this.driver = driver;
  }

  public static void main(String[] arguments) {
    boolean isReal = System.getProperty("weft.cuda.backend", "cuda").equals("cuda");
    int rows = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2048;
    var names = List.of(arguments).subList(Math.min(1, arguments.length), arguments.length);
    if (names.isEmpty()) names = List.of("BF16", "Q8_0", "Q4_K", "Q6_K");
    var silu = new Finish.Gate(Fn.SILU);
    try (var driver = isReal ? LibCuda.open(0, LibCuda.Launches.QUEUED) : new InterpretedDriver()) {
      var times = new ProductTimes(driver);
      for (var name : names) {
        var encoding = encoding(name);
        if (!isReal) {
          times.measure(new Product(encoding, 256, 130, silu), rows);
          continue;
        }
        for (int width : List.of(2048, 4096)) {
          int inner = width == 2048 ? 8192 : 12288;
          times.measure(new Product(encoding, width, inner, silu), rows);
          times.measure(new Product(encoding, inner, width, new Finish.Add()), rows);
          times.measure(new Product(encoding, width, width * 3 / 2, new Finish.None()), rows);
          times.measure(new Product(encoding, width, width, new Finish.Add()), rows);
        }
      }
    }
  }

  private static Encoding encoding(String name) {
    return Encodings.all().stream()
        .filter(encoding -> encoding.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no encoding is called " + name));
  }

  private void measure(Product product, int rows) {
    int outputs = product.outputs();
    long yBytes = (long) rows * outputs * Float.BYTES;
    long weights = weights(product);
    long halves = driver.allocate(ProductKernels.halvesOfWeightsBytes(product));
    long x = floats(rows * product.columns(), product.encoding());
    long residual = driver.allocate(yBytes);
    driver.clear(residual, yBytes);
    long y = driver.allocate(yBytes);
    var first = new float[0];
    for (var way : ways(product, rows, weights, halves, new long[] {x, y, residual})) {
      driver.clear(y, yBytes);
      double micros = micros(way);
      var result = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, (long) rows * outputs);
      driver.download(y, result);
      driver.synchronize();
      var values = result.toArray(ValueLayout.JAVA_FLOAT);
      if (first.length == 0) first = values;
      double work = 2.0 * rows * product.rowsOfWeights() * product.columns();
      System.out.printf(
          "%-52s %5d rows %8.1f us %6.1f TFLOP/s, off by %.1e of the greatest%n",
          way.name, rows, micros, work / micros / 1e6, distance(first, values));
    }
    if (ProductKernels.canUnpack(product)) {
      var unpack = unpack(product, weights, halves);
      double micros = micros(new Way(unpack.kernel.name(), List.of(unpack)));
      long read = (long) product.rowsOfWeights() * product.layout().rowBytes();
      double bytes = read + ProductKernels.halvesOfWeightsBytes(product);
      System.out.printf(
          "%-52s %10s %8.1f us %6.0f GB/s%n",
          unpack.kernel.name(), "", micros, bytes / micros / 1e3);
    }
    for (long address : new long[] {weights, halves, x, residual, y}) driver.free(address);
  }

  private static List<Way> ways(
      Product product, int rows, long weights, long halves, long[] others) {
    var many = ProductKernels.many(product, rows);
    var ways = new ArrayList<>(List.of(way(product, rows, weights, others, many, List.of())));
    boolean isPacked = ProductKernels.canUnpack(product);
    for (int columns : List.of(128, 256)) {
      var multiplied = isPacked ? product.ofHalves() : product;
      var group = new GroupProduct(multiplied, columns);
      var kernel = new ProductKernel(group.function(), group::grid);
      var before = isPacked ? List.of(unpack(product, weights, halves)) : List.<Step>of();
      ways.add(way(multiplied, rows, isPacked ? halves : weights, others, kernel, before));
    }
    return ways;
  }

  private static Step unpack(Product product, long weights, long halves) {
    int rows = product.rowsOfWeights();
    return new Step(ProductKernels.halvesOfWeights(product), rows, weights, halves, rows);
  }

  private static Way way(
      Product product,
      int rows,
      long weights,
      long[] others,
      ProductKernel kernel,
      List<Step> before) {
    int outputs = product.outputs();
    long up = weights + (long) outputs * product.layout().rowBytes();
    var step =
        new Step(
            kernel,
            rows,
            weights,
            up,
            others[0],
            product.columns(),
            others[1],
            outputs,
            0,
            0,
            others[2],
            outputs,
            rows);
    var steps = new ArrayList<>(before);
    steps.add(step);
    var names = steps.stream().map(each -> each.kernel.name()).toList();
    return new Way(String.join(" + ", names), steps);
  }

  /** Of one turn, once it was launched before. */
  private double micros(Way way) {
    var functions = way.steps.stream().map(step -> step.kernel.function()).toList();
    try (var module = driver.module(PtxModule.hopper(functions))) {
      var handles = way.steps.stream().map(step -> module.function(step.kernel.name())).toList();
      Runnable launch =
          () -> {
            for (int i = 0; i < handles.size(); i++) {
              var step = way.steps.get(i);
              driver.launch(handles.get(i), step.kernel.grid(step.rows), step.arguments);
            }
          };
      launch.run();
      driver.synchronize();
      var from = driver.mark();
      for (int i = 0; i < TURNS; i++) launch.run();
      var to = driver.mark();
      double micros = 1000 * driver.millis(from, to) / TURNS;
      from.close();
      to.close();
      return micros;
    }
  }

  private static double distance(float[] a, float[] b) {
    double greatest = 0;
    double distance = 0;
    for (int i = 0; i < a.length; i++) {
      greatest = Math.max(greatest, Math.abs(a[i]));
      distance = Math.max(distance, Math.abs(a[i] - b[i]));
    }
    return distance / greatest;
  }

  /** Rows of random numbers of size 1, as the device keeps them. */
  private long weights(Product product) {
    int rows = product.rowsOfWeights();
    if (product.layout().form().isEmpty()) {
      return floats(rows * product.columns(), product.encoding());
    }
    var encoding = product.encoding();
    var values = new float[PACKED_ROWS * product.columns()];
    for (int i = 0; i < values.length; i++) values[i] = (float) random.nextGaussian();
    var file = MemorySegment.ofArray(new byte[(int) encoding.bytes(values.length)]);
    encoding.encode(values, 0, values.length, file, 0);
    long bytes = (long) PACKED_ROWS * product.layout().rowBytes();
    var some = Arena.ofAuto().allocate(bytes);
    product.layout().pack(file, PACKED_ROWS, some);
    long at = driver.allocate((long) rows * product.layout().rowBytes());
    for (int row = 0; row < rows; row += PACKED_ROWS) {
      int count = Math.min(PACKED_ROWS, rows - row);
      long to = at + (long) row * product.layout().rowBytes();
      driver.upload(some.asSlice(0, (long) count * product.layout().rowBytes()), to);
    }
    driver.synchronize();
    return at;
  }

  /** As many halves of size 1, of the kind that a weight's products take. */
  private long floats(int count, Encoding encoding) {
    boolean areBfloats = encoding.equals(Encodings.BF16);
    var bits = new short[count];
    for (int i = 0; i < count; i++) {
      float value = (float) random.nextGaussian();
      bits[i] =
          areBfloats
              ? (short) (Float.floatToRawIntBits(value) >>> 16)
              : Float.floatToFloat16(value);
    }
    long at = driver.allocate((long) count * Short.BYTES);
    // The driver knows nothing of Java's heap.
    driver.upload(Arena.ofAuto().allocateFrom(ValueLayout.JAVA_SHORT, bits), at);
    driver.synchronize();
    return at;
  }
}
