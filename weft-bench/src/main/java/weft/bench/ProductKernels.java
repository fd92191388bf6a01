package weft.bench;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
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
 * Billions of multiplications a second of the kernels that {@link KernelLibrary#product} chooses,
 * and how long each takes of the time of one token: {@code ProductKernels [isa] [threads] [k]
 * [rows] [encoding,...] [tokens,...]}. All numbers of tokens have their turns in each round, so
 * that what memory gives by the minute meets them alike.
 */
final class ProductKernels {
  private static final int ROUNDS = 9;
  private static final String TOKENS = "1,2,4,8,16,32,512";

  private ProductKernels() {}

  public static void main(String[] args) {
    if (!(Host.probe() instanceof Host.Emits(var features, var best))) {
      System.out.println("emitted code does not run here");
      return;
    }
    var isa = args.length > 0 ? features.require(Isa.named(args[0]).orElseThrow()) : best;
    var team = new Team(args.length > 1 ? Integer.parseInt(args[1]) : 2);
    int k = args.length > 2 ? Integer.parseInt(args[2]) : 2048;
    int rows = args.length > 3 ? Integer.parseInt(args[3]) : 8192;
    System.out.printf(
        "%s, %s, %d threads, %d rows of %d; medians of %d: GMAC/s (times the first) by tokens%n",
        features.brand(), isa.spelling(), team.threads(), rows, k, ROUNDS);
    var wanted = args.length > 4 ? List.of(args[4].split(",")) : List.<String>of();
    var sizes = (args.length > 5 ? args[5] : TOKENS).split(",");
    int[] tokensOf = Stream.of(sizes).mapToInt(Integer::parseInt).toArray();
    var heads = new StringBuilder("        ");
    for (int tokens : tokensOf) {
      heads.append(String.format("%16d", tokens));
    }
    System.out.println(heads);
    try (var library = KernelLibrary.open(isa)) {
      for (var encoding : Encodings.all()) {
        boolean isWanted = wanted.isEmpty() || wanted.contains(encoding.name());
        if (isWanted && library.multiplies(encoding)) {
          print(team, library, encoding, k, rows, tokensOf);
        }
      }
    }
  }

  private static void print(
      Team team, KernelLibrary library, Encoding encoding, int k, int rows, int[] tokensOf) {
    try (var arena = Arena.ofShared()) {
      var weights = weights(arena, encoding, k, rows);
      var scratch = new ArrayList<MemorySegment>();
      for (int t = 0; t < team.threads(); t++) {
        scratch.add(arena.allocate(KernelLibrary.SCRATCH_BYTES, 64));
      }
      var blocks = new MemorySegment[tokensOf.length];
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = arguments(arena, library, encoding, weights, k, rows, tokensOf[i]);
      }
      var seconds = new double[blocks.length][ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < blocks.length; i++) {
          var kernel = library.product(encoding, tokensOf[i], k);
          var block = blocks[i];
          seconds[i][round] = team.busySeconds(t -> share(team, kernel, block, rows, scratch, t));
        }
      }
      var line = new StringBuilder(String.format("%-8s", encoding.name()));
      for (int i = 0; i < blocks.length; i++) {
        double macs = (double) rows * k * tokensOf[i];
        double times = median(seconds[i]) / median(seconds[0]);
        line.append(String.format("%9.1f (%4.2f)", macs / median(seconds[i]) / 1e9, times));
      }
      System.out.println(line);
    }
  }

  private static double median(double[] times) {
    return Arrays.stream(times).sorted().skip(times.length / 2).findFirst().orElseThrow();
  }

  private static void share(
      Team team, Kernel kernel, MemorySegment block, int rows, List<MemorySegment> scratch, int t) {
    int panels = rows / 32;
    long from = 32L * (panels * t / team.threads());
    long to = 32L * (panels * (t + 1) / team.threads());
    kernel.run(block, from, to, scratch.get(t));
  }

  private static MemorySegment weights(Arena arena, Encoding encoding, int k, int rows) {
    var random = new Random(1);
    var values = new float[k];
    for (int i = 0; i < k; i++) {
      values[i] = (float) random.nextGaussian();
    }
    long rowBytes = encoding.bytes(k);
    var weights = arena.allocate(rows * rowBytes, 64);
    encoding.encode(values, 0, k, weights, 0);
    for (long row = 1; row < rows; row++) {
      MemorySegment.copy(weights, 0, weights, row * rowBytes, rowBytes);
    }
    return weights;
  }

  private static MemorySegment arguments(
      Arena arena,
      KernelLibrary library,
      Encoding encoding,
      MemorySegment weights,
      int k,
      int rows,
      int tokens) {
    var random = new Random(2);
    var x = arena.allocate(4L * k * tokens, 64);
    for (long i = 0; i < (long) k * tokens; i++) {
      x.setAtIndex(JAVA_FLOAT, i, (float) random.nextGaussian());
    }
    long xBytes = 4L * k;
    if (encoding.blockValues() > 1) {
      var layout = Activations.of(encoding, k);
      var bytes = arena.allocate(layout.bytes(tokens), 64);
      var quantize = arena.allocate(QuantizeArguments.BYTES, 64);
      new QuantizeArguments(new PlainRows(x, xBytes), layout, bytes).write(quantize);
      library.quantize(layout).run(quantize, 0, tokens, MemorySegment.NULL);
      x = bytes;
      xBytes = layout.rowBytes();
    }
    var out = arena.allocate(4L * rows * tokens, 64);
    var block = arena.allocate(MatMulArguments.BYTES, 64);
    new MatMulArguments(
            new PlainRows(weights, encoding.bytes(k)),
            k,
            new PlainRows(x, xBytes),
            tokens,
            PlainRows.packed(out, rows))
        .write(block);
    return block;
  }
}
