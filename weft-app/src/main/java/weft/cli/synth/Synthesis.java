package weft.cli.synth;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import weft.cli.synth.Shape.Parts;
import weft.format.GgufWriter;
import weft.format.NumberArray;
import weft.format.ValueType;
import weft.quant.Encoding;

/** Writes a random checkpoint: the same shape, mix and seed give the same bytes. */
public final class Synthesis {
  private static final float DEVIATION = Filling.DEVIATION;

  private final Shape shape;
  private final Mix mix;
  private final long seed;
  private final float embeddings;
  private final Filling filling;

  public Synthesis(Shape shape, Mix mix, long seed) {
    this(shape, mix, seed, DEVIATION);
  }

  private Synthesis(Shape shape, Mix mix, long seed, float embeddings) {
    this.shape = shape;
    this.mix = mix;
    this.seed = seed;
    this.embeddings = embeddings;
    this.filling = new Filling(seed);
  }

  /** The same with embeddings of another size: with large ones a router chooses by the token. */
  public Synthesis withEmbeddings(float deviation) {
    return new Synthesis(shape, mix, seed, deviation);
  }

  /** The bytes of all tensors together. */
  public long bytes() {
    return Blueprint.of(shape).tensors().stream().mapToLong(this::bytes).sum();
  }

  private long bytes(Blueprint.Part part) {
    long values = part.shape().stream().reduce(1L, Math::multiplyExact);
    return mix.encoding(part, shape.layers()).bytes(values);
  }

  /** Writes the file; {@code written} hears how many bytes of tensors are done. */
  public void write(Path path, LongConsumer written) {
    var blueprint = Blueprint.of(shape);
    var writer = new GgufWriter();
    describe(writer, blueprint);
    new ByteVocabulary(shape.vocabulary()).describe(writer);
    long[] done = {0};
    for (var part : blueprint.tensors()) {
      var encoding = mix.encoding(part, shape.layers());
      writer.tensor(
          part.name(),
          encoding.type(),
          part.shape(),
          bytes -> {
            fill(part, encoding, bytes);
            written.accept(done[0] += bytes.byteSize());
          });
    }
    writer.write(path);
  }

  private void describe(GgufWriter writer, Blueprint blueprint) {
    var prefix = shape.architecture() + ".";
    writer
        .string("general.architecture", shape.architecture())
        .string("general.type", "model")
        .string("general.name", shape.name() + " with random weights")
        .uint32("general.file_type", mix.fileType())
        .uint32("general.quantization_version", 2);
    blueprint.integers().forEach((key, value) -> writer.uint32(prefix + key, value.longValue()));
    blueprint.reals().forEach((key, value) -> writer.float32(prefix + key, value));
    if (shape.parts() instanceof Parts.Hybrid hybrid) {
      // Sections of rope for text, rows and columns of an image; for text they are one.
      int pairs = hybrid.ropeDims() / 2;
      int third = pairs / 3;
      writer.numbers(
          prefix + "rope.dimension_sections",
          NumberArray.of(ValueType.INT32, pairs - 2L * third, third, third, 0));
    }
  }

  private void fill(Blueprint.Part part, Encoding encoding, MemorySegment bytes) {
    boolean isOther = embeddings != DEVIATION && part.name().equals("token_embd.weight");
    var pool =
        isOther
            ? new RandomBlocks(encoding, embeddings, new SplittableRandom(seed))
            : filling.pool(encoding);
    filling.fill(part, pool, bytes, this::ropeDivisor);
  }

  private float ropeDivisor(int pair) {
    return shape.parts() instanceof Parts.Plain(var scaling)
        ? scaling.map(s -> s.divisor(pair, shape.headDim(), shape.ropeBase())).orElse(1f)
        : 1f;
  }
}
