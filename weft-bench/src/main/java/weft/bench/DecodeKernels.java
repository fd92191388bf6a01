package weft.bench;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import weft.cpu.asm.Host;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.product.MatMulArguments;
import weft.cpu.kernel.product.QuantizeArguments;
import weft.quant.Encoding;
import weft.quant.Encodings;

/**
 * Bytes per second of the matrix-vector kernels beside a plain read of the same memory, interleaved
 * in one run: {@code DecodeKernels [isa] [threads] [k] [MiB]}.
 */
final class DecodeKernels {
  private static final int ROUNDS = 9;
  private static final long IN_CACHE = 256 << 10;

  private DecodeKernels() {}

  public static void main(String[] args) {
    if (!(Host.probe() instanceof Host.Emits(var features, var best))) {
      System.out.println("emitted code does not run here");
      return;
    }
    var isa = args.length > 0 ? features.require(Isa.named(args[0]).orElseThrow()) : best;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    int k = args.length > 2 ? Integer.parseInt(args[2]) : 2048;
    long bytes = (args.length > 3 ? Long.parseLong(args[3]) : 192) << 20;
    System.out.printf(
        "%s, %s, %d threads, rows of %d values, %d MiB%n",
        features.brand(), isa.spelling(), threads, k, bytes >> 20);
    try (var library = KernelLibrary.open(isa);
        var read = new PlainRead();
        var arena = Arena.ofShared()) {
      var team = new Team(threads);
      var weights = arena.allocate(bytes, 4096);
      var runs = new ArrayList<Run>();
      for (var encoding : Encodings.all()) {
        if (!library.multiplies(encoding)) continue;
        var kernel = library.product(encoding, 1, k);
        runs.add(new Run(library, arena, encoding, kernel, threads, k, weights));
      }
      measure(team, read, weights, runs);
    }
  }

  private static void measure(Team team, PlainRead read, MemorySegment weights, List<Run> runs) {
    var reads = new ArrayList<Double>();
    for (int round = 0; round < ROUNDS; round++) {
      for (var run : runs) {
        run.fill();
        reads.add(weights.byteSize() / 1e9 / readSeconds(team, read, weights));
        run.speeds.add(run.bytes() / 1e9 / run.seconds(team));
        run.measureInCache();
      }
    }
    double limit = median(reads);
    System.out.println("GB/s      median  of read     best  a core in cache");
    System.out.printf("%-8s %7.1f          %7.1f%n", "read", limit, best(reads));
    for (var run : runs) {
      double speed = median(run.speeds);
      System.out.printf(
          "%-8s %7.1f  %5.0f%%  %7.1f  %7.1f%n",
          run.encoding.name(),
          speed,
          100 * speed / limit,
          best(run.speeds),
          best(run.speedsInCache));
    }
  }

  private static double best(List<Double> values) {
    return values.stream().mapToDouble(v -> v).max().orElse(0);
  }

  private static double readSeconds(Team team, PlainRead read, MemorySegment bytes) {
    long share = bytes.byteSize() / team.threads() / 512 * 512;
    return team.busySeconds(t -> read.run(bytes.asSlice(t * share, share), share));
  }

  private static double median(List<Double> values) {
    var sorted = values.stream().mapToDouble(v -> v).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** One format over the shared memory, as many rows as fit. */
  private static final class Run {
    private final Encoding encoding;
    private final Kernel kernel;
    private final MemorySegment weights;
    private final MemorySegment pattern;
    private final MemorySegment block;
    private final List<MemorySegment> scratch = new ArrayList<>();
    private final long rows;
    private final List<Double> speeds = new ArrayList<>();
    private final List<Double> speedsInCache = new ArrayList<>();

    Run(
        KernelLibrary library,
        Arena arena,
        Encoding encoding,
        Kernel kernel,
        int threads,
        int k,
        MemorySegment weights) {
      for (int i = 0; i < threads; i++) {
        scratch.add(arena.allocate(KernelLibrary.SCRATCH_BYTES, 64));
      }
      this.encoding = encoding;
      this.kernel = kernel;
      this.weights = weights;
      rows = weights.byteSize() / encoding.bytes(k);
      var random = new Random(1);
      var values = new float[k];
      for (int i = 0; i < k; i++) {
        values[i] = (float) random.nextGaussian();
      }
      pattern = arena.allocate(encoding.bytes(k), 64);
      encoding.encode(values, 0, k, pattern, 0);
      var floats = arena.allocate(4L * k, 64);
      MemorySegment.copy(values, 0, floats, JAVA_FLOAT, 0, k);
      block = arena.allocate(MatMulArguments.BYTES, 64);
      var out = arena.allocate(4 * rows, 64);
      var x = floats;
      if (encoding.blockValues() > 1) {
        var layout = Activations.of(encoding, k);
        x = arena.allocate(layout.bytes(1), 64);
        var quantize = arena.allocate(QuantizeArguments.BYTES, 64);
        new QuantizeArguments(PlainRows.packed(floats, k), layout, x).write(quantize);
        library.quantize(layout).run(quantize, 0, 1, MemorySegment.NULL);
      }
      new MatMulArguments(
              new PlainRows(weights, encoding.bytes(k)), k, PlainRows.one(x), 1, PlainRows.one(out))
          .write(block);
    }

    long bytes() {
      return rows * pattern.byteSize();
    }

    /** Puts weights of this format into the memory that all formats share. */
    void fill() {
      for (long row = 0; row < rows; row++) {
        MemorySegment.copy(pattern, 0, weights, row * pattern.byteSize(), pattern.byteSize());
      }
    }

    /** As many rows as lie in a second-level cache, again and again. */
    void measureInCache() {
      long few = Math.max(4, IN_CACHE / pattern.byteSize());
      int times = 100;
      for (int round = 0; round < 5; round++) {
        long begun = System.nanoTime();
        for (int i = 0; i < times; i++) {
          kernel.run(block, 0, few, scratch.getFirst());
        }
        double seconds = (System.nanoTime() - begun) * 1e-9;
        speedsInCache.add(times * few * pattern.byteSize() / 1e9 / seconds);
      }
    }

    double seconds(Team team) {
      int threads = team.threads();
      return team.busySeconds(
          t -> kernel.run(block, rows * t / threads, rows * (t + 1) / threads, scratch.get(t)));
    }
  }
}
