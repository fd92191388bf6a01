package weft.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.imageio.ImageIO;
import weft.image.Picture;
import weft.image.Pictures;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.load.Phase;
import weft.load.Trace;

/**
 * How long a model takes to look at a picture of random pixels, in turns with llama.cpp where its
 * program is given. Run by {@code weft-bench/sight} from its source.
 */
public final class Sight {
  private static final String HELP =
      "Usage: weft-bench/sight [--size=1024x768] [--repetitions=3] [--threads=N] [--isa=LEVEL] [--trace]"
          + " [--peer=LLAMA.CPP] MODEL MMPROJ.gguf";

  private Sight() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int width = 1024;
    int height = 768;
    int repetitions = 3;
    int threads = Runtime.getRuntime().availableProcessors();
    var peer = Optional.<String>empty();
    var options = LoadOptions.standard();
    boolean tells = List.of(arguments).contains("--trace");
    var files = Arrays.stream(arguments).filter(a -> !a.startsWith("--")).map(Path::of).toList();
    for (var argument : arguments) {
      var value = argument.substring(argument.indexOf('=') + 1);
      if (argument.startsWith("--size=")) {
        width = Integer.parseInt(value.split("x")[0]);
        height = Integer.parseInt(value.split("x")[1]);
      } else if (argument.startsWith("--repetitions=")) {
        repetitions = Integer.parseInt(value);
      } else if (argument.startsWith("--threads=")) {
        threads = Integer.parseInt(value);
        options = options.withThreads(threads);
      } else if (argument.startsWith("--isa=")) {
        options = options.withIsa(value);
      } else if (argument.startsWith("--peer=")) {
        peer = Optional.of(value);
      }
    }
    if (files.size() != 2) {
      System.err.println(HELP);
      System.exit(2);
    }
    try (var model = LanguageModel.load(files.get(0), options.withTower(files.get(1)))) {
      var sight = model.sight().orElseThrow();
      var trace = tells ? Optional.of(model.trace()) : Optional.<Trace>empty();
      // A picture that was seen is remembered, so each is another.
      for (int i = 0; i < repetitions; i++) {
        var picture = picture(width, height, i);
        long start = System.nanoTime();
        var seen = sight.see(picture);
        long millis = (System.nanoTime() - start) / 1_000_000;
        System.out.printf("%d ms, %s%n", millis, seen);
        // The first picture also reads the file, which llama.cpp does before it is timed.
        if (peer.isPresent() && i > 0) {
          long other = peerMillis(peer.get(), files.get(1), width, height, threads);
          System.out.printf("  llama.cpp %d ms, %.2f times%n", other, (double) other / millis);
        }
      }
      trace.map(t -> t.looks().summary(Phase.PREFILL)).ifPresent(Sight::print);
    }
  }

  /** What llama.cpp's program says that its tower took for a picture of that size. */
  private static long peerMillis(String program, Path tower, int width, int height, int threads)
      throws IOException, InterruptedException {
    var command = List.of(program, tower.toString(), "" + width, "" + height, "" + threads);
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) throw new IOException(command + " failed; run it to see why");
    return Long.parseLong(said);
  }

  /** Of all pictures together; two operations are a multiplication and an addition. */
  private static void print(Trace.Summary summary) {
    for (var row : summary.rows()) {
      double nanos = row.time().toNanos();
      System.out.printf(
          "%8.0f ms %4d %-40s %-28s %6.1f GMAC/s%n",
          nanos / 1e6,
          row.count(),
          row.operation(),
          row.kernel(),
          row.work().operations() / 2 / nanos);
    }
    System.out.printf("%8.0f ms in all%n", summary.time().toNanos() / 1e6);
  }

  private static Picture picture(int width, int height, int seed) throws IOException {
    var random = new Random(seed);
    var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) image.setRGB(x, y, random.nextInt(1 << 24));
    }
    var out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return Pictures.read(out.toByteArray());
  }
}
