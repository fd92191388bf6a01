package weft.cli.synth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.cli.synth.Shape.Embeddings;
import weft.cli.synth.Shape.Parts;

/** The tensors and hyper-parameters that a shape's checkpoint has, by their names in GGUF. */
record Blueprint(Map<String, Number> integers, Map<String, Float> reals, List<Part> tensors) {
  /** What a tensor is for, which says how it is stored and filled. */
  enum Role {
    /** A matrix that is stored in the chosen type. */
    MATRIX,
    /** A matrix that is read for each logit, and stored with more care in mixed types. */
    OUTPUT,
    /** A small matrix that stays in float32. */
    SMALL,
    /** Factors around one. */
    NORM,
    /** Minus the speed at which a delta-rule head forgets. */
    DECAY,
    /** Numbers around zero. */
    BIAS,
    /** What rope divides its frequencies by. */
    ROPE
  }

  /** One tensor, its dimensions outermost first. */
  record Part(String name, Role role, List<Long> shape) {
    static Part of(String name, Role role, int... shape) {
      var dims = new ArrayList<Long>();
      for (int size : shape) dims.add((long) size);
      return new Part(name, role, dims);
    }
  }

  static Blueprint of(Shape shape) {
    var plan = new Blueprint(new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
    plan.hyperParameters(shape);
    plan.add("token_embd.weight", Role.OUTPUT, shape.vocabulary(), shape.width());
    if (shape.embeddings() == Embeddings.UNTIED) {
      plan.add("output.weight", Role.OUTPUT, shape.vocabulary(), shape.width());
    }
    if (shape.parts() instanceof Parts.Plain(var scaling) && scaling.isPresent()) {
      plan.add("rope_freqs.weight", Role.ROPE, shape.headDim() / 2);
    }
    for (int layer = 0; layer < shape.layers(); layer++)
      plan.layer("blk." + layer + ".", layer, shape);
    if (shape.parts() instanceof Parts.Hybrid hybrid) plan.heads(hybrid, shape);
    plan.add("output_norm.weight", Role.NORM, shape.width());
    return plan;
  }

  private void hyperParameters(Shape shape) {
    integers.put("block_count", shape.layers());
    integers.put("context_length", shape.context());
    integers.put("embedding_length", shape.width());
    integers.put("feed_forward_length", shape.feedForward());
    integers.put("attention.head_count", shape.heads());
    integers.put("attention.head_count_kv", shape.kvHeads());
    integers.put("attention.key_length", shape.headDim());
    integers.put("attention.value_length", shape.headDim());
    integers.put("vocab_size", shape.vocabulary());
    reals.put("rope.freq_base", shape.ropeBase());
    reals.put("attention.layer_norm_rms_epsilon", shape.epsilon());
    if (shape.window() > 0) integers.put("attention.sliding_window", shape.window());
    switch (shape.parts()) {
      case Parts.Plain _, Parts.HeadNorms _ ->
          integers.put("rope.dimension_count", shape.headDim());
      case Parts.NormsAround(float slidingBase, int interval) -> {
        integers.put("rope.dimension_count", shape.headDim());
        integers.put("attention.sliding_window_pattern", interval);
        reals.put("rope.freq_base_swa", slidingBase);
      }
      case Parts.Experts(int count, int used, int feedForward) -> {
        integers.put("rope.dimension_count", shape.headDim());
        integers.put("expert_count", count);
        integers.put("expert_used_count", used);
        integers.put("expert_feed_forward_length", feedForward);
      }
      case Parts.Hybrid h -> {
        integers.put("rope.dimension_count", h.ropeDims());
        integers.put("ssm.conv_kernel", h.taps());
        integers.put("ssm.state_size", h.headDim());
        integers.put("ssm.group_count", h.keyHeads());
        integers.put("ssm.time_step_rank", h.valueHeads());
        integers.put("ssm.inner_size", h.valueHeads() * h.headDim());
        integers.put("full_attention_interval", h.interval());
        if (h.ahead() > 0) {
          integers.put("block_count", shape.layers() + h.ahead());
          integers.put("nextn_predict_layers", h.ahead());
        }
      }
    }
  }

  private void layer(String prefix, int layer, Shape shape) {
    add(prefix + "attn_norm.weight", Role.NORM, shape.width());
    switch (shape.parts()) {
      case Parts.Plain _ -> {
        attention(prefix, shape, 1);
        feedForward(prefix, shape, "ffn_norm");
      }
      case Parts.HeadNorms _ -> {
        attention(prefix, shape, 1);
        headNorms(prefix, shape);
        feedForward(prefix, shape, "ffn_norm");
      }
      case Parts.NormsAround _ -> {
        attention(prefix, shape, 1);
        headNorms(prefix, shape);
        add(prefix + "post_attention_norm.weight", Role.NORM, shape.width());
        feedForward(prefix, shape, "ffn_norm");
        add(prefix + "post_ffw_norm.weight", Role.NORM, shape.width());
      }
      case Parts.Experts experts -> {
        attention(prefix, shape, 1);
        headNorms(prefix, shape);
        experts(prefix, shape, experts);
      }
      case Parts.Hybrid hybrid -> {
        if ((layer + 1) % hybrid.interval() == 0) {
          // The query matrix also gives the gate of each head.
          attention(prefix, shape, 2);
          headNorms(prefix, shape);
        } else {
          deltaRule(prefix, shape, hybrid);
        }
        feedForward(prefix, shape, "post_attention_norm");
      }
    }
  }

  /** Heads for multi-token prediction are blocks with attention behind the others. */
  private void heads(Parts.Hybrid hybrid, Shape shape) {
    for (int head = 0; head < hybrid.ahead(); head++) {
      var prefix = "blk." + (shape.layers() + head) + ".";
      add(prefix + "nextn.eh_proj.weight", Role.MATRIX, shape.width(), 2 * shape.width());
      add(prefix + "nextn.enorm.weight", Role.NORM, shape.width());
      add(prefix + "nextn.hnorm.weight", Role.NORM, shape.width());
      add(prefix + "attn_norm.weight", Role.NORM, shape.width());
      attention(prefix, shape, 2);
      headNorms(prefix, shape);
      feedForward(prefix, shape, "post_attention_norm");
      add(prefix + "nextn.shared_head_norm.weight", Role.NORM, shape.width());
    }
  }

  private void attention(String prefix, Shape shape, int queries) {
    int q = shape.heads() * shape.headDim();
    int kv = shape.kvHeads() * shape.headDim();
    add(prefix + "attn_q.weight", Role.MATRIX, queries * q, shape.width());
    add(prefix + "attn_k.weight", Role.MATRIX, kv, shape.width());
    add(prefix + "attn_v.weight", Role.MATRIX, kv, shape.width());
    add(prefix + "attn_output.weight", Role.MATRIX, shape.width(), q);
  }

  private void headNorms(String prefix, Shape shape) {
    add(prefix + "attn_q_norm.weight", Role.NORM, shape.headDim());
    add(prefix + "attn_k_norm.weight", Role.NORM, shape.headDim());
  }

  private void feedForward(String prefix, Shape shape, String norm) {
    add(prefix + norm + ".weight", Role.NORM, shape.width());
    add(prefix + "ffn_gate.weight", Role.MATRIX, shape.feedForward(), shape.width());
    add(prefix + "ffn_up.weight", Role.MATRIX, shape.feedForward(), shape.width());
    add(prefix + "ffn_down.weight", Role.MATRIX, shape.width(), shape.feedForward());
  }

  private void experts(String prefix, Shape shape, Parts.Experts e) {
    add(prefix + "ffn_norm.weight", Role.NORM, shape.width());
    add(prefix + "ffn_gate_inp.weight", Role.SMALL, e.count(), shape.width());
    add(prefix + "ffn_gate_exps.weight", Role.MATRIX, e.count(), e.feedForward(), shape.width());
    add(prefix + "ffn_up_exps.weight", Role.MATRIX, e.count(), e.feedForward(), shape.width());
    add(prefix + "ffn_down_exps.weight", Role.MATRIX, e.count(), shape.width(), e.feedForward());
  }

  private void deltaRule(String prefix, Shape shape, Parts.Hybrid h) {
    int keys = h.keyHeads() * h.headDim();
    int values = h.valueHeads() * h.headDim();
    add(prefix + "attn_qkv.weight", Role.MATRIX, 2 * keys + values, shape.width());
    add(prefix + "attn_gate.weight", Role.MATRIX, values, shape.width());
    add(prefix + "ssm_alpha.weight", Role.MATRIX, h.valueHeads(), shape.width());
    add(prefix + "ssm_beta.weight", Role.MATRIX, h.valueHeads(), shape.width());
    add(prefix + "ssm_conv1d.weight", Role.SMALL, 2 * keys + values, h.taps());
    add(prefix + "ssm_a", Role.DECAY, h.valueHeads());
    add(prefix + "ssm_dt.bias", Role.BIAS, h.valueHeads());
    add(prefix + "ssm_norm.weight", Role.NORM, h.headDim());
    add(prefix + "ssm_out.weight", Role.MATRIX, shape.width(), values);
  }

  private void add(String name, Role role, int... shape) {
    tensors.add(Part.of(name, role, shape));
  }
}
