package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import weft.lir.Program;
import weft.lir.ProgramException;
import weft.lir.ProgramText;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.load.Phase;

/**
 * Programs as text, which are kept between runs: one that is accepted prints as what it was read.
 */
final class ProgramTarget implements Target {
  private static final TextMutation WORDS =
      new TextMutation(
          List.of(
              "bounds ",
              "region ",
              "slot ",
              "setup ",
              "step ",
              "output ",
              "tokens=",
              "wanted=",
              "id=",
              "offset=",
              "bytes=",
              "STEP",
              "PROGRAM",
              "View(",
              "Weight(",
              "Constant(",
              "Input(",
              "KeyValue(",
              "Recurrent(",
              "buffer=",
              "f32[T,64]",
              "f32[W,64]",
              "i32[T]",
              "f32[]",
              "[1 1]",
              "[0 0]",
              "[-1 1]",
              "%0",
              "%1",
              "%99",
              "NaN",
              "Infinity",
              "with [",
              "] ",
              "(",
              ")",
              "= ",
              " ",
              "\n",
              "rmsnorm",
              "linear",
              "project",
              "embed",
              "attend",
              "ropeattend",
              "Norm(",
              "None()",
              "Add(",
              "heads=",
              "window=",
              "eps=",
              "\"",
              "T",
              "W",
              "4294967296"));

  private static final TextMutation LINES = new TextMutation(List.of("\n"));

  @Override
  public String name() {
    return "program";
  }

  @Override
  public List<byte[]> seeds() {
    var seeds = new ArrayList<byte[]>();
    for (var model : Models.exact()) {
      var file = Scratch.write("model.gguf", model);
      try (var loaded = LanguageModel.load(file, LoadOptions.standard().withThreads(1))) {
        for (var phase : Phase.values()) {
          seeds.add(loaded.explain(phase).program().getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    return seeds;
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    if (draw.oneIn(3)) return lines(input, other, draw);
    return (draw.oneIn(10) ? LINES : WORDS).mutate(input, other, draw);
  }

  /** A line goes, comes twice, changes places, or comes from another program. */
  private static byte[] lines(byte[] input, byte[] other, Draw draw) {
    var lines = new ArrayList<>(text(input).lines().toList());
    var others = text(other).lines().toList();
    if (lines.isEmpty() || others.isEmpty()) return other;
    int at = draw.below(lines.size());
    switch (draw.below(4)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(at, draw.of(lines));
      case 2 -> lines.set(at, draw.of(others));
      default -> lines.add(draw.below(lines.size()), lines.remove(at));
    }
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void run(byte[] input) {
    Program program = ProgramText.parse(text(input));
    var printed = ProgramText.print(program);
    if (!ProgramText.parse(printed).equals(program)) {
      throw new Violation("a program is another one when it is printed and read again");
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof ProgramException;
  }

  @Override
  public long mostAllocated() {
    return 16L << 20;
  }
}
