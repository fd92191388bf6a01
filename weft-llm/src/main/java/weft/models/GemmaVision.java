package weft.models;

import java.util.List;
import java.util.Set;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Range;
import weft.net.Rope;
import weft.net.Tensor;
import weft.net.Tower;
import weft.net.TowerFamily;

/**
 * How Gemma 3 sees (arXiv:2503.19786): SigLIP (arXiv:2303.15343), a vision transformer for pictures
 * of one size with a learned table of places; squares of its patches are averaged, normalized and
 * projected to the text's width. The rows of a picture see each other in the text.
 */
record GemmaVision(Shape shape, int layers, VisionBlock block, Norm norm) implements Tower {
  static final TowerFamily FAMILY =
      new TowerFamily(
          "Gemma 3",
          Set.of("gemma3"),
          Set.of("siglip_vision_model"),
          Set.of("gemma3"),
          naming(),
          GemmaVision::of,
          new TowerFamily.Marks(
              "<start_of_image>",
              "\n\n<start_of_image>",
              // Some files end before it; then any token will do that no text has.
              List.of("<image_soft_token>", "<unused0>"),
              "<end_of_image>\n\n",
              "<start_of_image>"),
          TowerFamily.Films.NONE);

  private static Naming naming() {
    var naming =
        Naming.tower()
            .key("text_config.hidden_size", "vision.projection_dim")
            .key("mm_tokens_per_image", "vision.tokens_per_image")
            .tensor("multi_modal_projector.mm_soft_emb_norm", "mm.soft_emb_norm")
            .tensor(
                "multi_modal_projector.mm_input_projection_weight", "mm.input_projection.weight");
    for (var tower : List.of("vision_tower.", "vision_tower.vision_model.")) {
      naming
          .tensor(tower + "embeddings.patch_embedding", "v.patch_embd")
          .tensor(tower + "embeddings.position_embedding", "v.position_embd")
          .tensor(tower + "post_layernorm", "v.post_ln")
          .tensor(tower + "encoder.layers.{}.layer_norm1", "v.blk.{}.ln1")
          .tensor(tower + "encoder.layers.{}.layer_norm2", "v.blk.{}.ln2")
          .tensor(tower + "encoder.layers.{}.self_attn.q_proj", "v.blk.{}.attn_q")
          .tensor(tower + "encoder.layers.{}.self_attn.k_proj", "v.blk.{}.attn_k")
          .tensor(tower + "encoder.layers.{}.self_attn.v_proj", "v.blk.{}.attn_v")
          .tensor(tower + "encoder.layers.{}.self_attn.out_proj", "v.blk.{}.attn_out")
          .tensor(tower + "encoder.layers.{}.mlp.fc1", "v.blk.{}.ffn_up")
          .tensor(tower + "encoder.layers.{}.mlp.fc2", "v.blk.{}.ffn_down");
    }
    return naming;
  }

  static GemmaVision of(Meta m) {
    int side = m.integer("vision.image_size", Range.COUNT);
    int patch = m.integer("vision.patch_size", Range.COUNT);
    var shape =
        new Shape(
            patch,
            1,
            1,
            merge(m, side / patch),
            side,
            m.integer("vision.embedding_length", Range.WIDTH),
            m.integer("vision.projection_dim", Range.WIDTH),
            0);
    return new GemmaVision(
        shape,
        m.integer("vision.block_count", Range.LAYERS),
        VisionBlock.of(m, Rope.NONE),
        Norm.aroundOne(m));
  }

  /** The side of the squares that are averaged; Transformers says how many there are of them. */
  private static int merge(Meta m, int patches) {
    int squares = m.integer("vision.tokens_per_image", Range.COUNT, 256);
    int usual = Math.max(1, patches / (int) Math.round(Math.sqrt(squares)));
    return m.integer(
        "vision.projector.scale_factor",
        Range.COUNT,
        switch (m.convention()) {
          case GGUF -> 4;
          case TRANSFORMERS -> usual;
        });
  }

  @Override
  public void patches(Net net) {
    int width = shape.width();
    var pixels = net.rows(PIXELS, 3 * shape.patch() * shape.patch());
    var x = net.filter("v.patch_embd.weight", pixels, width);
    x = x.plus(net.parameter("v.patch_embd.bias", width)).plus(net.rows(PLACES, width));
    for (int i = 0; i < layers; i++) x = block.of(net.in("v.blk." + i), x);
    net.point(PATCHES, block.norm(net, "v.post_ln", x));
  }

  @Override
  public void features(Net net) {
    int patches = shape.merge() * shape.merge();
    var mean = mean(net.rows(PATCHES, patches * shape.width()), patches);
    var soft = norm.of(net, "mm.soft_emb_norm", mean);
    net.point(FEATURES, net.turned("mm.input_projection.weight", soft, shape.out()));
  }

  /** The mean of what lies side by side. */
  private static Tensor mean(Tensor x, int parts) {
    int width = x.width() / parts;
    var sum = x.slice(0, width);
    for (int i = 1; i < parts; i++) sum = sum.plus(x.slice(i * width, (i + 1) * width));
    return sum.times(1.0 / parts);
  }
}
