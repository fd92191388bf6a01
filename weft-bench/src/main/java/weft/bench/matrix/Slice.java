package weft.bench.matrix;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import weft.backend.KvType;
import weft.cli.synth.Mix;
import weft.cli.synth.Shape;
import weft.cli.synth.Shape.Parts;
import weft.cli.synth.Shapes;
import weft.cli.synth.Synthesis;
import weft.cpu.asm.Isa;
import weft.cpu.emitted.RowThresholds;
import weft.quant.Encoding;
import weft.quant.StorageType;

/** A few layers with the widths of a real model, stored so. */
public record Slice(Shape shape, Mix mix) {
  /** Enough tokens for peaks of logits, few enough for small files. */
  public static final int FEW_TOKENS = 4096;

  /** The shapes of the matrix: one of each kind of layer that has emitted kernels. */
  public static final List<String> SHAPES =
      List.of(
          "llama-3.2-1b-slice",
          "qwen3-0.6b-slice",
          "gemma-3-1b-slice",
          "qwen3.5-0.8b-slice",
          "qwen3-30b-a3b-slice");

  /** As narrow as can be, for all that is too much for real widths. */
  public static final List<String> NARROW =
      List.of("tiny-llama", "tiny-qwen3", "tiny-gemma3", "tiny-qwen3.5", "tiny-qwen3-moe");

  /** Types that no published mix has beside each other, some of them floats. */
  private static final List<String> MIXTURES = List.of("Q4_K+Q8_0", "Q8_0+F16", "F16+Q4_0");

  /** Every way to store matrices that is tried: all of one type, and mixtures. */
  public static List<String> types() {
    return Stream.concat(Mix.names().stream(), MIXTURES.stream()).toList();
  }

  /** The slice of these names, with a whole layer before the last; empty where one is unknown. */
  public static Optional<Slice> named(String shape, String type) {
    return Shapes.named(shape)
        .flatMap(found -> Mix.named(type).map(mix -> new Slice(found, mix)))
        .map(slice -> slice.isSparse() ? slice.with(slice.shape.withLayers(2)) : slice);
  }

  private boolean isSparse() {
    return shape.parts() instanceof Parts.Experts;
  }

  public Slice with(Shape other) {
    return new Slice(other, mix);
  }

  public Slice withFewTokens() {
    return shape.vocabulary() > FEW_TOKENS ? with(shape.withVocabulary(FEW_TOKENS)) : this;
  }

  public String name() {
    return shape.name() + ":" + mix.name();
  }

  public long bytes() {
    return new Synthesis(shape, mix, 0).bytes();
  }

  /** Writes the checkpoint into a folder; whoever asks deletes it. */
  public Path write(Path folder, long seed) {
    var file = folder.resolve(name().replace(':', '-') + "-" + shape.vocabulary() + ".gguf");
    new Synthesis(shape, mix, seed).write(file, _ -> {});
    return file;
  }

  /** Where a team does steps of this slice in another way. */
  RowThresholds thresholds(Isa isa, int team) {
    int q = shape.heads() * shape.headDim();
    int kv = shape.kvHeads() * shape.headDim();
    return new RowThresholds(
        isa,
        team,
        encoding(),
        shape.width(),
        List.of(q, kv, shape.width(), shape.feedForward(), shape.vocabulary()),
        shape.kvHeads(),
        shape.heads() / shape.kvHeads());
  }

  private Encoding encoding() {
    return mix.most().getFirst().encoding().orElseThrow();
  }

  /**
   * The same text in other cuts goes through other kernels. What differs by one bit is soon another
   * byte, half or expert, so that the rounding of those is what two right results are apart.
   */
  Agreement agreementOfFeeds(KvType kv) {
    boolean hasBytes = roundsActivations() || kv == KvType.Q8_0;
    boolean hasHalves = hasShortFloats() || kv == KvType.F16;
    if (isSparse()) return hasBytes || hasHalves ? Agreement.OTHER_EXPERT : Agreement.SUMS;
    return hasBytes ? Agreement.BYTES : hasHalves ? Agreement.HALVES : Agreement.SUMS;
  }

  /** The definition rounds as one thread does, but for the bytes. */
  Agreement agreementWithReference(KvType kv) {
    return roundsActivations() && !isSparse() ? Agreement.NO_BYTES : agreementOfFeeds(kv);
  }

  /** Whether matrices meet rows that were made bytes. */
  private boolean roundsActivations() {
    return types(type -> type.blockValues() > 1);
  }

  /** Whether matrices of 16 bits a number meet many rows as words. */
  private boolean hasShortFloats() {
    return types(type -> type == StorageType.F16 || type == StorageType.BF16);
  }

  private boolean types(Predicate<StorageType> are) {
    return Stream.concat(mix.most().stream(), Stream.of(mix.careful())).anyMatch(are);
  }
}
