package weft.cli.synth;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import weft.cli.synth.Shape.Parts;
import weft.format.GgufWriter;
import weft.format.NumberArray;
import weft.format.ValueType;
import weft.quant.Encoding;
import weft.quant.StorageType;

/** Writes a random checkpoint: the same shape, mix and seed give the same bytes. */
public final class Synthesis {
  /** Keeps activations near one through any number of layers behind norms. */
  private static final float DEVIATION = 0.02f;

  /** A short convolution sums a handful of values, not thousands. */
  private static final float SMALL_DEVIATION = 0.2f;

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Shape shape;
  private final Mix mix;
  private final long seed;
  private final float embeddings;
  private final Map<StorageType, RandomBlocks> pools = new EnumMap<>(StorageType.class);

  public Synthesis(Shape shape, Mix mix, long seed) {
    this(shape, mix, seed, DEVIATION);
  }

  private Synthesis(Shape shape, Mix mix, long seed, float embeddings) {
    this.shape = shape;
    this.mix = mix;
    this.seed = seed;
    this.embeddings = embeddings;
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

  /** Each tensor has a generator of its own, so that it does not depend on the others. */
  private void fill(Blueprint.Part part, Encoding encoding, MemorySegment bytes) {
    var random = new SplittableRandom(seed * 31 + part.name().hashCode());
    switch (part.role()) {
      case MATRIX, OUTPUT -> blocks(part, encoding).fill(bytes, part.shape().getLast(), random);
      case SMALL -> {
        float deviation = part.shape().getLast() < 64 ? SMALL_DEVIATION : DEVIATION;
        each(bytes, i -> (float) random.nextGaussian() * deviation);
      }
      case NORM -> each(bytes, i -> 1 + (float) random.nextGaussian() * DEVIATION);
      case DECAY -> each(bytes, i -> -(0.5f + random.nextFloat()));
      case BIAS -> each(bytes, i -> (float) random.nextGaussian());
      case ROPE -> each(bytes, this::ropeDivisor);
    }
  }

  private RandomBlocks blocks(Blueprint.Part part, Encoding encoding) {
    return embeddings != DEVIATION && part.name().equals("token_embd.weight")
        ? new RandomBlocks(encoding, embeddings, new SplittableRandom(seed))
        : pool(encoding);
  }

  private RandomBlocks pool(Encoding encoding) {
    return pools.computeIfAbsent(
        encoding.type(), type -> new RandomBlocks(encoding, DEVIATION, new SplittableRandom(seed)));
  }

  private float ropeDivisor(int pair) {
    return shape.parts() instanceof Parts.Plain(var scaling)
        ? scaling.map(s -> s.divisor(pair, shape.headDim(), shape.ropeBase())).orElse(1f)
        : 1f;
  }

  private interface Filler {
    float value(int index);
  }

  private static void each(MemorySegment bytes, Filler filler) {
    int count = (int) (bytes.byteSize() / Float.BYTES);
    for (int i = 0; i < count; i++) bytes.setAtIndex(FLOAT, i, filler.value(i));
  }
}
