package weft.cli.synth;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import weft.cli.synth.Blueprint.Part;
import weft.cli.synth.Blueprint.Role;
import weft.format.GgufWriter;
import weft.format.NumberArray;
import weft.format.ValueType;

/** Writes a random vision tower as llama.cpp's converter would: an {@code mmproj} file. */
public final class TowerSynthesis {
  private final TowerShape shape;
  private final Mix mix;
  private final Filling filling;

  public TowerSynthesis(TowerShape shape, Mix mix, long seed) {
    this.shape = shape;
    this.mix = mix;
    this.filling = new Filling(seed);
  }

  /** The bytes of all tensors together. */
  public long bytes() {
    return parts().stream().mapToLong(this::bytes).sum();
  }

  private long bytes(Part part) {
    long values = part.shape().stream().reduce(1L, Math::multiplyExact);
    return mix.encoding(part, shape.layers()).bytes(values);
  }

  /** Writes the file; {@code written} hears how many bytes of tensors are done. */
  public void write(Path path, LongConsumer written) {
    var writer = new GgufWriter();
    describe(writer);
    long[] done = {0};
    for (var part : parts()) {
      var encoding = mix.encoding(part, shape.layers());
      writer.tensor(
          part.name(),
          encoding.type(),
          part.shape(),
          bytes -> {
            filling.fill(part, filling.pool(encoding), bytes, i -> 1);
            written.accept(done[0] += bytes.byteSize());
          });
    }
    writer.write(path);
  }

  private void describe(GgufWriter writer) {
    var half = NumberArray.of(ValueType.FLOAT32, bits(), bits(), bits());
    var deep =
        LongStream.range(0, shape.layers())
            .map(layer -> shape.deep().contains((int) layer) ? 1 : 0)
            .toArray();
    writer
        .string("general.architecture", "clip")
        .string("general.type", "mmproj")
        .string("general.name", shape.name() + " with random weights")
        .uint32("general.file_type", mix.fileType())
        .bool("clip.has_vision_encoder", true)
        .string("clip.projector_type", "qwen3vl_merger")
        .bool("clip.use_gelu", true)
        .uint32("clip.vision.projection_dim", shape.out())
        .uint32("clip.vision.image_size", (long) shape.side() * shape.patch())
        .uint32("clip.vision.patch_size", shape.patch())
        .uint32("clip.vision.embedding_length", shape.width())
        .uint32("clip.vision.feed_forward_length", shape.feedForward())
        .uint32("clip.vision.block_count", shape.layers())
        .uint32("clip.vision.attention.head_count", shape.heads())
        .uint32("clip.vision.spatial_merge_size", shape.merge())
        .float32("clip.vision.attention.layer_norm_epsilon", 1e-6f)
        .numbers("clip.vision.image_mean", half)
        .numbers("clip.vision.image_std", half)
        .numbers("clip.vision.is_deepstack_layers", NumberArray.of(ValueType.BOOL, deep));
  }

  private static long bits() {
    return Float.floatToRawIntBits(0.5f);
  }

  private List<Part> parts() {
    var parts = new ArrayList<Part>();
    int width = shape.width();
    int square = shape.merge() * shape.merge() * width;
    for (var name : List.of("v.patch_embd.weight", "v.patch_embd.weight.1")) {
      parts.add(Part.of(name, Role.SMALL, width, 3, shape.patch(), shape.patch()));
    }
    parts.add(Part.of("v.patch_embd.bias", Role.SMALL, width));
    parts.add(Part.of("v.position_embd.weight", Role.SMALL, shape.side() * shape.side(), width));
    for (int layer = 0; layer < shape.layers(); layer++) {
      var prefix = "v.blk." + layer + ".";
      norm(parts, prefix + "ln1", width);
      linear(parts, prefix + "attn_qkv", 3 * width, width);
      linear(parts, prefix + "attn_out", width, width);
      norm(parts, prefix + "ln2", width);
      linear(parts, prefix + "ffn_up", shape.feedForward(), width);
      linear(parts, prefix + "ffn_down", width, shape.feedForward());
      if (!shape.deep().contains(layer)) continue;
      norm(parts, "v.deepstack." + layer + ".norm", square);
      linear(parts, "v.deepstack." + layer + ".fc1", square, square);
      linear(parts, "v.deepstack." + layer + ".fc2", shape.out(), square);
    }
    norm(parts, "v.post_ln", width);
    linear(parts, "mm.0", square, square);
    linear(parts, "mm.2", shape.out(), square);
    return parts;
  }

  private static void norm(List<Part> parts, String name, int width) {
    parts.add(Part.of(name + ".weight", Role.NORM, width));
    parts.add(Part.of(name + ".bias", Role.SMALL, width));
  }

  private static void linear(List<Part> parts, String name, int out, int in) {
    parts.add(Part.of(name + ".weight", Role.MATRIX, out, in));
    parts.add(Part.of(name + ".bias", Role.SMALL, out));
  }
}
