package weft.models;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import weft.net.Activation;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Range;
import weft.net.Rope;
import weft.net.Tensor;
import weft.net.Tower;
import weft.net.TowerFamily;

/**
 * The vision tower of Qwen3-VL (arXiv:2511.21631) and Qwen3.5: a transformer over the patches of a
 * picture of any size. A patch knows its place twice: by a learned table, brought to the picture's
 * size, and by a rope that turns by row and column. Every two by two patches become one row of the
 * text; what some earlier blocks have of them is added behind the text's first layers (DeepStack,
 * arXiv:2406.04334).
 */
record QwenVision(Shape shape, int layers, VisionBlock block, List<Integer> deep) implements Tower {
  static final TowerFamily FAMILY =
      new TowerFamily(
          "Qwen3-VL",
          Set.of("qwen3vl_merger"),
          Set.of(
              "qwen3_vl",
              "qwen3_vl_vision",
              "qwen3_5",
              "qwen3_5_vision",
              "qwen3_5_moe",
              "qwen3_5_moe_vision"),
          Set.of("qwen3vl", "qwen35", "qwen35moe"),
          naming(),
          QwenVision::of,
          new TowerFamily.Marks(
              "<|image_pad|>",
              "",
              List.of("<|image_pad|>"),
              "",
              "<|vision_start|><|image_pad|><|vision_end|>"),
          new TowerFamily.Films("<|video_pad|>", "<|vision_start|>", "<|vision_end|>"));

  private static Naming naming() {
    return Naming.tower()
        .key("vision_config.depth", "vision.block_count")
        .key("vision_config.num_heads", "vision.attention.head_count")
        .key("vision_config.out_hidden_size", "vision.projection_dim")
        .key("vision_config.spatial_merge_size", "vision.spatial_merge_size")
        .key("vision_config.temporal_patch_size", "vision.temporal_patch_size")
        .key("vision_config.deepstack_visual_indexes", "vision.deepstack_layers")
        .tensor("visual.patch_embed.proj", "v.patch_embd")
        .tensor("visual.pos_embed", "v.position_embd")
        .tensor("visual.blocks.{}.norm1", "v.blk.{}.ln1")
        .tensor("visual.blocks.{}.norm2", "v.blk.{}.ln2")
        .tensor("visual.blocks.{}.attn.qkv", "v.blk.{}.attn_qkv")
        .tensor("visual.blocks.{}.attn.proj", "v.blk.{}.attn_out")
        .tensor("visual.blocks.{}.mlp.linear_fc1", "v.blk.{}.ffn_up")
        .tensor("visual.blocks.{}.mlp.linear_fc2", "v.blk.{}.ffn_down")
        .tensor("visual.merger.norm", "v.post_ln")
        .tensor("visual.merger.linear_fc1", "mm.0")
        .tensor("visual.merger.linear_fc2", "mm.2")
        .tensor("visual.deepstack_merger_list.{}.norm", "v.deepstack.{}.norm")
        .tensor("visual.deepstack_merger_list.{}.linear_fc1", "v.deepstack.{}.fc1")
        .tensor("visual.deepstack_merger_list.{}.linear_fc2", "v.deepstack.{}.fc2");
  }

  static QwenVision of(Meta m) {
    var deep = deepLayers(m);
    int depth = m.integer("vision.temporal_patch_size", Range.COUNT, 2);
    boolean isApart = m.convention() == Meta.Convention.GGUF; // which has a filter for each frame
    var shape =
        new Shape(
            m.integer("vision.patch_size", Range.COUNT),
            isApart ? 1 : depth,
            isApart ? depth : 1,
            m.integer("vision.spatial_merge_size", Range.COUNT, 2),
            0,
            m.integer("vision.embedding_length", Range.WIDTH),
            m.integer("vision.projection_dim", Range.WIDTH),
            deep.size());
    int heads = m.integer("vision.attention.head_count", Range.COUNT);
    return new QwenVision(
        shape,
        m.integer("vision.block_count", Range.LAYERS),
        VisionBlock.of(m, Rope.plane(shape.width() / heads, 10_000)),
        deep);
  }

  /** Transformers lists the blocks that something is kept of, GGUF marks each. */
  private static List<Integer> deepLayers(Meta m) {
    var marks = m.numbers("vision.is_deepstack_layers", Range.MARK);
    return switch (m.convention()) {
      case GGUF -> IntStream.range(0, marks.size()).filter(i -> marks.get(i) > 0).boxed().toList();
      case TRANSFORMERS ->
          m.numbers("vision.deepstack_layers", Range.MARK).stream().map(Double::intValue).toList();
    };
  }

  @Override
  public void patches(Net net) {
    int width = shape.width();
    var x = filtered(net, "v.patch_embd.weight", 0);
    for (int i = 1; i < shape.filters(); i++) {
      x = x.plus(filtered(net, "v.patch_embd.weight." + i, i));
    }
    x = x.plus(net.parameter("v.patch_embd.bias", width)).plus(net.rows(PLACES, width));
    for (int i = 0; i < layers; i++) {
      x = block.of(net.in("v.blk." + i), x);
      if (deep.contains(i)) net.point(Tower.deep(deep.indexOf(i)), x);
    }
    net.point(PATCHES, block.norm(net, "v.post_ln", x));
  }

  private Tensor filtered(Net net, String name, int filter) {
    int pixels = 3 * shape.frames() * shape.patch() * shape.patch();
    return net.filter(name, net.rows(Tower.pixels(filter), pixels), shape.width());
  }

  @Override
  public void features(Net net) {
    int square = shape.merge() * shape.merge() * shape.width();
    net.point(FEATURES, merged(net, "mm.0", "mm.2", net.rows(PATCHES, square)));
    for (int i = 0; i < deep.size(); i++) {
      var own = net.in("v.deepstack." + number(net.meta(), i));
      var x = block.norm(own, "norm", net.rows(Tower.deep(i), square));
      net.point(Tower.deepFeatures(i), merged(own, "fc1", "fc2", x));
    }
  }

  /** GGUF numbers what merges deep rows by the block they come from. */
  private int number(Meta m, int index) {
    return switch (m.convention()) {
      case GGUF -> deep.get(index);
      case TRANSFORMERS -> index;
    };
  }

  private Tensor merged(Net net, String first, String second, Tensor x) {
    var h = net.linear(first, x, x.width()).activated(Activation.GELU);
    return net.linear(second, h, shape.out());
  }
}
