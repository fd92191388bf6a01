package weft.cuda.product;

import java.lang.foreign.Arena;
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
import weft.quant.Encodings;

/**
 * Kernels of many rows beside each other on a GPU of compute capability 9.0, with weights of
 * bfloat16: how long they take, and how far their results are from those of the first.
 *
 * <pre>java … weft.cuda.product.ProductTimes [ROWS]</pre>
 */
public final class ProductTimes {
  private static final int TURNS = 20;

  private final Driver driver;
  private final Random random = new Random(18);

  private ProductTimes(Driver driver) {
    this.driver = driver;
  }

  public static void main(String[] arguments) {
    boolean isReal = System.getProperty("weft.cuda.backend", "cuda").equals("cuda");
    int rows = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2048;
    var silu = new Finish.Gate(Fn.SILU);
    try (var driver = isReal ? LibCuda.open(0, LibCuda.Launches.QUEUED) : new InterpretedDriver()) {
      var times = new ProductTimes(driver);
      if (!isReal) {
        times.measure(new Product(Encodings.BF16, 128, 130, silu), rows);
        return;
      }
      for (int width : List.of(2048, 4096)) {
        int inner = width == 2048 ? 8192 : 12288;
        times.measure(new Product(Encodings.BF16, width, inner, silu), rows);
        times.measure(new Product(Encodings.BF16, inner, width, new Finish.Add()), rows);
        times.measure(new Product(Encodings.BF16, width, width * 3 / 2, new Finish.None()), rows);
        times.measure(new Product(Encodings.BF16, width, width, new Finish.Add()), rows);
      }
    }
  }

  private static List<ProductKernel> kernels(Product product, int rows) {
    var kernels = new ArrayList<>(List.of(ProductKernels.many(product, rows)));
    for (int columns : List.of(128, 256)) {
      var group = new GroupProduct(product, columns);
      kernels.add(new ProductKernel(group.function(), group::grid));
    }
    return kernels;
  }

  private void measure(Product product, int rows) {
    int outputs = product.outputs();
    long weights = floats(product.weights() * outputs * product.columns());
    long x = floats(rows * product.columns());
    long residual = driver.allocate((long) rows * outputs * Float.BYTES);
    driver.clear(residual, (long) rows * outputs * Float.BYTES);
    long y = driver.allocate((long) rows * outputs * Float.BYTES);
    long up = weights + (long) outputs * product.layout().rowBytes();
    var first = new float[0];
    for (var kernel : kernels(product, rows)) {
      driver.clear(y, (long) rows * outputs * Float.BYTES);
      try (var module = driver.module(PtxModule.hopper(List.of(kernel.function())))) {
        var function = module.function(kernel.name());
        Runnable launch =
            () ->
                driver.launch(
                    function,
                    kernel.grid(rows),
                    weights,
                    up,
                    x,
                    product.columns(),
                    y,
                    outputs,
                    0,
                    0,
                    residual,
                    outputs,
                    rows);
        launch.run();
        var result = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, (long) rows * outputs);
        driver.download(y, result);
        driver.synchronize();
        var values = result.toArray(ValueLayout.JAVA_FLOAT);
        if (first.length == 0) first = values;
        var from = driver.mark();
        for (int i = 0; i < TURNS; i++) launch.run();
        var to = driver.mark();
        double micros = 1000 * driver.millis(from, to) / TURNS;
        double work = 2.0 * rows * outputs * product.weights() * product.columns();
        System.out.printf(
            "%-36s %5d rows %8.1f us %6.1f TFLOP/s, off by %.1e of the greatest%n",
            kernel.name(), rows, micros, work / micros / 1e6, distance(first, values));
        from.close();
        to.close();
      }
    }
    for (long address : new long[] {weights, x, residual, y}) driver.free(address);
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

  /** As many bfloat16, of size 1. */
  private long floats(int count) {
    var bits = new short[count];
    for (int i = 0; i < count; i++) {
      bits[i] = (short) (Float.floatToRawIntBits((float) random.nextGaussian()) >>> 16);
    }
    long at = driver.allocate((long) count * Short.BYTES);
    // The driver knows nothing of Java's heap.
    driver.upload(Arena.ofAuto().allocateFrom(ValueLayout.JAVA_SHORT, bits), at);
    driver.synchronize();
    return at;
  }
}
