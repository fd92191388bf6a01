package weft.cuda.product;

import weft.quant.Encoding;

/** The kernels of products, by what they are to do. */
public final class ProductKernels {
  /** The most rows of activations that a kernel of a few takes at once. */
  public static final int FEW = 8;

  /** The shared memory that a block of any device of compute capability 8.0 or more can have. */
  private static final int SHARED_EVERYWHERE = 99 * 1024;

  /** The most rows of activations that {@link #some} takes at once. */
  public static final int SOME = 64;

  /**
   * Rows of activations from which a packed weight had better become halves once for all of them.
   * On an H200 a value meets a row in 7.8 fs by {@link TensorProduct} (255 TFLOP/s) and in 2.9 by
   * {@link GroupProduct} (700); to become a half it takes 0.64 ps, in which half a byte is read and
   * two are written. So it is the same at 130 rows. Programs are for a power of two of rows and run
   * with more than half of them; their tiles are of 128.
   */
  public static final int UNPACKED_FROM = 256;

  private ProductKernels() {}

  /**
   * A few rows of activations at once, a power of two up to {@link #FEW}; any number of rows when
   * launched, of which each so many read the weights again. Activations begin at a multiple of 16
   * bytes, and so does each row that is a multiple of four values.
   */
  public static ProductKernel few(Product product, int rows) {
    return few(product, rows, SHARED_EVERYWHERE);
  }

  /** The same on a device whose blocks have so much shared memory: less takes fewer at once. */
  public static ProductKernel few(Product product, int rows, int sharedBytes) {
    if (rows < 1 || rows > FEW || Integer.bitCount(rows) != 1) {
      throw new IllegalArgumentException(
          "a kernel takes 1, 2, 4 or 8 rows of activations at once, not " + rows);
    }
    return vector(VectorShape.of(product, rows, false), sharedBytes);
  }

  /** Whether {@link #some} and {@link #many} take a product: its weights may be rounded. */
  public static boolean takesHalves(Product product) {
    return TensorProduct.takes(product);
  }

  /**
   * Any number of rows of activations that {@link #halves(Product)} made.
   *
   * @param most that there will be, by which the kernel is chosen
   */
  public static ProductKernel many(Product product, int most) {
    var kernel = new TensorProduct(product.normed(), most);
    return new ProductKernel(kernel.function(), kernel::grid);
  }

  /** The same for devices of compute capability 9.0, whose tensor cores take more at once. */
  public static ProductKernel manyOnHopper(Product product, int most) {
    if (!GroupProduct.takes(product, most)) return many(product, most);
    var kernel = GroupProduct.of(product.normed(), most);
    return new ProductKernel(kernel.function(), kernel::grid);
  }

  /**
   * Whether {@link #manyOnHopper} takes a packed product {@linkplain Product#ofHalves of halves}.
   */
  public static boolean canUnpack(Product product) {
    return product.layout().form().isPresent() && GroupProduct.takes(product.columns());
  }

  /** Makes all rows of packed weights halves; launched with the number of rows. */
  public static ProductKernel halvesOfWeights(Product product) {
    var kernel = new WeightHalves(product.encoding(), product.columns());
    return new ProductKernel(kernel.function(), kernel::grid);
  }

  /** The bytes that it makes of a product's weights. */
  public static long halvesOfWeightsBytes(Product product) {
    return halvesBytes(product, product.rowsOfWeights());
  }

  /**
   * Up to {@code rows} rows of activations at once (16, 32 or 64), more when launched, which {@link
   * #halves(Product, int)} of as many rows made.
   */
  public static ProductKernel some(Product product, int rows) {
    var kernel = new TensorRows(product.normed(), rows);
    return new ProductKernel(kernel.function(), kernel::grid, kernel::meeting);
  }

  /** Makes activations what {@link #many} takes, after the product's norm if it has one. */
  public static ProductKernel halves(Product product) {
    var kernel = HalfRows.plain(product);
    return new ProductKernel(kernel.function(), kernel::grid);
  }

  /** The bytes that it makes of so many rows. */
  public static long halvesBytes(Product product, int count) {
    return (long) count * product.columns() * Short.BYTES;
  }

  /** Makes activations what {@link #some} takes, after the product's norm if it has one. */
  public static ProductKernel halves(Product product, int rows) {
    var kernel = HalfRows.some(product, rows);
    return new ProductKernel(kernel.function(), kernel::grid);
  }

  /** The bytes that it makes of so many rows. */
  public static long halvesBytes(Product product, int rows, int count) {
    return new SomeRows(product.layout(), rows).bytes(count);
  }

  /** A row of activations and an expert for each use. */
  public static ProductKernel chosen(Product product) {
    return vector(VectorShape.of(product, 1, true), SHARED_EVERYWHERE);
  }

  private static ProductKernel vector(VectorShape shape, int sharedBytes) {
    if (shape.product().layout().form().isEmpty()) {
      return new ProductKernel(new FloatVector(shape).function(), count -> shape.grid(count, 0));
    }
    var kernel = new PackedVector(shape);
    int shared = kernel.sharedBytes();
    if (shared > sharedBytes && shape.rows() > 1) return vector(shape.halved(), sharedBytes);
    return new ProductKernel(kernel.function(), count -> shape.grid(count, shared));
  }

  /** Rows of a table as floats, by their numbers. */
  public static ProductKernel unpack(Encoding encoding, int columns) {
    var kernel = new RowUnpack(encoding, columns);
    return new ProductKernel(kernel.function(), kernel::grid);
  }
}
